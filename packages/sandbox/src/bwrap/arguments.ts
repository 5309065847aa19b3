// What bwrap is told for one job. Order matters: what comes later is mounted over what came before.
//
// Of this machine a job sees the system read-only, Node and Python wherever they lie, and of /etc what programs cannot do without. No
// home folder, no /var, no /run.

import { execFile } from "node:child_process";
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
import type { Protection } from "../protect.ts";
import type { SandboxJob } from "../types.ts";
import { DEVICES } from "./host.ts";

/** Where a job sees its workspace, unless it says otherwise. */
export const WORKSPACE = "/workspace";

/** The descriptors that bwrap reads from and reports on. */
export const descriptors = { arguments: 3, status: 4, passwd: 5, group: 6, hosts: 7 };

/** Files of /etc that are a job's own. */
export const etcFiles = {
  passwd: "loop:x:1000:1000::/tmp:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n",
  group: "loop:x:1000:\nnogroup:x:65534:\n",
  hosts: "127.0.0.1 localhost\n::1 localhost\n",
};

/** What says where names are looked up, and which certificates hold. */
const NAMES = ["/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/pki/ca-trust/extracted"];
/** What tells programs how to reach the network here, and where packages come from. */
const NETWORK =
  /^(?:https?_proxy|no_proxy|ssl_cert_file|node_extra_ca_certs|pip_(?:index_url|cert)|npm_config_registry)$/i;

const SHM_BYTES = 64 * 2 ** 20;
const ISOLATION = [
  ...["--unshare-user", "--unshare-all", "--disable-userns", "--uid", "1000", "--gid", "1000", "--hostname", "loop"],
  ...["--cap-drop", "ALL", "--new-session", "--die-with-parent", "--clearenv"],
];

/** What of a job's surroundings does not change from job to job. */
export interface Surroundings {
  system: System;
  /** A folder with device nodes of our own, where those of the machine would be the job's to change. */
  devices: string | undefined;
}

/** The arguments for a job, up to its command. */
export function bwrapArguments(
  job: SandboxJob,
  workspace: string,
  protection: Protection,
  surroundings: Surroundings,
): string[] {
  const { system, devices } = surroundings;
  const { inside = WORKSPACE } = job;
  const tmpBytes = String(job.limits.fileBytes);
  return [
    ...[...ISOLATION, ...(job.network ? ["--share-net"] : [])],
    ...["--json-status-fd", String(descriptors.status)],
    // Before the folders of the machine, some of which may lie under it.
    ...["--size", tmpBytes, "--perms", "1777", "--tmpfs", "/tmp"],
    ...system.arguments,
    ...(["passwd", "group", "hosts"] as const).flatMap((name) => ["--file", String(descriptors[name]), `/etc/${name}`]),
    ...(job.network ? NAMES.flatMap((path) => ["--ro-bind-try", path, path]) : []),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...(devices ? Object.keys(DEVICES).flatMap((name) => ["--dev-bind", `${devices}/${name}`, `/dev/${name}`]) : []),
    ...["--size", String(SHM_BYTES), "--perms", "1777", "--tmpfs", "/dev/shm"],
    ...["--bind", workspace, inside, ...protectionArguments(workspace, inside, protection)],
    // A writable folder may hold files that are not.
    ...Object.entries(job.writable ?? {}).flatMap(([path, folder]) => ["--bind", folder, path]),
    ...Object.entries(job.mounts ?? {}).flatMap(([path, folder]) => ["--ro-bind", folder, path]),
    ...(job.scratch ?? []).flatMap((path) => ["--size", tmpBytes, "--tmpfs", path]),
    // Files of the kernel's that belong to root are a job's to change where root runs it.
    ...["/proc", "/dev", "/"].flatMap((path) => ["--remount-ro", path]),
    ...["--chdir", inside],
    ...Object.entries(jobEnvironment(job, system.path)).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

/** The environment of a job: nothing is inherited. */
export function jobEnvironment(job: SandboxJob, path: string): Record<string, string> {
  const network = job.network ? Object.entries(process.env).filter(([name]) => NETWORK.test(name)) : [];
  const own = { PATH: path, HOME: "/tmp", TMPDIR: "/tmp", LANG: "C.UTF-8", USER: "loop", SHELL: "/bin/sh" };
  return { ...own, ...(Object.fromEntries(network) as Record<string, string>), ...job.env };
}

/** Read-only paths, and their parent folders mounted on themselves: a mount point can be neither renamed nor removed. */
function protectionArguments(workspace: string, inside: string, { readOnly, found }: Protection): string[] {
  const masked = found.special;
  const parents = new Set([...readOnly, ...masked].flatMap(parentsOf));
  const mounts = [
    ...[...parents].map((path) => ({ path, how: ["--bind", `${workspace}/${path}`] })),
    ...readOnly.map((path) => ({ path, how: ["--ro-bind", `${workspace}/${path}`] })),
    ...masked.map((path) => ({ path, how: ["--ro-bind", "/dev/null"] })),
  ];
  return mounts.sort((a, b) => depth(a.path) - depth(b.path)).flatMap(({ path, how }) => [...how, `${inside}/${path}`]);
}

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === "." ? [] : [parent, ...parentsOf(parent)];
}

function depth(path: string): number {
  return path.split(sep).length;
}

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
