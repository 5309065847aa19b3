// Starts a scenario, or goes on with it, until it lets go of its run.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Journal } from "@loopwright/core";
import { Project, projectPorts } from "loopwright";
import { FakeCell, outsideIn, scenarios } from "./scenarios.ts";

export interface Driven {
  run: string;
  gate?: { name: string };
}

export async function drive(name: string, dir: string, wrap = (journal: Journal) => journal): Promise<Driven> {
  const outside = join(dir, "outside");
  mkdirSync(outside, { recursive: true });
  const scenario = scenarios(outsideIn(outside))[name]!;
  const ports = await projectPorts(dir);
  const project = new Project(dir, {
    ...ports,
    journal: wrap(ports.journal),
    workcells: { fake: async ({ snapshot }) => new FakeCell(snapshot) },
  });
  try {
    const run = (await project.ports.journal.runs()).find((id) => !id.includes("."));
    let result =
      run === undefined
        ? await project.start(scenario.loop, { size: scenario.size }, { seed: 7 })
        : await project.resume(scenario.loop, run);
    if (result.outcome === "ceiling" && scenario.raiseTo !== undefined) {
      result = await project.resume(scenario.loop, result.run, { ceilings: { iterations: scenario.raiseTo } });
    }
    return { run: result.run, ...(result.gate ? { gate: { name: result.gate.name } } : {}) };
  } finally {
    await project.close();
  }
}
