// The last look before a run is done: at what the change does to its judge, whether the target tests reach it, and, in a
// repository, whether its lines were executed by a test at all.
//
// Lines that no test executes go back to the implementer once. Then, and where it cannot be told at all, a person decides.

import type { Finding } from "@loopwright/core";
import { checkChange, hardOnes } from "@loopwright/workspace";
import { warn } from "../notes.ts";
import type { CodeContext, CodeState } from "../task.ts";
import { withTests } from "../workspace.ts";
import { fileOf, isOf, suiteFiles } from "./test-files.ts";

export interface Look {
  findings: Finding[];
  /** What is known of lines that no test executes. */
  unseen?: CodeState["unseen"];
}

/** Looks at a change whose tests pass. Hard findings must be gone before the run is done. */
export async function lookAtChange(ctx: CodeContext, state: CodeState, snapshot: string): Promise<Look> {
  const { targets } = state;
  const aimed = targets && {
    files: [...new Set(targets.map(fileOf))],
    counts: (name: string) => targets.some((each) => isOf(name, each)),
  };
  const findings = await withTests(ctx, state, { key: "change", snapshot }, (cell, signal) =>
    checkChange(cell, signal, aimed),
  );
  if (!state.baseline || hardOnes(findings).length > 0) return { findings };
  const tellsLoaded = Object.keys(state.baseline.loaded).length > 0;
  const { findUnseen } = await import("@loopwright/workspace/executed");
  const unseen = await withTests(ctx, state, { key: "unseen", snapshot }, async (cell, signal) =>
    findUnseen(cell, { suite: tellsLoaded ? await suiteFiles(cell, state) : true, signal }),
  );
  const settled = await settle(ctx, state, unseen);
  return { ...settled, findings: [...settled.findings, ...findings] };
}

/** What lines that no test executes come to: hard findings, or soft ones where they are let pass. */
async function settle(ctx: CodeContext, { unseen }: CodeState, findings: Finding[]): Promise<Look> {
  // Tests of something else are for nobody to let pass.
  const areOfOther = findings.some(({ code }) => code === "NOTHING_LOADED" || code === "CHANGE_NOT_LOADED");
  if (findings.length === 0 || unseen === "refused" || areOfOther) return { findings };
  const canBeFixed = findings.some(({ fix }) => fix !== undefined);
  if (!ctx.input.allow_unseen && unseen === undefined && canBeFixed) return { findings, unseen: "told" };
  const words = findings.map(({ message }) => message).join("; ");
  const isLetPass = ctx.input.allow_unseen || (await ask(ctx, words)) === "yes";
  if (!isLetPass) return { findings, unseen: "refused" };
  await warn(ctx, "UNSEEN_LET_PASS", `let pass by ${ctx.input.allow_unseen ? "--allow-unseen" : "your yes"}: ${words}`);
  return { findings: findings.map((each) => ({ ...each, severity: "soft" })) };
}

async function ask(ctx: CodeContext, words: string): Promise<string> {
  const { choice } = await ctx.ask({
    name: "unseen-lines",
    question: `Every test passes, but ${words}. Is the change good all the same?`,
    choices: ["yes", "no"],
    default: "no",
  });
  return choice;
}
