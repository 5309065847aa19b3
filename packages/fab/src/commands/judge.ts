// `loopwright fab judge`: one asset, one gate, one verdict.

import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type CommandContext, type RunResult, UsageError, usage } from "@loopwright/core";
import { gateIds, loadGate } from "../gate/load.ts";
import type { JudgeState } from "../task.ts";
import { verdictToLines } from "./words.ts";

export async function runJudge(context: CommandContext): Promise<number> {
  const [, given] = context.arguments;
  const file = resolve(given!);
  if (!existsSync(file))
    throw new UsageError("IMPORT_FILE_NOT_FOUND", `there is no file ${file}: name a binary glTF (.glb)`);
  const name = context.text("gate");
  if (name === undefined)
    throw usage("--gate is missing: which gate shall it pass?", `known are ${gateIds(context.dir).join(", ")}`);
  const gate = await loadGate(name, context.dir);
  const prompt = context.text("prompt")?.trim();
  const { exitCode } = await context.driver.start(
    { file, gate, profile: context.text("profile") ?? "standard", ...(prompt && { prompt }) },
    {
      slug: `judge-${basename(file)}`,
      opening: [`${basename(file)} at the gate ${gate.gate_config_id}`],
      closing: (result) => closing(context, result),
    },
  );
  return exitCode;
}

function closing({ terminal }: CommandContext, { state }: RunResult): string[] | undefined {
  const { verdict } = state as JudgeState;
  return verdict && verdictToLines(verdict, (style, text) => terminal.style(style, text));
}
