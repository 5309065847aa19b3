// A process that works round after round, and says which is done.

import { openTracker } from "@loopwright/tracker";
import { work } from "./work.ts";

const [dir, rounds] = process.argv.slice(2) as [string, string];
const tracker = await openTracker({ dir });
for (let round = 0; round < Number(rounds); round++) {
  await work(tracker, round);
  console.log(round);
}
await tracker.close();
