// The code loop: tests and a plan, a program, and a ladder out of being stuck.
//
//   summarise → plan → implement → test → audit → review → implement …
//                 ▲                  │      └ corrected tests → implement
//                 └ summarise ← amend┤ stuck: the task is amended
//                                    └ finalize: done, escalated, failed, the ceiling of iterations

import { defineLoop } from "../../core/index.ts";
import { amend } from "./amend.ts";
import { audit } from "./audit.ts";
import { finalize, finish } from "./finalize.ts";
import { implement } from "./implement.ts";
import { plan } from "./plan.ts";
import { review } from "./review.ts";
import { summarise } from "./summarise.ts";
import { CodeState, CodeTask, initialState } from "./task.ts";
import { test } from "./test.ts";

export { revertAmendment } from "./amendments.ts";
export { parseSections } from "./sections.ts";
export { type Amendment, type CodeState, CodeTask } from "./task.ts";

/** The loop. */
export const code = defineLoop({
  name: "code",
  version: 1,
  input: CodeTask,
  state: CodeState,
  initial: initialState,
  start: "summarise",
  iteration: "implement",
  phases: {
    summarise: { run: summarise, to: ["plan"] },
    plan: { run: plan, to: ["implement", "finalize"] },
    implement: { run: implement, to: ["test"] },
    test: { run: test, to: ["audit", "review", "amend", "finalize"] },
    amend: { run: amend, to: ["summarise", "finalize"] },
    audit: { run: audit, to: ["review", "implement"] },
    review: { run: review, to: ["implement"] },
    finalize: { run: finalize, to: ["implement", "summarise"] },
  },
  finish,
});
