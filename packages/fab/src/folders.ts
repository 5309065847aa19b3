// Where the package keeps what is not code. The paths are the same from the sources and from what is built of them.

import { join } from "node:path";

export const gatesFolder = join(import.meta.dirname, "../gates");
export const promptsFolder = join(import.meta.dirname, "../prompts");
export const playbookFile = join(import.meta.dirname, "../playbook.yaml");
/** What a new project is given. */
export const projectFolder = join(import.meta.dirname, "../project");
export const templatesFolder = join(import.meta.dirname, "../templates");
