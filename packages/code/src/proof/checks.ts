// The repository's own checks beside its tests: types, lint, format, build, where it has them. What they say of the result and did not say before is a finding.

import type { ProjectCell } from "@loopwright/workspace";
import type { Checked } from "./evidence.ts";

/** Scripts of package.json that check, and Python's tools by what configures them. */
const SCRIPTS = /^(?:types?|type-?check|check[-:]types|tsc|lint|eslint|format[-:]check|check[-:]format|build)$/;
const TOOLS: readonly [file: string, configured: RegExp, command: string][] = [
  ["pyproject.toml", /^\[tool\.mypy\b/m, "python3 -m mypy ."],
  ["mypy.ini", /^\[mypy\]/m, "python3 -m mypy ."],
  ["pyproject.toml", /^\[tool\.ruff\b/m, "python3 -m ruff check ."],
  ["pyproject.toml", /^\[tool\.black\b/m, "python3 -m black --check ."],
  ["setup.cfg", /^\[flake8\]/m, "python3 -m flake8"],
];

/** The commands of the checks that a repository has. */
export async function findChecks(cell: ProjectCell): Promise<string[]> {
  const files = await cell.readFiles(["package.json", ...new Set(TOOLS.map(([file]) => file))]);
  const textOf = (path: string) => files.find((file) => file.path === path)?.content ?? "";
  const scripts = Object.keys(JSON.parse(textOf("package.json") || "{}").scripts ?? {}).filter((name) =>
    SCRIPTS.test(name),
  );
  const tools = TOOLS.filter(([file, configured]) => configured.test(textOf(file))).map(([, , command]) => command);
  return [...scripts.map((name) => `npm run -s ${name}`), ...new Set(tools)];
}

export interface Said {
  code: number | null;
  output: string;
}

/** What checks say of the workspace as it stands; nothing that they leave survives. */
export async function runChecks(cell: ProjectCell, commands: readonly string[]): Promise<{ said: Said[]; ms: number }> {
  const started = performance.now();
  const before = await cell.snapshot();
  const said: Said[] = [];
  for (const command of commands) {
    const [{ done, refused = "" } = {}] = await cell.runCommands([command]);
    said.push(done ? { code: done.code, output: done.stopped ?? done.output } : { code: null, output: refused });
    await cell.restore(before);
  }
  return { said, ms: Math.round(performance.now() - started) };
}

const MISSING = /No module named|not found|Cannot find module/;
const MOST_LINES = 20;

/** What a check says of the result that it did not say before, wherever it stands now. */
export function compareSaid(command: string, before: Said, after: Said): Checked {
  if (after.code === 0) return { command, found: [] };
  const last = linesIn(after.output).at(-1)?.slice(0, 200) ?? "it said nothing";
  const cannotRun = ({ code, output }: Said) => code === null || MISSING.test(output);
  if (cannotRun(before) && cannotRun(after)) return { command, found: [], fault: `it could not be run: ${last}` };
  const known = new Set(linesIn(before.output).map(plain));
  const found = linesIn(after.output).filter((line) => !known.has(plain(line)));
  return {
    command,
    found: found.length > 0 || before.code !== 0 ? found.slice(0, MOST_LINES) : [`it fails now: ${last}`],
  };
}

function linesIn(output: string): string[] {
  return output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** A line wherever it stands, of however many. */
function plain(line: string): string {
  return line.replace(/\d+/g, "#");
}
