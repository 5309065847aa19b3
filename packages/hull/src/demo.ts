// The task that comes with the package, for whoever wants to watch the loop with nothing else installed.

import { join } from "node:path";
import { demoFolder } from "./folders.ts";
import type { HullTask } from "./task.ts";
import { loadTask } from "./task-file.ts";

/** The demo's task. */
export function demoTask(): Promise<HullTask> {
  return loadTask(join(demoFolder, "task.yaml"));
}
