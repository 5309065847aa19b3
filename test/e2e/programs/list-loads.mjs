// Prints to stderr, at the end, every file of a package of ours that was loaded: `node --import list-loads.mjs …`; or as lines of the
// file that LOADS_FILE names, from each process and thread.

import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const loaded = [];
registerHooks({
  load(url, context, next) {
    const path = /\/packages\/([^/]+\/(?:bin|src|dist)\/.*)$/.exec(url)?.[1];
    if (path !== undefined) loaded.push(path);
    if (path !== undefined && process.env.LOADS_FILE) appendFileSync(process.env.LOADS_FILE, `${path}\n`);
    return next(url, context);
  },
});
process.on("exit", () => {
  if (!process.env.LOADS_FILE) process.stderr.write(`loaded ${JSON.stringify(loaded)}\n`);
});
