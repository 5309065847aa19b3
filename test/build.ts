// Compiles the program once before the tests: they start the real binary, which runs dist/. Type errors are the business of
// `npm run check`.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export default function setup(): void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
  const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
  if (status !== 0 && !existsSync(new URL("../dist/cli/main.js", import.meta.url)))
    throw new Error("dist/ could not be built");
}
