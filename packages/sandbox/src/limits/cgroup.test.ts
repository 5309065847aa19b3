import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findGroups, makeGroup } from "./cgroup.ts";

const folder = findGroups();

describe.skipIf(folder === undefined)("A control group (skipped where root cannot make one)", () => {
  it("lets a job have so many processes and no more", async () => {
    const group = makeGroup(folder!, 4);
    const script = "read go; n=0; for i in 1 2 3 4 5 6 7 8; do sleep 2 & done; echo unreachable";
    const child = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "pipe"] });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    group.add(child.pid!);
    child.stdin.end("go\n");
    await once(child, "exit");
    expect(errors).toMatch(/fork/i);
    group.remove();
  });

  it("is gone when it is removed", () => {
    const before = new Set(readdirSync(folder!));
    const group = makeGroup(folder!, 4);
    const made = readdirSync(folder!).find(
      (name) => name.startsWith(`loopwright-${process.pid}-`) && !before.has(name),
    )!;
    expect(readFileSync(join(folder!, made, "pids.max"), "utf8")).toBe("4\n");
    group.remove();
    expect(existsSync(join(folder!, made))).toBe(false);
  });

  it("is removed by the next to come where its process was killed", () => {
    const { pid } = spawnSync("true");
    const stale = join(folder!, `loopwright-${pid}-0`);
    mkdirSync(stale);
    expect(findGroups()).toBe(folder);
    expect(existsSync(stale)).toBe(false);
  });
});
