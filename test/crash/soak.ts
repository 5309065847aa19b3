// `npm run soak` runs all; `npm run soak -- engine|spending|demo|scores|hull|hull-kills|fab|fab-kills|fab-repairs|novel [flags]` one of them.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const soaks = [
  "engine",
  "spending",
  "demo",
  "scores",
  "hull",
  "hull-kills",
  "fab",
  "fab-kills",
  "fab-repairs",
  "novel",
];
const [name, ...flags] = process.argv.slice(2);
const isNamed = name !== undefined && soaks.includes(name);
if (name !== undefined && !isNamed) {
  console.error(
    "usage: npm run soak [-- engine [--points N] | -- spending [--runs N] | -- demo [--kills N] | -- scores [--processes N] [--flags F] | -- hull [--targets N] | -- hull-kills | -- fab [--issues N] | -- fab-kills | -- fab-repairs | -- novel]",
  );
  process.exit(2);
}
for (const soak of isNamed ? [name] : soaks) {
  const file = fileURLToPath(new URL(`./${soak}-soak.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, ["--conditions=loopwright-source", file, ...flags], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
