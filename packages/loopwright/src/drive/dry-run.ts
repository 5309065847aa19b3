// `--dry-run` of a command that would drive a run: what it would be given, with nothing called and nothing written.

import { type Ceilings, checkCeilings, type Json, type Loop, resolveCeilings } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { ceilingWords } from "../display/event-lines.ts";

export interface Plan {
  ceilings: Partial<Ceilings>;
  config: Json;
  input: Json;
  seed?: number;
}

/** Prints the plan of a run. */
export async function showPlan(cli: Cli, loop: Loop, { ceilings, config, input, seed }: Plan): Promise<number> {
  const limits = resolveCeilings(loop.ceilings, checkCeilings(ceilings));
  const { files } = await cli.configuration();
  const { terminal } = cli;
  const plan = { loop: loop.name, version: loop.version, phases: Object.keys(loop.phases), start: loop.start };
  if (terminal.isJson) {
    terminal.document("plan", { ...plan, ceilings: limits, config, input, seed: seed ?? null, files, dir: cli.dir });
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
  ];
  for (const [name, value] of rows) terminal.print(`${terminal.style("dim", name!.padEnd(14))}${value}`);
  terminal.print("Nothing was called and nothing was written.");
  return 0;
}

function shorten(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
