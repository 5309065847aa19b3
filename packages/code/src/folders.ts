// Where the package keeps what is not code. The paths are the same from the sources and from what is built of them.

import { join } from "node:path";

/** The folder of the loop's prompts. */
export const promptsFolder = join(import.meta.dirname, "../prompts");
/** The folder of what `init` writes. */
export const templatesFolder = join(import.meta.dirname, "../templates/code");

const demoFolder = join(import.meta.dirname, "../demo");
/** The repository of the demo, and the answers that a model gave for it. */
export const demoRepository = join(demoFolder, "harbor");
export const demoCassette = join(demoFolder, "cassette.json");
