#!/usr/bin/env node
// Starts the server. It is read by old versions of Node too, so it keeps to plain words.

const NEEDED = 24;

if (Number(process.versions.node.split(".")[0]) < NEEDED) {
  console.error(`@loopwright/blender: it needs Node ${NEEDED} or newer and this is ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  const { main } = await import("../dist/commands/main.js");
  process.exit(await main(process.argv.slice(2)));
}
