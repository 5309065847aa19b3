// The code loop: tests and a plan, a program, and a ladder out of being stuck.
//
//   summarize → plan → implement → test → audit → review → implement …
//                 ▲                  │      └ corrected tests → implement
//                 └ summarize ← amend┤ stuck: the task is amended
//                                    └ finalize: done, escalated, failed, the ceiling of iterations

import { defineLoop } from "@loopwright/core";
import { audit } from "./phases/audit.ts";
import { finalize, finish } from "./phases/finalize.ts";
import { implement } from "./phases/implement.ts";
import { plan } from "./phases/plan.ts";
import { prove } from "./phases/prove.ts";
import { review } from "./phases/review.ts";
import { summarize } from "./phases/summarize.ts";
import { test } from "./phases/test.ts";
import { CodeState, CodeTask, initialState } from "./task.ts";

export { promptsFolder, templatesFolder } from "./folders.ts";
export { type Amendment, type CodeState, CodeTask } from "./task.ts";

/** The loop. */
export const code = defineLoop({
  name: "code",
  version: 6,
  input: CodeTask,
  state: CodeState,
  initial: initialState,
  start: "summarize",
  iteration: "implement",
  phases: {
    summarize: { run: summarize, to: ["plan", "finalize"] },
    plan: { run: plan, to: ["implement", "finalize"] },
    implement: { run: implement, to: ["test"] },
    test: { run: test, to: ["prove", "audit", "review", "implement", "amend", "finalize"] },
    prove: { run: prove, to: ["audit", "review", "finalize"] },
    amend: {
      run: async (state, ctx) => (await import("./phases/amend.ts")).amend(state, ctx),
      to: ["summarize", "finalize"],
    },
    audit: { run: audit, to: ["review", "implement"] },
    review: { run: review, to: ["implement", "prove", "finalize"] },
    finalize: { run: finalize, to: ["implement", "summarize"] },
  },
  finish,
});
