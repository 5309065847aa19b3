// `--dry-run` of a command that would drive a run: what it would be given, and its first prompt. No model is called and nothing is left behind.

import {
  type Ceilings,
  checkCeilings,
  type FirstPrompt,
  type Json,
  type Loop,
  resolveCeilings,
} from "@loopwright/core";
import { plainLine, printPrompt, promptHead } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { ceilingWords } from "../display/words.ts";
import { reachedPhases } from "../loops/find-package.ts";

export interface Plan {
  ceilings: Partial<Ceilings>;
  config: Json;
  input: Json;
  seed?: number;
}

/** Prints the plan of a run, with its first prompt or why there is none. */
export async function showPlan(
  cli: Cli,
  loop: Loop,
  { ceilings, config, input, seed }: Plan,
  first: FirstPrompt | { reason: string },
): Promise<number> {
  const limits = resolveCeilings(loop.ceilings, checkCeilings(ceilings));
  const { files } = await cli.configuration();
  const { terminal } = cli;
  const plan = { loop: loop.name, version: loop.version, phases: reachedPhases(loop), start: loop.start };
  if (terminal.isJson) {
    const prompt = "reason" in first ? { prompt: null, promptReason: first.reason } : { prompt: first };
    terminal.document("plan", {
      ...{ ...plan, ceilings: limits, config, input, seed: seed ?? null, files, dir: cli.dir },
      ...prompt,
    });
    return 0;
  }
  const rows = [
    ["loop", `${loop.name} (version ${loop.version})`],
    ["phases", plan.phases.join(", ")],
    ["first", loop.start],
    ["ceilings", ceilingWords(limits)],
    ["seed", seed === undefined ? "chosen when it starts" : String(seed)],
    ["configuration", files.length > 0 ? files.join(", ") : "no file"],
    ["settings", JSON.stringify(config)],
    ["input", shorten(JSON.stringify(input))],
    ["folder", cli.dir],
    ["first prompt", "reason" in first ? `not shown: ${plainLine(first.reason)}` : promptHead(first)],
  ];
  for (const [name, value] of rows) terminal.print(`${terminal.style("dim", name!.padEnd(14))}${value}`);
  if (!("reason" in first)) printPrompt(terminal, first);
  terminal.print(
    "reason" in first
      ? "Nothing was called and nothing was written."
      : "No model was called, and nothing of it is left on the disk.",
  );
  return 0;
}

function shorten(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
