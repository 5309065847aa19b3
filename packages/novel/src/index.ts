// The novel loop: one iteration of one level of a book, which nothing changes without its writer's yes.
//
//   reach → check → generate → judge → summarize → inspect → accept → finalize
//     ▲                ▲  │     │ │        ▲          ▲ └ each look │      └ edited by hand meanwhile: check
//     │                │  │ no  │ ▼        │          └─────────────┘ diff; some of the files: summarize
//     │                │  └ form: consider ┘ no: what there is
//     │                └───────── │ yes ▲
//     │ a file that nobody        ▼     │
//     └ has touched contradicts  partial┘
//
//   Each question is a gate: reach, downstream (check), unreadable (judge), continue (consider), detail (inspect), accept
//   (finalize). A level that did not exist goes from generate to finalize; prose is generated a chapter at a time.

import { defineLoop } from "@loopwright/core";
import { accept } from "./phases/accept.ts";
import { check } from "./phases/check.ts";
import { choose } from "./phases/choose.ts";
import { consider } from "./phases/consider.ts";
import { finalize } from "./phases/finalize.ts";
import { finish } from "./phases/finish.ts";
import { follow } from "./phases/follow.ts";
import { generate } from "./phases/generate.ts";
import { inspect } from "./phases/inspect.ts";
import { judge } from "./phases/judge.ts";
import { showPartial } from "./phases/partial.ts";
import { reach } from "./phases/reach.ts";
import { summarize } from "./phases/summarize.ts";
import { talk } from "./phases/talk.ts";
import { weigh } from "./phases/weigh.ts";
import { initialState, migrate, NovelState, NovelTask } from "./task.ts";

export { promptsFolder } from "./folders.ts";
export type { NovelNotes } from "./notes.ts";
export { type Attempt, NovelState, NovelTask } from "./task.ts";

/** The loop. */
export const novel = defineLoop({
  name: "novel",
  version: 3,
  input: NovelTask,
  state: NovelState,
  migrate,
  initial: initialState,
  start: "reach",
  iteration: "check",
  phases: {
    reach: { run: reach, to: ["reach", "check", "generate", "summarize", "weigh", "talk"] },
    check: { run: check, to: ["generate"] },
    weigh: { run: weigh, to: [] },
    talk: { run: talk, to: [] },
    generate: { run: generate, to: ["generate", "choose", "judge", "consider", "summarize", "finalize"] },
    choose: { run: choose, to: ["choose", "generate", "judge", "summarize", "finalize"] },
    judge: { run: judge, to: ["judge", "summarize", "consider", "reach"] },
    consider: { run: consider, to: ["generate", "partial", "summarize", "reach"] },
    partial: { run: showPartial, to: ["consider"] },
    summarize: { run: summarize, to: ["inspect"] },
    inspect: { run: inspect, to: ["inspect", "accept"] },
    accept: { run: accept, to: ["accept", "inspect", "summarize", "generate", "finalize"] },
    finalize: { run: finalize, to: ["check", "follow"] },
    follow: { run: follow, to: [] },
    // Names of before version 3: a run may stand before one of them.
    summarise: { run: summarize, to: ["inspect"] },
    finalise: { run: finalize, to: ["check", "follow"] },
  },
  finish,
});
