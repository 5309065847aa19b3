// The runners that are known by name. A new one is a row here and a program of its name: programs/node/NAME.mjs, which runs test files
// and writes the report that common.mjs describes, or programs/python/NAME_way.py, which runs one for run.py.

interface Row {
  language: "python" | "script";
  /** Where it is called otherwise than by its name. */
  title?: string;
  /** The package that must be installed in the workspace. */
  package?: string;
  /** What stands in the script that runs the tests, and in the tests. */
  script?: RegExp;
  imports?: RegExp;
}

const ROWS = {
  pytest: { language: "python" },
  unittest: { language: "python" },
  node: { language: "script", title: "node --test", script: /\bnode\b.*\s--test\b/, imports: /["']node:test["']/ },
  vitest: { language: "script", package: "vitest", script: /\bvitest\b/, imports: /["']vitest["']/ },
  jest: { language: "script", package: "jest", script: /\bjest\b/, imports: /["']@jest\/globals["']/ },
} satisfies Readonly<Record<string, Row>>;

/** A runner that is known by name. */
export type RunnerName = keyof typeof ROWS;

export const RUNNERS: Readonly<Record<RunnerName, Row>> = ROWS;
export const RUNNER_NAMES = Object.keys(RUNNERS) as RunnerName[];
