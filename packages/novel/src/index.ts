// The novel loop: one iteration of one level of a book, which nothing changes without its writer's yes.
//
//   check → read → write → judge → summarize → accept → finalize
//             ▲     ▲  │     │         ▲   ▲ └─┘ some, diff  │
//      clarify┘     │  └─────┴ consider┘   └ choose          └ edited by hand meanwhile: check
//                   └──────── yes ┘   (variants)
//
//   read: a model says which files the feedback reaches. judge: it looks at the level, and may open more of them. A level that did not
//   exist before goes from write to finalize; prose is written a chapter at a time.

import { defineLoop } from "@loopwright/core";
import { accept } from "./phases/accept.ts";
import { check } from "./phases/check.ts";
import { finalize, finish } from "./phases/finalize.ts";
import { consider, judge } from "./phases/judge.ts";
import { read } from "./phases/read.ts";
import { summarize } from "./phases/summarize.ts";
import { write } from "./phases/write.ts";
import { initialState, NovelState, NovelTask } from "./task.ts";
import { choose } from "./variants/variants.ts";

export type { NovelNotes } from "./notes.ts";
export { type Attempt, NovelState, NovelTask } from "./task.ts";
export { promptsFolder } from "./types.ts";

/** The loop. */
export const novel = defineLoop({
  name: "novel",
  version: 4,
  input: NovelTask,
  state: NovelState,
  initial: initialState,
  start: "check",
  iteration: "check",
  phases: {
    check: { run: check, to: ["check", "read"] },
    read: { run: read, to: ["read", "write"] },
    write: { run: write, to: ["write", "choose", "judge", "consider", "summarize", "finalize"] },
    choose: { run: choose, to: ["choose", "write", "judge", "summarize", "finalize"] },
    judge: { run: judge, to: ["summarize", "consider"] },
    consider: { run: consider, to: ["consider", "write", "judge", "summarize"] },
    summarize: { run: summarize, to: ["summarize", "accept"] },
    accept: { run: accept, to: ["accept", "summarize", "write", "finalize"] },
    finalize: { run: finalize, to: ["check"] },
  },
  finish,
});
