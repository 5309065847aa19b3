// Paths of a folder that a job can write, taken step by step from the folder that is open.

import { isCode, type Name, type OpenFolder } from "./open-folder.ts";

/** How a step is taken where there is no folder of that name. */
type Otherwise = (folder: OpenFolder, name: string, path: string) => OpenFolder | undefined;

/** Does something where a path's last name lies; undefined where a folder on the way is none. */
export function reach<Result>(
  root: OpenFolder,
  path: string,
  work: (folder: OpenFolder, name: string) => Result,
  otherwise: Otherwise = () => undefined,
): Result | undefined {
  const parts = path.split("/");
  const name = parts.pop()!;
  let folder = root;
  try {
    for (const [index, part] of parts.entries()) {
      const next = folder.enter(part) ?? otherwise(folder, part, parts.slice(0, index + 1).join("/"));
      if (!next) return undefined;
      if (folder !== root) folder[Symbol.dispose]();
      folder = next;
    }
    return work(folder, name);
  } finally {
    if (folder !== root) folder[Symbol.dispose]();
  }
}

/** What a path is; undefined where nothing is, or a link or a file is on the way. */
export function lookAt(root: OpenFolder, path: string): ReturnType<OpenFolder["look"]> {
  return reach(root, path, (folder, name) => folder.look(name));
}

/** The first part of a path's folders that is there and is no folder. */
export function blockerIn(root: OpenFolder, path: string): string | undefined {
  let blocker: string | undefined;
  const isBlocked: Otherwise = (folder, name, at) => {
    if (folder.has(name)) blocker = at;
    return undefined;
  };
  reach(root, path, () => undefined, isBlocked);
  return blocker;
}

/** Makes a folder and enters it. One that is made meanwhile serves as well. */
export function makeAndEnter(folder: OpenFolder, name: Name, owner: OpenFolder): OpenFolder | undefined {
  try {
    folder.makeFolder(name);
    folder.chownAs(name, owner);
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
  }
  return folder.enter(name);
}
