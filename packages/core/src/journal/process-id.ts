// Who holds a run, and whether that process still lives (L4).
//
// On one host liveness decides, at once: the same boot, the same pid namespace, and a process of that pid which
// started then and is no zombie. Anything else is elsewhere, and there only silence tells.

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessId } from "../ports.ts";

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
  return startOf(holder.pid) === holder.started ? "alive" : "dead";
}

/** When a process started; undefined if there is none, or only its zombie. */
function startOf(pid: number): string | undefined {
  if (process.platform !== "linux") return startByPs(pid);
  const stat = readOr(`/proc/${pid}/stat`, "");
  // The name stands in parentheses and may hold anything, so the fields are counted after the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  return state === undefined || "ZX".includes(state) ? undefined : started;
}

function startByPs(pid: number): string | undefined {
  try {
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return line === "" || line.startsWith("Z") ? undefined : line.replace(/^\S+\s+/, "");
  } catch {
    return undefined;
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
