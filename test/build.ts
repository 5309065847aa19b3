// Builds the packages once before the tests, as `npm run build` does: tests start the real binary, which runs what is built.
// Type errors are the business of `npm run check`. Only what has changed is written, so that another test run under way is
// hardly disturbed.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export default function setup(): void {
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: at("."), stdio: "inherit" });
  run(at("node_modules/typescript/bin/tsc"), "-b", "tsconfig.build.json");
  if (run(at("scripts/vendor.ts")).status !== 0) throw new Error("the vendor folders could not be filled");
  if (!existsSync(at("packages/loopwright/dist/main.js"))) throw new Error("the program could not be built");
}
