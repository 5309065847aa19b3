// A bundle run again: its files are what their digests say, base and patch give the trees that they gave, and everything that was executed is executed once more. What
// does not hold is said in a sentence.

import { makeTrees } from "@loopwright/git/replay";
import { type Change, type FileBlock, type ProjectCell, treeToSnapshot } from "@loopwright/workspace";
import { z } from "zod";
import { digestOf, Mutants, makeBundle, Ours } from "./bundle.ts";
import { type Evidence, linesOf, type Tried, type Word, wordOf } from "./evidence.ts";
import { type Ground, gatherEvidence } from "./gather.ts";
import { findSpecial, listTrials } from "./trials.ts";

const Statement = z.object({
  subject: z.array(z.object({ name: z.string(), digest: z.record(z.string(), z.string()) })),
  predicate: z.object({ loopwright: Ours }),
});

export type Bundle = Readonly<Record<string, string>>;

/** What it is worth now, why it does not hold, and line by line what was recorded and what is seen now. */
export interface Replay {
  word: Word;
  refusals: string[];
  lines: { name: string; recorded: string; now: string; isSame: boolean }[];
}

/** Where it is run again: a repository with the base's commit, a git directory of our own, and workcells on snapshots in it. */
export interface Stage {
  folder: string;
  gitDir: string;
  open(snapshot: string, ours: Ours): Promise<ProjectCell>;
}

/** Runs a bundle again. */
export async function replayBundle(bundle: Bundle, stage: Stage): Promise<Replay> {
  const refused = (...refusals: string[]): Replay => ({ word: "refuted", refusals, lines: [] });
  const statement = read(() => Statement.parse(JSON.parse(bundle["proof.json"]!)));
  if (!statement) return refused("proof.json cannot be read: it is none of ours, or it was changed");
  const ours = statement.predicate.loopwright;
  const digests = new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256 ?? digest.gitTree]));
  const changed = [...digests].find(
    ([name, digest]) => name !== "tree" && digestOf(bundle[name] ?? "") !== digest,
  )?.[0];
  if (changed !== undefined) return refused(`${changed} was changed: it is not what this was shown of`);
  const trees = await treesOf(bundle, ours, stage);
  if ("fault" in trees) return refused(trees.fault);
  if (trees.before !== ours.base.tree)
    return refused("the base is another one: its files are not those that the change was made on");
  if (trees.after !== digests.get("tree"))
    return refused("change.patch does not give the files that this was shown of");
  const trials = read(() => Mutants.parse(JSON.parse(bundle["mutants.json"]!)));
  if (!trials) return refused("mutants.json cannot be read");
  const recorded: Evidence = { ...ours.evidence, trials };
  const made = makeBundle({
    ...ours,
    evidence: recorded,
    patch: bundle["change.patch"]!,
    base: { ...baseOf(bundle, ours), ...trees },
  });
  const forged = Object.keys(made).find((name) => made[name] !== bundle[name]);
  if (forged !== undefined) return refused(`${forged} does not say what follows from the recorded results`);
  return runAgain(ours, recorded, trees, stage);
}

function read<Value>(what: () => Value): Value | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}

function baseOf(bundle: Bundle, { base: { tree: _, ...base } }: Ours) {
  const patch = bundle["base.patch"];
  return { ...base, ...(patch !== undefined && { patch }) };
}

async function treesOf(bundle: Bundle, ours: Ours, { folder, gitDir }: Stage) {
  try {
    return await makeTrees(folder, gitDir, baseOf(bundle, ours), bundle["change.patch"]!);
  } catch (error) {
    if (/^git apply/.test((error as Error).message)) return { fault: "change.patch does not fit the base" };
    return { fault: `the base, the commit ${ours.base.commit}, is not in this repository` };
  }
}

async function runAgain(
  ours: Ours,
  recorded: Evidence,
  trees: { before: string; after: string },
  stage: Stage,
): Promise<Replay> {
  const cell = await stage.open(await treeToSnapshot(stage.gitDir, trees.after), ours);
  const testFiles = Object.keys(ours.tests);
  const tests = await cell.readFiles(testFiles);
  const paths = [...new Set(recorded.trials.map(({ path }) => path))];
  const now = await cell.readFiles(paths);
  const after = await cell.snapshot();
  await cell.restore(await treeToSnapshot(stage.gitDir, trees.before));
  const old = await cell.readFiles(paths);
  await cell.writeTests(tests);
  const at = { before: await cell.snapshot(), after };
  const changes = now.map(({ path, content }): Change => {
    const before = textIn(old, path);
    return { path, after: content, ...(before !== undefined && { before }) };
  });
  const ground: Ground = async (which, _, run) => {
    if (cell.at !== at[which]) await cell.restore(at[which]);
    return run(cell, new AbortController().signal);
  };
  const names = new Set([...(recorded.before ?? []), ...recorded.after].map(({ name }) => name));
  const found = await gatherEvidence(ground, {
    ...{ targets: recorded.targets, suite: recorded.suite, budget: Number.POSITIVE_INFINITY, testFiles },
    ...{ hasBefore: recorded.before !== undefined, planned: [], task: ours.task },
    counted: (report) => report.tests.filter(({ name }) => names.has(name)),
    recorded: { trials: recorded.trials.filter(({ outcome }) => outcome !== "untried"), checks: recorded.checks },
  });
  const refusals = [
    ...testFiles
      .filter((path) => digestOf(textIn(tests, path) ?? "") !== ours.tests[path])
      .map((path) => `the test file ${path} is not the one that was run`),
    ...(await leftOut(changes, recorded)),
  ];
  const seen: Evidence = {
    ...{ ...recorded, checks: found.checks, after: sameTests(recorded.after, found.after, found.flickers) },
    ...(recorded.before && { before: sameTests(recorded.before, found.before!) }),
    ...{ trials: asRecorded(recorded.trials, found.trials), special: await findSpecial(changes, tests, ours.task) },
  };
  return compare(ours, refusals, [recorded, seen]);
}

function textIn(files: readonly FileBlock[], path: string): string | undefined {
  return files.find((file) => file.path === path)?.content;
}

/** Wrong versions that would have been tried, and are not among the recorded ones. */
async function leftOut(changes: readonly Change[], { trials }: Evidence): Promise<string[]> {
  const known = new Set(trials.map(({ title }) => title));
  const missing = (await listTrials(changes)).find(({ title }) => !known.has(title));
  return missing ? [`mutants.json leaves out ${missing.title}`] : [];
}

/** The recorded tests as they are now; one that did not run has failed. */
function sameTests(recorded: Evidence["after"], now: Evidence["after"], flickers: string[] = []): Evidence["after"] {
  const found = new Map(now.map((test) => [test.name, test]));
  return recorded.map(
    (test) => found.get(test.name) ?? (flickers.includes(test.name) ? test : { ...test, state: "failed" }),
  );
}

/** Recorded trials with what became of them now; what was not tried then stands as it is, and so does what a reviewer has said. */
function asRecorded(recorded: readonly Tried[], now: readonly Tried[]): Tried[] {
  const tried = now.values();
  return recorded.map((each) =>
    each.outcome === "untried" ? each : { ...each, outcome: tried.next().value!.outcome },
  );
}

function compare(
  { requirements }: Ours,
  refusals: readonly string[],
  evidence: [recorded: Evidence, now: Evidence],
): Replay {
  const [then, seen] = evidence.map((each) => linesOf(each, requirements));
  const lines = then!.map(({ name, seen: recorded }) => {
    const now = seen!.find((line) => line.name === name)?.seen ?? "nothing";
    return { name, recorded, now, isSame: now === recorded };
  });
  const others = lines.filter(({ isSame }) => !isSame);
  const words = others.map(({ name, recorded, now }) => `${name}: recorded was '${recorded}', and now it is '${now}'`);
  return { word: wordOf(seen!), refusals: [...refusals, ...words], lines };
}
