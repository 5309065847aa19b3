// A program run as a user who is not root, where root runs the tests.

import { spawn } from "node:child_process";
import { once } from "node:events";

export const mayChangeUser = process.getuid?.() === 0;

/** What a program of ours prints when an ordinary user runs it. */
export async function runAsOrdinaryUser(program: URL): Promise<string> {
  const child = spawn(process.execPath, ["--conditions=loopwright-source", program.pathname], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
    uid: 65534,
    gid: 65534,
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await once(child, "close");
  return output;
}
