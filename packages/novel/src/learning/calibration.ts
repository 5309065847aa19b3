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

/** The figures of some decisions. */
export function calibrate(decisions: readonly Pick<Decision, "verdict" | "is_accepted">[]): Calibration {
  const judged = decisions.filter(({ verdict }) => verdict !== "none");
  const rejected_approved = judged.filter(({ verdict, is_accepted }) => verdict === "approved" && !is_accepted).length;
  const accepted_refused = judged.filter(({ verdict, is_accepted }) => verdict !== "approved" && is_accepted).length;
  const followed = judged.length - rejected_approved - accepted_refused;
  return { decided: judged.length, followed, rejected_approved, accepted_refused };
}

/** `Judge calibration: 82% (you went with the judge in 9 of 11; …)`; undefined where nothing was judged. */
export function calibrationText({
  decided,
  followed,
  rejected_approved,
  accepted_refused,
}: Calibration): string | undefined {
  if (decided === 0) return undefined;
  const share = Math.round((followed / decided) * 100);
  return `Judge calibration: ${share}% (you went with the judge in ${followed} of ${decided} attempts that you decided on; rejected what it approved: ${rejected_approved}; accepted what it did not: ${accepted_refused})`;
}

/** The figures of each judge model, those with most decisions first; decisions whose judge is not known are left out. */
export function calibrateModels(
  decisions: readonly Pick<Decision, "verdict" | "is_accepted" | "models">[],
): { model: string; calibration: Calibration }[] {
  const models = [...new Set(decisions.flatMap((decision) => decision.models ?? []))];
  return models
    .map((model) => ({ model, calibration: calibrate(decisions.filter((each) => each.models?.includes(model))) }))
    .filter(({ calibration }) => calibration.decided > 0)
    .sort((a, b) => b.calibration.decided - a.calibration.decided || (a.model < b.model ? -1 : 1));
}

/** `  local:judge  9 of 11, rejected what it approved: 1, accepted what it did not: 1` for each model. */
export function modelLines(models: readonly { model: string; calibration: Calibration }[]): string[] {
  const width = Math.max(0, ...models.map(({ model }) => model.length));
  return models.map(({ model, calibration: { decided, followed, rejected_approved, accepted_refused } }) => {
    const figures = `you went with it in ${followed} of ${decided}; rejected what it approved: ${rejected_approved}; accepted what it did not: ${accepted_refused}`;
    return `  ${model.padEnd(width)}  ${figures}`;
  });
}
