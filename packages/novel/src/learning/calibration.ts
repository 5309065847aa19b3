// How often the author decided as the judge did, and how often not, each way.

import type { Decision } from "./decisions.ts";

export interface Calibration {
  /** Decisions about an attempt that a judge had seen. */
  decided: number;
  followed: number;
  /** The judge approved, the author rejected. */
  rejected_approved: number;
  /** The judge did not approve, the author accepted. */
  accepted_refused: number;
}

type Decided = Pick<Decision, "verdict" | "is_accepted" | "models">;

/** The figures of some decisions. */
export function calibrate(decisions: readonly Decided[]): Calibration {
  const judged = decisions.filter(({ verdict }) => verdict !== "none");
  const rejected_approved = judged.filter(({ verdict, is_accepted }) => verdict === "approved" && !is_accepted).length;
  const accepted_refused = judged.filter(({ verdict, is_accepted }) => verdict !== "approved" && is_accepted).length;
  const followed = judged.length - rejected_approved - accepted_refused;
  return { decided: judged.length, followed, rejected_approved, accepted_refused };
}

/** The figures of each judge model, those with most decisions first; decisions whose judge is not known are left out. */
export function calibrateModels(decisions: readonly Decided[]): { model: string; calibration: Calibration }[] {
  const models = [...new Set(decisions.flatMap(({ models = [] }) => models))].sort();
  return models
    .map((model) => ({ model, calibration: calibrate(decisions.filter((each) => each.models?.includes(model))) }))
    .filter(({ calibration }) => calibration.decided > 0)
    .sort((a, b) => b.calibration.decided - a.calibration.decided);
}

/** `Judge calibration: 82% (you went with the judge in 9 of 11; …)`; undefined where nothing was judged. */
export function calibrationText(given: Calibration): string | undefined {
  if (given.decided === 0) return undefined;
  const share = Math.round((given.followed / given.decided) * 100);
  return `Judge calibration: ${share}% (you went with the judge in ${figures(given)})`;
}

/** A line for each model. */
export function modelLines(models: readonly { model: string; calibration: Calibration }[]): string[] {
  const width = Math.max(0, ...models.map(({ model }) => model.length));
  return models.map(
    ({ model, calibration }) => `  ${model.padEnd(width)}  you went with it in ${figures(calibration)}`,
  );
}

function figures({ decided, followed, rejected_approved, accepted_refused }: Calibration): string {
  return `${followed} of ${decided}; rejected what it approved: ${rejected_approved}; accepted what it did not: ${accepted_refused}`;
}
