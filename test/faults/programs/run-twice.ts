// Drives `fill` to its end, waits until a file is there, and drives it again with the same input: the same values.
//
//   node run-twice.ts '{ "dir": …, "go": …, "input": … }'

import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { openProject } from "loopwright";
import { fill } from "./loops.ts";

const { dir, go, input } = JSON.parse(process.argv[2]!);
await using project = await openProject({ dir });
console.log((await project.start(fill, input, { slug: "first" })).run);
while (!existsSync(go)) await setTimeout(5);
console.log((await project.start(fill, input, { slug: "second" })).run);
