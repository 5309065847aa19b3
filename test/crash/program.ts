// Drives one scenario in a process of its own: starts it or goes on with it, and is killed where it is told to be.
//
//   node test/crash/program.ts <scenario> <dir> [before|after <nth commit>]
//
// Prints one line of JSON when it lets go of the run.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Journal } from "@loopwright/core";
import { Project, projectPorts } from "loopwright";
import { FakeCell, outsideIn, scenarios } from "./scenarios.ts";

const [name, dir, side, count] = process.argv.slice(2) as [string, string, string | undefined, string | undefined];
const outside = join(dir, "outside");
mkdirSync(outside, { recursive: true });
const scenario = scenarios(outsideIn(outside))[name]!;
const ports = await projectPorts(dir);
const project = new Project(dir, {
  ...ports,
  journal: killing(ports.journal, side, Number(count)),
  workcells: { fake: async ({ snapshot }) => new FakeCell(snapshot) },
});

const run = (await project.ports.journal.runs()).find((id) => !id.includes("."));
let result =
  run === undefined
    ? await project.start(scenario.loop, { size: scenario.size }, { seed: 7 })
    : await project.resume(scenario.loop, run);
if (result.outcome === "ceiling" && scenario.raiseTo !== undefined) {
  result = await project.resume(scenario.loop, result.run, { ceilings: { iterations: scenario.raiseTo } });
}
await project.close();
console.log(JSON.stringify({ run: result.run, outcome: result.outcome, reason: result.reason, gate: result.gate }));

/** The journal, with a process that dies right before or right after its nth write. */
function killing(journal: Journal, where: string | undefined, nth: number): Journal {
  let writes = 0;
  const writing = new Set(["create", "append", "yield", "acquire"]);
  return new Proxy(journal, {
    get(target, property) {
      const method = Reflect.get(target, property) as (...args: unknown[]) => Promise<unknown>;
      if (typeof method !== "function") return method;
      if (!writing.has(property as string)) return method.bind(target);
      return async (...args: unknown[]) => {
        // Children side by side may begin another one meanwhile.
        const own = ++writes;
        if (where === "before" && own === nth) process.kill(process.pid, "SIGKILL");
        const result = await method.apply(target, args);
        if (where === "after" && own === nth) process.kill(process.pid, "SIGKILL");
        if (where === "count") console.error(`write ${own}`);
        return result;
      };
    },
  });
}
