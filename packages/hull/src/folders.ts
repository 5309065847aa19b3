// Where the package keeps what is not code. The paths are the same from the sources and from what is built of them.

import { join } from "node:path";

export const demoFolder = join(import.meta.dirname, "../demo");
export const promptsFolder = join(import.meta.dirname, "../prompts");
export const programsFolder = join(import.meta.dirname, "../programs");
export const templatesFolder = join(import.meta.dirname, "../templates/hull");
