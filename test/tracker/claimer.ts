// A process that claims issues one after the other and says which; at the end it holds what it has until it is killed.

import { openTracker } from "@loopwright/tracker";

const [dir] = process.argv.slice(2) as [string];
const tracker = await openTracker({ dir });
for (let issue = await tracker.claimNext(); issue; issue = await tracker.claimNext()) console.log(issue.id);
console.log("none");
setInterval(() => {}, 1000);
