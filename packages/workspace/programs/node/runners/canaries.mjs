// Loaded before a test file: tests of ours come at its end, on its last line, so that no other line has another number.

import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const own = new URL("canary-tests.mjs", import.meta.url).href;
const file = pathToFileURL(process.argv[1] ?? "").href;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url !== file || loaded.source == null) return loaded;
    return { ...loaded, source: `${Buffer.from(loaded.source).toString("utf8")}\n;import(${JSON.stringify(own)});` };
  },
});
