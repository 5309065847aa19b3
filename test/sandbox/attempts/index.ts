// Every attempt to get out of the sandbox.

import type { Attempt } from "../attempt.ts";
import { fileAttempts } from "./files.ts";
import { kernelAttempts } from "./kernel.ts";
import { networkAttempts } from "./network.ts";
import { processAttempts } from "./processes.ts";
import { resourceAttempts } from "./resources.ts";
import { workspaceAttempts } from "./workspace.ts";

export const attempts: Attempt[] = [
  ...networkAttempts,
  ...fileAttempts,
  ...processAttempts,
  ...resourceAttempts,
  ...kernelAttempts,
  ...workspaceAttempts,
];
