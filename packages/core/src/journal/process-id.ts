// Who holds a run, and whether that process still lives (L4).
//
// On one host liveness decides, at once: the same boot, the same pid namespace, and a process of that pid which
// started then and is no zombie. Anything else is elsewhere, and there only silence tells. Only what is known to be gone is
// dead: a process that cannot be looked at (no /proc, no right to read it, no file descriptor left) counts as alive.

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessId } from "../ports.ts";

const isLinux = process.platform === "linux";
const ZOMBIE = "zombie";

/** This process. */
export function thisProcess(): ProcessId {
  return {
    host: hostname(),
    boot: readOr("/proc/sys/kernel/random/boot_id", hostname()),
    namespace: linkOr("/proc/self/ns/pid", ""),
    pid: process.pid,
    started: startOf(process.pid) ?? "",
    opening: randomUUID(),
  };
}

/** "dead" or "alive" for a process of this host and namespace, "elsewhere" for one that cannot be seen from here. */
export function lifeOf(holder: ProcessId, self: ProcessId): "alive" | "dead" | "elsewhere" {
  if (holder.boot !== self.boot || holder.namespace !== self.namespace) return "elsewhere";
  // On Linux two containers may both not know theirs.
  if (isLinux && holder.namespace === "") return "elsewhere";
  const started = startOf(holder.pid);
  if (started === undefined || (started !== ZOMBIE && holder.started === "")) return isThere(holder.pid);
  return started === holder.started ? "alive" : "dead";
}

/** When a process started; undefined where that cannot be told. */
function startOf(pid: number): string | undefined {
  if (!isLinux) return startByPs(pid);
  const stat = readOr(`/proc/${pid}/stat`, "");
  // The name stands in parentheses and may hold anything, so the fields are counted after the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  return state && "ZX".includes(state) ? ZOMBIE : started;
}

function startByPs(pid: number): string | undefined {
  try {
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    if (line === "") return undefined;
    return line.startsWith("Z") ? ZOMBIE : line.replace(/^\S+\s+/, "");
  } catch {
    return undefined;
  }
}

/** Asks the kernel, which needs no file: whether there is a process of this number. */
function isThere(pid: number): "alive" | "dead" {
  try {
    process.kill(pid, 0);
    return "alive";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH" ? "dead" : "alive";
  }
}

function readOr(path: string, fallback: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return fallback;
  }
}

function linkOr(path: string, fallback: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return fallback;
  }
}
