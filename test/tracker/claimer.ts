// A process that claims issues one after the other and says which; at the end it holds what it has until it is killed.

import { openTracker } from "@loopwright/tracker";

const [dir] = process.argv.slice(2) as [string];
const tracker = await openTracker({ dir });
for (let ready = await tracker.ready(); ready[0]; ready = await tracker.ready())
  if (await tracker.claim(ready[0].id)) console.log(ready[0].id);
console.log("none");
setInterval(() => {}, 1000);
