// `npm run soak -- scores [--processes 200] [--at-once 8] [--flags "--no-maglev"]`: the same hulls, measured in many processes at
// once on a machine that is kept busy by them. Every mesh, mask and score must be what the interpreter alone makes of it; where one
// is not, it says which, and whether it comes out right when it is made again. A process that fails counts as neither.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { randomStream } from "@loopwright/core";
import { demoTask } from "@loopwright/hull";
import { silhouette } from "@loopwright/mesh";
import { coarseGrid, loft } from "../../packages/hull/src/loft/loft.ts";
import { parameters, pointToParameters } from "../../packages/hull/src/loft/parameters.ts";
import { threeMasks } from "../../packages/hull/src/measure/references.ts";
import { referenceViews } from "../../packages/hull/src/measure/score.ts";
import { makeObjective } from "../../packages/hull/src/search/objective.ts";

const HULLS = 90;
const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "200" },
    "at-once": { type: "string", default: "8" },
    flags: { type: "string", default: "" },
    "one-process": { type: "boolean", default: false },
  },
});

if (values["one-process"]) console.log(JSON.stringify(await measureHulls()));
else process.exitCode = (await compareProcesses()) ? 0 : 1;

/** For each hull: the digests of its mesh and of its three masks, and its score; each with what a second time gives. */
async function measureHulls(): Promise<Record<string, [first: string, again: string]>[]> {
  const { frame, ...task } = await demoTask();
  const objective = makeObjective(threeMasks(task, task.search.size), frame);
  const random = randomStream("scores soak");
  const twice = (make: () => string): [string, string] => [make(), make()];
  return Array.from({ length: HULLS }, () => {
    const point = parameters.map(() => Math.min(1, Math.max(0, 1.2 * random() - 0.1)));
    const mesh = loft(pointToParameters(point), coarseGrid);
    const masks = referenceViews.map((view) => [
      view,
      twice(() => digest(silhouette(mesh, view, frame, task.search.size).data)),
    ]);
    return {
      mesh: twice(() => digest(loft(pointToParameters(point), coarseGrid).positions)),
      ...Object.fromEntries(masks),
      score: twice(() => String(objective(point))),
    };
  });
}

function digest({ buffer, byteOffset, byteLength }: Uint8Array | Float32Array): string {
  return createHash("sha256")
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest("hex");
}

async function compareProcesses(): Promise<boolean> {
  const wanted = await startProcess(["--no-opt", "--no-maglev"]);
  const [total, flags] = [Number(values.processes), values.flags.split(" ").filter(Boolean)];
  let [started, right, wrong, failed] = [0, 0, 0, 0];
  const work = async () => {
    while (started < total) {
      started += 1;
      try {
        const differences = compare(await startProcess(flags), wanted);
        for (const line of differences) console.error(line);
        if (differences.length > 0) wrong += 1;
        else right += 1;
      } catch (error) {
        failed += 1;
        console.error(`a process failed: ${(error as Error).message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Number(values["at-once"]) }, work));
  console.log(JSON.stringify({ processes: total, right, wrong, failed, flags }));
  return right === total;
}

type Measured = Awaited<ReturnType<typeof measureHulls>>;

function compare(seen: Measured, wanted: Measured): string[] {
  return seen.flatMap((hull, at) =>
    Object.entries(hull).flatMap(([what, results]) =>
      results.flatMap((result, time) =>
        result === wanted[at]![what]![0]
          ? []
          : [`hull ${at}, ${what}, ${time === 0 ? "first" : "second"} time: ${result} for ${wanted[at]![what]![0]}`],
      ),
    ),
  );
}

async function startProcess(flags: readonly string[]): Promise<Measured> {
  const args = [...flags, "--conditions=loopwright-source", fileURLToPath(import.meta.url), "--one-process"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}
