// Two at once: one process drives a run, the other says who holds it; a dead holder is replaced at once (L4).

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openProject, Project, projectPorts } from "loopwright";
import { afterEach, beforeEach, expect, it } from "vitest";
import { slow } from "./holder.ts";

let dir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "loopwright-two-"));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

/** Starts a process that drives the run, and gives its lines. */
function holder(run?: string) {
  const child = spawn(
    process.execPath,
    ["--conditions=loopwright-source", join(import.meta.dirname, "holder.ts"), dir, ...(run ? [run] : [])],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => (await lines.next()).value as string };
}

async function held(): Promise<{ child: ChildProcess; run: string; next: () => Promise<string> }> {
  const { child, next } = holder();
  const line = await next();
  expect(line).toMatch(/^holding /);
  return { child, run: line.split(" ")[1]!, next };
}

it("lets one process go on and tells the other who holds the run", async () => {
  const { child, run, next } = await held();
  const second = holder(run);
  const line = await second.next();
  expect(line).toMatch(/^refused LEASE_HELD/);
  expect(line).toContain(`held by process ${child.pid} on `);
  for (;;) {
    const own = await next();
    if (own.startsWith("holding")) continue;
    expect(own).toBe("ended done");
    break;
  }
});

it("lets exactly one of four processes take up a run that nobody holds", async () => {
  const { child, run } = await held();
  child.kill("SIGKILL");
  await once(child, "exit");
  const firsts = await Promise.all([holder(run), holder(run), holder(run), holder(run)].map(({ next }) => next()));
  expect(firsts.filter((line) => line.startsWith("holding"))).toHaveLength(1);
  expect(firsts.filter((line) => line.startsWith("refused LEASE_HELD"))).toHaveLength(3);
});

it("resumes at once after kill -9 of the holder", async () => {
  const { child, run } = await held();
  child.kill("SIGKILL");
  await once(child, "exit");
  await using project = await openProject({ dir });
  const before = performance.now();
  await project.ports.journal.acquire(run, project.ports.process);
  expect(performance.now() - before).toBeLessThan(1_000);
});

it("takes a run over from a holder elsewhere that has fallen silent, within 10 s, and refuses its late commit", async () => {
  const ports = await projectPorts(dir);
  const elsewhere = new Project(dir, { ...ports, process: { ...ports.process, host: "other", boot: "another-boot" } });
  const stop = new AbortController();
  const { journal } = ports;
  const silent = elsewhere.start(slow, { steps: 3, pauseMs: 60_000 }, { signal: stop.signal }).catch((error) => error);
  const [run] = await until(() => journal.runs());
  // Its heart stops: nothing it does afterwards reaches the journal until its late commit.
  const beat = journal.beat.bind(journal);
  journal.beat = async () => {};

  await using project = await openProject({ dir });
  const before = performance.now();
  const lease = await project.ports.journal.acquire(run!, project.ports.process);
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(performance.now() - before).toBeGreaterThan(1_000);
  await project.ports.journal.yield(lease, lease.active);

  journal.beat = beat;
  stop.abort();
  expect(await silent).toMatchObject({ code: "LEASE_LOST" });
  await elsewhere.close();
});

it("leaves a run to a holder elsewhere that gives signs of life", async () => {
  const ports = await projectPorts(dir);
  const elsewhere = new Project(dir, { ...ports, process: { ...ports.process, host: "other", boot: "another-boot" } });
  const stop = new AbortController();
  const alive = elsewhere.start(slow, { steps: 3, pauseMs: 60_000 }, { signal: stop.signal });
  const [run] = await until(() => ports.journal.runs());
  await using project = await openProject({ dir });
  await expect(project.resume(slow, run!)).rejects.toMatchObject({ code: "LEASE_HELD", data: { host: "other" } });
  stop.abort();
  expect((await alive).outcome).toBe("interrupted");
  await elsewhere.close();
});

it("takes a run from a live holder only when told to, and the old holder stops by itself", async () => {
  const { run, next } = await held();
  await using project = await openProject({ dir });
  const result = await project.resume(slow, run, { take: true });
  expect(result.outcome).toBe("done");
  for (let line = await next(); ; line = await next()) {
    if (line.startsWith("holding")) continue;
    expect(line).toMatch(/^refused LEASE_LOST/);
    break;
  }
});

async function until<T>(look: () => Promise<T[]>): Promise<T[]> {
  for (;;) {
    const found = await look();
    if (found.length > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
