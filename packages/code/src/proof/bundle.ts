// The bundle: what was shown of a result, so that anyone can look at it and run it again. An in-toto statement (proof.json) names the digest of every file
// beside it and of the resulting tree.

import { hash } from "node:crypto";
import { type ReplayBase, writeJunit } from "@loopwright/workspace";
import { z } from "zod";
import { Evidence, type Line, linesOf, Requirement, Tried, testsShowing, type Word, wordOf } from "./evidence.ts";

/** What the statement says beside what every test result says: all that a replay needs. */
export const Ours = z.object({
  version: z.literal(1),
  word: z.enum(["shown", "partly shown", "refuted"]),
  task: z.string(),
  base: z.object({ commit: z.string().optional(), prefix: z.string(), tree: z.string() }),
  runner: z.union([z.string(), z.object({ command: z.string(), report: z.string().optional() })]).optional(),
  /** The digests of the files of the target tests. */
  tests: z.record(z.string(), z.string()),
  evidence: Evidence.omit({ trials: true }),
  requirements: z.array(Requirement).optional(),
});
export type Ours = z.infer<typeof Ours>;

export const Mutants = z.array(Tried);

const RESULTS: Readonly<Record<Word, string>> = {
  shown: "PASSED",
  "partly shown": "WARNED",
  refuted: "FAILED",
};

export interface Proven extends Pick<Ours, "task" | "runner" | "tests" | "requirements"> {
  evidence: Evidence;
  base: ReplayBase;
  patch: string;
}

/** The files of a bundle, by name. */
export function makeBundle({ evidence, requirements, base, patch, ...more }: Proven): Record<string, string> {
  const { trials, ...kept } = evidence;
  const lines = linesOf(evidence, requirements);
  const word = wordOf(lines);
  const beside: Record<string, string> = {
    "change.patch": patch,
    ...(base.patch !== undefined && { "base.patch": base.patch }),
    ...(evidence.before && { "before.xml": writeJunit("before the change", evidence.before) }),
    "after.xml": writeJunit("with the change", evidence.after),
    "mutants.json": `${JSON.stringify(Mutants.parse(trials), null, 2)}\n`,
    "requirements.md": requirementsPage(requirements, evidence),
    "proof.md": page(word, lines, more.task, requirements, evidence),
  };
  const named = (wanted: string) => evidence.after.flatMap(({ name, state }) => (state === wanted ? [name] : []));
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [
      ...Object.entries(beside).map(([name, text]) => ({ name, digest: { sha256: digestOf(text) } })),
      { name: "tree", digest: { gitTree: base.after } },
    ],
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: {
      result: RESULTS[word],
      configuration: [
        {
          name: "base",
          digest: { gitTree: base.before, ...(base.commit !== undefined && { gitCommit: base.commit }) },
        },
        ...Object.entries(more.tests).map(([name, sha256]) => ({ name, digest: { sha256 } })),
      ],
      ...{ passedTests: named("passed"), warnedTests: named("xfailed"), failedTests: named("failed") },
      loopwright: Ours.parse({
        ...{ version: 1, word, ...more, evidence: kept, requirements },
        base: { prefix: base.prefix, tree: base.before, commit: base.commit },
      }),
    },
  };
  return { "proof.json": `${JSON.stringify(statement, null, 2)}\n`, ...beside };
}

export function digestOf(text: string): string {
  return hash("sha256", text);
}

function requirementsPage(requirements: readonly Requirement[] | undefined, evidence: Evidence): string {
  const rows = (requirements ?? []).map((each) => {
    const tests = testsShowing(each, evidence);
    return `| ${cell(each.statement)} | ${tests.length > 0 ? tests.map((name) => `\`${cell(name)}\``).join("<br>") : "**not shown**"} |`;
  });
  const table = ["| the task says | shown by |", "| --- | --- |", ...rows].join("\n");
  return `# What the task asks for\n\n${rows.length > 0 ? table : "Nobody has listed it."}\n`;
}

/** The page that a reviewer reads in a minute. */
function page(
  word: Word,
  lines: readonly Line[],
  task: string,
  requirements: readonly Requirement[] | undefined,
  evidence: Evidence,
): string {
  const rows = lines.map(
    ({ name, seen, says }) => `| ${says === "good" ? "✓" : "✗"} | ${cell(name)} | ${cell(seen)} |`,
  );
  const said = task
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("#") && line.trim() !== "")
    .slice(0, 3)
    .join("\n");
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return [
    `# ${word[0]!.toUpperCase()}${word.slice(1)}`,
    said,
    ["| | looked for | seen |", "| --- | --- | --- |", ...rows].join("\n"),
    requirementsPage(requirements, evidence).replace(/^# /, "## ").trim(),
    `The tests took ${seconds(evidence.suite_ms)}, the rest ${seconds(evidence.spent_ms)}. \`loopwright prove\` runs all of it again, in a sandbox, without a model.`,
  ]
    .join("\n\n")
    .concat("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim();
}
