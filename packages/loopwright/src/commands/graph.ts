// `loopwright graph`: a loop as a Mermaid diagram.

import type { Loop } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { reachedPhases } from "../loops/find-package.ts";

export async function run(cli: Cli): Promise<number> {
  const loop = await (await cli.findPackage(cli.arguments[0]!)).loop();
  const { terminal } = cli;
  if (terminal.isJson)
    terminal.document("graph", { loop: loop.name, version: loop.version, mermaid: loopToMermaid(loop) });
  else terminal.print(loopToMermaid(loop));
  return 0;
}

/** The diagram: an arrow for each transition, a dashed one for each loop whose runs a phase starts. */
export function loopToMermaid({ start, iteration, phases }: Pick<Loop, "start" | "iteration" | "phases">): string {
  const lines = ["flowchart TD", `  start((start)) --> ${node(start)}`];
  for (const name of reachedPhases({ start, phases })) {
    const { to, spawns = [], handsOnTo = [] } = phases[name]!;
    for (const target of to) lines.push(`  ${node(name)} --> ${node(target)}`);
    for (const child of spawns) lines.push(`  ${node(name)} -.-> ${id(`loop ${child}`)}[["${child}"]]`);
    for (const target of handsOnTo) lines.push(`  ${node(name)} -. a new run .-> ${node(target)}`);
    if (to.length + handsOnTo.length === 0) lines.push(`  ${node(name)} --> stop((stop))`);
  }
  lines.push(`  style ${id(iteration)} stroke-width:3px`);
  return lines.join("\n");
}

/** A phase as Mermaid names it; its name may be a word that Mermaid keeps for itself. */
function node(phase: string): string {
  return `${id(phase)}["${phase.replaceAll('"', "#quot;")}"]`;
}

function id(name: string): string {
  return `p_${name.replaceAll(/[^A-Za-z0-9]/g, "_")}`;
}
