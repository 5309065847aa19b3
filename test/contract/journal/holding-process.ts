// A process that holds a run: it tells who it is, and lives until it is killed.

import { thisProcess } from "../../../packages/core/src/journal/leases.ts";

console.log(JSON.stringify(thisProcess()));
setInterval(() => {}, 1000);
