// Missing and extra features: what a reference shows far from anything that was made, and the other way round. How far counts,
// not how large it is, so that a mast is a feature too.

import type { Finding } from "@loopwright/core";
import { extentOf, type Mask, type Stray, strayRegions } from "@loopwright/mesh";
import type { Evidence } from "./findings.ts";
import { diagonalOf } from "./score.ts";
import { placesIn } from "./where.ts";

/** Shares of the reference's diagonal: from here on it is a feature, is worth a word, and is grossly wrong. */
const STANDS_OUT = 0.02;
const WORTH_A_WORD = 0.04;
const GROSS = 0.1;
/** No more of either kind in a view. */
const MOST = 3;

/** The features that are missing, and those that are too many. */
export function featureFindings({ masks, references, frame }: Evidence): Finding[] {
  return Object.entries(references).flatMap(([view, wanted]) => {
    const made = masks[view]!;
    const diagonal = diagonalOf(extentOf(wanted));
    const { words } = placesIn(view, frame, wanted.width);
    const find = (of: Mask, beside: Mask, say: (stray: Stray, meters: string) => Words) =>
      strayRegions(of, beside, STANDS_OUT * diagonal)
        .filter(({ reach }) => reach >= WORTH_A_WORD * diagonal)
        .slice(0, MOST)
        .map((stray): Finding => {
          const isGross = stray.reach >= GROSS * diagonal;
          const meters = ((stray.reach * frame.meters) / wanted.width).toFixed(2);
          const severity = isGross ? ("hard" as const) : ("soft" as const);
          return { ...say(stray, meters), severity, priority: isGross ? 1 : 2 };
        });
    return [
      ...find(wanted, made, ({ extent }, meters) => ({
        code: `FEATURE_MISSING_${view.toUpperCase()}`,
        message: `a feature is missing: the ${view} reference shows something at ${words(extent)}, as far as ${meters} m from the model`,
        fix: `add what the ${view} reference shows at ${words(extent)}`,
      })),
      ...find(made, wanted, ({ extent }, meters) => ({
        code: `FEATURE_EXTRA_${view.toUpperCase()}`,
        message: `there is too much: in the ${view} view the model has something at ${words(extent)}, as far as ${meters} m from the reference`,
        fix: `remove or shorten what stands at ${words(extent)} in the ${view} view`,
      })),
    ];
  });
}

type Words = Pick<Finding, "code" | "message" | "fix">;
