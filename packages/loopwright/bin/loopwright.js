#!/usr/bin/env node
// Starts Loopwright on a Node that is new enough: this one, or the one that the project brings along.
// It is read by old versions of Node too, so it keeps to plain words.

import { existsSync, readFileSync } from "node:fs";
import * as modules from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const NEEDED = 24;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const major = Number(process.versions.node.split(".")[0]);

const words = process.argv.slice(2);
if (words.some((word) => ["--version", "-v", "-V"].includes(word)) && words.every((word) => word.startsWith("-"))) {
  console.log(JSON.parse(readFileSync(here("../package.json"), "utf8")).version);
} else if (major < NEEDED) {
  await startOnBroughtNode();
} else if (!existsSync(here("../dist/main.js"))) {
  console.error("loopwright: it is not built yet; run `npm run build` in its folder first.");
  process.exitCode = 1;
} else {
  dieWithStarter();
  // Scores came out wrong now and then on busy machines, and never without this compiler (docs/decisions/2026-11-16-same-bytes.md).
  setFlagsFromString("--no-maglev");
  modules.enableCompileCache?.();
  const { main } = await import("../dist/main.js");
  await main(process.argv.slice(2));
}

/** Runs this file again on the Node among the dependencies, and ends as it ends. */
async function startOnBroughtNode() {
  const places = ["../../../node_modules/node/bin/node", "../../node/bin/node"];
  const brought = places.flatMap((place) => [here(place), here(`${place}.exe`)]).find((path) => existsSync(path));
  if (brought === undefined || process.env.LOOPWRIGHT_STARTED) {
    console.error(
      `loopwright: it needs Node ${NEEDED} or newer and this is ${process.versions.node}; install a newer one, or run \`npm install node@26\` here.`,
    );
    process.exitCode = 1;
    return;
  }
  const { spawn } = await import("node:child_process");
  const child = spawn(brought, [here("loopwright.js"), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, LOOPWRIGHT_STARTED: String(process.pid) },
  });
  // Ctrl-C reaches the child by itself, since it shares the terminal; the others are sent to this process alone.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`loopwright: ${brought} does not start (${error.message}); install Node ${NEEDED} or newer.`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exitCode = code;
  });
}

/** A program that was started by an older Node's process ends with it, however that one ends. */
function dieWithStarter() {
  if (!process.env.LOOPWRIGHT_STARTED || !process.channel) return;
  delete process.env.LOOPWRIGHT_STARTED;
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.channel.unref();
}
