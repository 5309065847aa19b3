// `npm run soak -- novel`: every iteration of `packages/novel/src/crash.test.ts`, killed before and after each of its commits.

import { spawnSync } from "node:child_process";

const { status } = spawnSync("npx", ["vitest", "run", "packages/novel/src/crash.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, SOAK: "novel" },
});
process.exitCode = status ?? 1;
