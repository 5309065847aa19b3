// The novel loop: one iteration of one level of a book, which nothing changes without its writer's yes.
//
//   check → generate → judge → summarise → inspect → accept → finalise
//              ▲  │       │        ▲          ▲ └ each look │      └ edited by hand meanwhile: check
//              │  │ no    ▼        │          └─────────────┘ diff
//              │  └ form: consider ┘ no: what there is
//              └───────── │ yes ▲
//                         ▼     │
//                        partial┘
//
//   Each question is a gate: downstream (check), continue (consider), detail (inspect), accept, edited (finalise). A level that
//   did not exist goes from generate to finalise; prose is generated a chapter at a time.

import { defineLoop } from "../../core/index.ts";
import { accept } from "./accept.ts";
import { check } from "./check.ts";
import { consider } from "./consider.ts";
import { finalise } from "./finalise.ts";
import { finish } from "./finish.ts";
import { generate } from "./generate.ts";
import { inspect } from "./inspect.ts";
import { judge } from "./judge.ts";
import { showPartial } from "./partial.ts";
import { summarise } from "./summarise.ts";
import { initialState, NovelState, NovelTask } from "./task.ts";

export type { NovelNotes } from "./notes.ts";
export { type Attempt, NovelState, NovelTask } from "./task.ts";

/** The loop. */
export const novel = defineLoop({
  name: "novel",
  version: 1,
  input: NovelTask,
  state: NovelState,
  initial: initialState,
  start: "check",
  iteration: "check",
  phases: {
    check: { run: check, to: ["generate"] },
    generate: { run: generate, to: ["generate", "judge", "consider", "summarise", "finalise"] },
    judge: { run: judge, to: ["summarise", "consider"] },
    consider: { run: consider, to: ["generate", "partial", "summarise"] },
    partial: { run: showPartial, to: ["consider"] },
    summarise: { run: summarise, to: ["inspect"] },
    inspect: { run: inspect, to: ["inspect", "accept"] },
    accept: { run: accept, to: ["inspect", "finalise"] },
    finalise: { run: finalise, to: ["check"] },
  },
  finish,
});
