// The program that comes with the package, for whoever wants to watch a repair.

import { join } from "node:path";

/** The demo's program and its tests. The path is the same from the sources and from what is built of them. */
export const demoFolder = join(import.meta.dirname, "../demo");
