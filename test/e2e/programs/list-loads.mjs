// Prints to stderr, at the end, every file of a package of ours that was loaded: `node --import list-loads.mjs …`

import { registerHooks } from "node:module";

const loaded = [];
registerHooks({
  load(url, context, next) {
    const path = /\/packages\/([^/]+\/(?:src|dist)\/.*)$/.exec(url)?.[1];
    if (path !== undefined) loaded.push(path);
    return next(url, context);
  },
});
process.on("exit", () => process.stderr.write(`loaded ${JSON.stringify(loaded)}\n`));
