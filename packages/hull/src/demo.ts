// The task that comes with the package, for whoever wants to watch the loop with nothing else installed.

import { join } from "node:path";
import type { HullTask } from "./task.ts";
import { loadTask } from "./task-file.ts";

/** The demo's task. The path is the same from the sources and from what is built of them. */
export function demoTask(): Promise<HullTask> {
  return loadTask(join(import.meta.dirname, "../demo/task.yaml"));
}
