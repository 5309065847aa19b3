// Compiles the packages once before the tests: they start the real binary, which runs what is built. Type errors are the
// business of `npm run check`. Only what has changed is written, so that another test run under way is hardly disturbed.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export default function setup(): void {
  const args = [at("node_modules/typescript/bin/tsc"), "-b", "tsconfig.build.json"];
  spawnSync(process.execPath, args, { cwd: at("."), stdio: "inherit" });
  if (!existsSync(at("packages/loopwright/dist/main.js"))) throw new Error("the program could not be built");
}
