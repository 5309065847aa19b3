// The key `tracker` of loopwright.yaml: who keeps a project's issues.

import { z } from "zod";

/** The block `tracker` of loopwright.yaml: who keeps the issues. */
export const TrackerConfiguration = z.preprocess(
  (given) => (typeof given === "object" ? "own" : given),
  z.enum(["own", "beads"]).describe("who keeps issues: Loopwright itself, or beads by its program bd (own)"),
);
export type TrackerConfiguration = z.output<typeof TrackerConfiguration>;
