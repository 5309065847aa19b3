// What of this machine a job sees: the system read-only, Node and Python wherever they lie, and of /etc what programs
// cannot do without. No home folder, no /var, no /run.

import { execFile } from "node:child_process";
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The folders of programs, as arguments of bwrap, and the PATH to find them. */
export interface System {
  arguments: string[];
  path: string;
}

const ROOT_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Every mount costs a job time, so these are few. */
const ETC_PATHS = ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/certs", "/etc/pki/tls/certs"];
const STORES = ["/nix/store", "/gnu/store"];

/** Finds the system's folders and the toolchains, and the further folders that the user names. */
export async function findSystem(further: readonly string[]): Promise<System> {
  const found = ["--ro-bind", "/usr", "/usr"];
  for (const folder of ROOT_FOLDERS.filter((path) => existsSync(path))) {
    if (lstatSync(folder).isSymbolicLink()) found.push("--symlink", readlinkSync(folder), folder);
    else found.push("--ro-bind", folder, folder);
  }
  for (const path of [...ETC_PATHS, ...STORES].filter((path) => existsSync(path))) found.push("--ro-bind", path, path);
  found.push("--ro-bind", realpathSync(process.execPath), "/toolchain/bin/node");

  const path = ["/toolchain/bin"];
  const python = await findPython();
  if (python && !isSeen(python.base)) {
    // Its own place serves scripts and virtual environments that name it; the fixed one keeps the user's paths out of sight.
    found.push("--ro-bind", python.base, python.base, "--ro-bind", python.base, "/toolchain/python");
    path.push("/toolchain/python/bin");
  }
  if (python && python.prefix !== python.base && !isSeen(python.prefix)) {
    found.push("--ro-bind", python.prefix, python.prefix);
    path.splice(1, 0, join(python.prefix, "bin"));
  }
  for (const folder of further) found.push("--ro-bind", folder, folder);
  return { arguments: found, path: [...path, "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"].join(":") };
}

const PYTHON_QUESTION = "import json, sys; print(json.dumps([sys.base_prefix, sys.prefix]))";

/** Where the user's Python has its library; a shim of a version manager is asked, not mounted. */
async function findPython(): Promise<{ base: string; prefix: string } | undefined> {
  const text = await new Promise<string>((resolve) =>
    execFile("python3", ["-I", "-c", PYTHON_QUESTION], { timeout: 10_000, cwd: "/" }, (error, stdout) =>
      resolve(error ? "" : stdout),
    ),
  );
  if (text === "") return undefined;
  const [base, prefix] = (JSON.parse(text) as string[]).map((path) => realpathSync(path));
  return isTooWide(base!) || isTooWide(prefix!) ? undefined : { base: base!, prefix: prefix! };
}

function isSeen(path: string): boolean {
  return path === "/usr" || path.startsWith("/usr/") || STORES.some((store) => path.startsWith(`${store}/`));
}

/** Whether a folder holds more than a Python: a home folder, or the whole machine. */
function isTooWide(path: string): boolean {
  return path === "/" || `${homedir()}/`.startsWith(`${path}/`);
}
