// How the warm worker for node --test keeps its copy of the workspace: versions are written into it, and everything is put
// back.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** A change time cannot be set by a program, so a stamp cannot be forged. */
const stampOf = (found) =>
  found.isDirectory()
    ? `folder:${found.mode}`
    : [found.mode, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":");

export class Copy {
  #stamps = new Map();

  constructor({ workspace, pristine, temporary, left }) {
    Object.assign(this, { root: workspace, pristine, left: new Set(left) });
    this.temporary = temporary.map((folder) => ({ folder, known: new Set(pathsIn(folder)) }));
    this.#list("", (path, found) => {
      this.#stamps.set(path, stampOf(found));
      return true;
    });
  }

  #list(folder, visit) {
    for (const name of readdirSync(join(this.root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (this.left.has(path)) continue;
      const found = lstatSync(join(this.root, path), { bigint: true });
      if (visit(path, found) && found.isDirectory()) this.#list(path, visit);
    }
  }

  /** Writes a version's files; false where one has no place. */
  write(files) {
    try {
      for (const [path, content] of files) {
        mkdirSync(dirname(join(this.root, path)), { recursive: true });
        writeFileSync(join(this.root, path), content);
      }
      return true;
    } catch {
      return false;
    }
  }

  restore() {
    for (const { folder, known } of this.temporary)
      for (const path of pathsIn(folder)) if (!known.has(path)) remove(path);
    if ((lstatSync(this.root).mode & 0o700) !== 0o700) chmodSync(this.root, 0o755);
    const seen = new Set();
    this.#list("", (path, found) => this.#check(path, found, seen));
    for (const path of [...this.#stamps.keys()].sort()) if (!seen.has(path)) this.#putBack(path);
  }

  /** Whether an entry is as it was; a folder's mode is fixed, anything else that is not goes. */
  #check(path, found, seen) {
    const was = this.#stamps.get(path);
    const isFolder = was?.startsWith("folder:") && found.isDirectory();
    if (isFolder && was !== stampOf(found)) chmodSync(join(this.root, path), Number(was.slice(7)) & 0o7777);
    if (isFolder || was === stampOf(found)) {
      seen.add(path);
      return true;
    }
    remove(join(this.root, path));
    return false;
  }

  #putBack(path) {
    const [source, target] = [join(this.pristine, path), join(this.root, path)];
    const found = lstatSync(source);
    if (found.isDirectory()) mkdirSync(target);
    else if (found.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      copyFileSync(source, target);
      utimesSync(target, found.atime, found.mtime);
    }
    if (!found.isSymbolicLink()) chmodSync(target, found.mode & 0o7777);
    this.#stamps.set(path, stampOf(lstatSync(target, { bigint: true })));
  }
}

/** What is in a temporary folder, parents first; what is mounted there is the machine's, and not looked into. */
function* pathsIn(folder) {
  const { dev } = lstatSync(folder);
  const waiting = [folder];
  while (waiting.length > 0) {
    const at = waiting.pop();
    for (const name of readdirSync(at)) {
      const path = join(at, name);
      yield path;
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found?.isDirectory() && found.dev === dev) waiting.push(path);
    }
  }
}

function remove(path) {
  try {
    if (!lstatSync(path).isDirectory()) return unlinkSync(path);
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    spawnSync("chmod", ["-R", "u+rwX", "--", path]);
    spawnSync("rm", ["-rf", "--", path]);
    if (lstatSync(path, { throwIfNoEntry: false })) throw error;
  }
}
