// The code loop: tests and a plan, a program, and a ladder out of being stuck.
//
//   summarise → plan → implement → test → audit → review → implement …
//                 ▲                  │      └ corrected tests → implement
//                 └ summarise ← amend┤ stuck: the task is amended
//                                    └ finalize: done, escalated, failed, the ceiling of iterations
//
//   With the search builder no model is asked:
//
//   summarise → locate → implement (a batch of candidates) → implement …, test → implement … or finalize

import { defineLoop } from "../../core/index.ts";
import { amend } from "./amend.ts";
import { audit } from "./audit.ts";
import { finalize, finish } from "./finalize.ts";
import { implement } from "./implement.ts";
import { plan } from "./plan.ts";
import { review } from "./review.ts";
import { locate } from "./search/locate.ts";
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
    summarise: { run: summarise, to: ["plan", "locate"] },
    plan: { run: plan, to: ["implement", "finalize"] },
    locate: { run: locate, to: ["implement", "finalize"] },
    implement: { run: implement, to: ["test", "implement", "finalize"] },
    test: { run: test, to: ["audit", "review", "amend", "implement", "finalize"] },
    amend: { run: amend, to: ["summarise", "finalize"] },
    audit: { run: audit, to: ["review", "implement"] },
    review: { run: review, to: ["implement"] },
    finalize: { run: finalize, to: ["implement", "summarise"] },
  },
  finish,
});
