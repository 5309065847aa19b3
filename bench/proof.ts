// What `shown` is worth: changes that pass the visible tests of a small repository and are wrong, and the right ones beside them, each through the evidence of the
// code loop. No model is asked: the ledger is recorded with the pairs.
//
// The workload and the score were fixed before the first run: forty tasks, of each a right and a wrong change (half-fixes, special cases, wrong boundaries, missing
// branches); `wrong_shown` is the share of wrong ones that are called shown, `right_refuted` that of right ones that are called refuted.

import { type Evidence, linesOf, wordOf, wordsOf } from "@loopwright/code/proof";
import { evidenceOf } from "./proof/evidence-of.ts";
import type { Pair } from "./proof/pair.ts";
import { pythonPairs } from "./proof/python-pairs.ts";
import { scriptPairs } from "./proof/script-pairs.ts";

export const aims = { wrong_shown: 0.2, right_refuted: 0.05 };

export async function run({ quick }: { quick: boolean }) {
  const all = pythonPairs.flatMap((pair, at) => [scriptPairs[at]!, pair]);
  const pairs = quick ? all.slice(0, 8) : all;
  const words: Record<"right" | "wrong", string[]> = { right: [], wrong: [] };
  const found: Evidence[] = [];
  for (const pair of pairs) {
    for (const which of ["right", "wrong"] as const) {
      const text = which === "right" ? pair.right : pair.wrong[1];
      const evidence = await evidenceOfPair(pair, text);
      const lines = linesOf(
        evidence,
        pair.ledger.map(([statement, ...tests]) => ({ statement, tests })),
      );
      words[which].push(wordOf(lines));
      found.push(evidence);
      console.error(`${pair.name} (${which === "right" ? "right" : pair.wrong[0]}): ${wordsOf(lines)}`);
    }
  }
  const share = (which: "right" | "wrong", word: string) =>
    words[which].filter((each) => each === word).length / pairs.length;
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
  return {
    pairs: pairs.length,
    wrong_shown: share("wrong", "shown"),
    wrong_refuted: share("wrong", "refuted"),
    right_refuted: share("right", "refuted"),
    right_shown: share("right", "shown"),
    mutants_per_change: median(found.map(({ trials }) => trials.filter(({ kind }) => kind !== "hunk").length)),
    seconds_over_suite: median(found.map(({ spent_ms }) => spent_ms / 1000)),
  };
}

/** The evidence of a change, on a repository with its tests in place. */
function evidenceOfPair({ file, base, tests, task }: Pair, text: string): Promise<Evidence> {
  const files = { [file]: base, [tests.file]: tests.text, "package.json": '{ "type": "module" }\n' };
  return evidenceOf({ files, task, tests: [tests.file], budget: 1_000 }, { [file]: text });
}
