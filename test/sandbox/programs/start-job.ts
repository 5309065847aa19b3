// Runs one shell script in the sandbox, in the workspace given, and prints its output.

import { openSandbox } from "@loopwright/sandbox";
import { LIMITS } from "../attempt.ts";

const [workspace, script] = process.argv.slice(2);
const sandbox = await openSandbox("bwrap");
const { output } = await sandbox.run({
  command: ["sh", "-c", script!],
  workspace: workspace!,
  readOnly: [],
  limits: LIMITS,
  signal: new AbortController().signal,
});
process.stdout.write(output);
