import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findGroups, makeGroup } from "./cgroup.ts";

const groups = findGroups();
const folder = groups.processes;
const limits = { processes: 4, memory: 2 ** 26 };

describe.skipIf(folder === undefined)("A control group (skipped where root cannot make one)", () => {
  it("lets a job have so many processes and no more", async () => {
    const group = makeGroup(groups, limits);
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
    const group = makeGroup(groups, limits);
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
    expect(findGroups()).toEqual(groups);
    expect(existsSync(stale)).toBe(false);
  });
});

describe.skipIf(groups.memory === undefined)("A group that counts memory (skipped where root cannot make one)", () => {
  it("counts what the kernel holds for a job in its sockets, and stops it there", async () => {
    const group = makeGroup(groups, { processes: 50, memory: 64 * 2 ** 20 });
    const program = `
import sys, socket, resource
sys.stdin.readline()
resource.setrlimit(resource.RLIMIT_NOFILE, (4000, 4000))
held = []
for _ in range(1500):
    a, b = socket.socketpair()
    for each in (a, b):
        each.setblocking(False)
        try:
            while True: each.send(b"x" * 4096)
        except BlockingIOError: pass
    held += [a, b]
print("filled", flush=True)
`;
    const child = spawn("python3", ["-c", program], { stdio: ["pipe", "pipe", "ignore"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    group.add(child.pid!);
    child.stdin.end("go\n");
    await once(child, "exit");
    expect(output).toBe("");
    group.remove();
  });
});
