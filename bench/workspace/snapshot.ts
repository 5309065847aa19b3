// Takes a snapshot in a process of its own, and prints how long that took: snapshot.ts FOLDER GIT_DIR

import { Snapshots } from "../../packages/workspace/src/snapshots/snapshots.ts";

const [folder, gitDir] = process.argv.slice(2) as [string, string];
const snapshots = new Snapshots({ folder, gitDir });
const start = performance.now();
await snapshots.take("fresh");
console.log(performance.now() - start);
