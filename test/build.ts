// Compiles the program once before the tests: they start the real binary, which runs dist/. Type errors are the business of
// `npm run check`. It is built aside and put in place at once, so that another test run under way is hardly disturbed.

import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export default function setup(): void {
  const fresh = at(`dist.${process.pid}`);
  const args = [at("node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json", "--outDir", fresh];
  spawnSync(process.execPath, args, { cwd: at("."), stdio: "inherit" });
  if (!existsSync(`${fresh}/cli/main.js`)) throw new Error("the program could not be built");
  const stale = `${fresh}.old`;
  if (existsSync(at("dist"))) renameSync(at("dist"), stale);
  renameSync(fresh, at("dist"));
  rmSync(stale, { recursive: true, force: true });
}
