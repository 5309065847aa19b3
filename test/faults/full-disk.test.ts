// A full disk: the run stops with a clear word, nothing recorded is lost, and it goes on once there is room again.

import { spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProject } from "loopwright";
import { describe, expect, it, onTestFinished } from "vitest";
import { cli } from "../fakes/cli.ts";
import { type Ended, failure, journalOf, openTemp, start, tempFolder } from "./harness.ts";
import { fill, roomy } from "./programs/loops.ts";

const mayMount = tryMount();

describe.skipIf(!mayMount)("a full disk (skipped where no tmpfs may be mounted: it needs root)", () => {
  it.each([
    ["values", { rounds: 130, bytes: 20_000, files: false }],
    ["artifacts", { rounds: 60, bytes: 20_000, files: true }],
  ])("stops a run that fills it with %s, and the run then ends as on a roomy disk", async (_what, input) => {
    const roomyEnd = await (await openTemp()).start(fill, input, { ceilings: roomy, seed: 1 });
    const dir = await smallDisk(2048);
    const stopped = await run({ dir, input });
    expectFull(stopped, dir);
    const { run: id, seq } = JSON.parse(stopped.lines.at(-2)!) as { run: string; seq: number };
    expectFull(await run({ dir, run: id }), dir);

    remount(dir, 32 * 1024);
    const recorded = await openProject({ dir });
    const before = await recorded.ports.journal.read(id);
    expect(before.length).toBeGreaterThanOrEqual(seq);
    await recorded.close();

    const ended = await run({ dir, run: id });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const { result } = JSON.parse(ended.lines.at(-1)!);
    const where = { run: "", folder: "", record: {} };
    expect({ ...result, ...where }).toEqual({ ...roomyEnd, ...where });

    const project = await openProject({ dir });
    expect(await project.verify(id)).toMatchObject({ ok: true, problems: [], released: 0 });
    expect((await project.ports.journal.read(id)).slice(0, before.length)).toEqual(before);
    expect(await project.ports.journal.holder(id, project.ports.process)).toBeUndefined();
    await project.close();
    expect(await draftsIn(dir)).toEqual([]);
  });

  it("lets the process that met it resume the run itself, once space is freed", async () => {
    const dir = await smallDisk(2048);
    const project = await openProject({ dir });
    onTestFinished(() => project.close());
    const input = { rounds: 100, bytes: 20_000, files: false };
    const error = await failure(project.start(fill, input, { ceilings: roomy }));
    expect(error).toMatchObject({ code: "DISK_FULL" });
    remount(dir, 32 * 1024);
    const [id] = await project.ports.journal.runs();
    expect(await project.resume(fill, id!)).toMatchObject({ outcome: "done" });
    expect(await project.verify(id!)).toMatchObject({ ok: true });
  });

  it.each([0, 7, 9])("is named when a run is started with only %i pages left on it", async (pages) => {
    const dir = await smallDisk(1024);
    const first = await run({ dir, input: { rounds: 2, bytes: 2_000, files: false } });
    expect(first.code).toBe(0);
    fillUp(dir, pages);
    expectFull(await run({ dir, input: { rounds: 40, bytes: 2_000, files: false } }), dir);
    rmSync(join(dir, "ballast"));
    const project = await openProject({ dir });
    for (const id of await project.ports.journal.runs()) expect(await project.verify(id)).toMatchObject({ ok: true });
    expect(await project.start(fill, { rounds: 2, bytes: 2_000 })).toMatchObject({ outcome: "done" });
    await project.close();
  });

  it("is named when a new project is made on it", async () => {
    const dir = await smallDisk(256);
    fillUp(dir, 0);
    expectFull(await run({ dir, input: { rounds: 1, bytes: 10, files: false } }), dir);
  });

  it.each([
    ["that was closed", false, undefined],
    ["whose log was left", true, undefined],
    ["whose log was left, where there is no room for a copy of it either", true, "tmp"],
  ])("leaves a journal %s to be looked at", async (_what, isLogLeft, tmp) => {
    const dir = await smallDisk(2048);
    const project = await openProject({ dir });
    const { run: id } = await project.start(fill, { rounds: 2, bytes: 2_000 });
    if (isLogLeft) for (const end of ["", "-wal"]) copyFileSync(journalOf(dir) + end, join(dir, `kept${end}`));
    await project.close();
    if (isLogLeft) for (const end of ["", "-wal"]) renameSync(join(dir, `kept${end}`), journalOf(dir) + end);
    fillUp(dir, 0);
    const env = tmp === undefined ? {} : { TMPDIR: dir };
    for (const words of ["runs --quiet", "explain", "show", "verify"]) {
      const seen = await cli(words, { cwd: dir, env, isTrusted: false });
      expect(seen).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(id) });
    }
  });
});

function expectFull({ code, signal, lines }: Ended, dir: string): void {
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  const { error } = JSON.parse(lines.at(-1)!);
  expect(error).toMatchObject({ isOwn: true, code: "DISK_FULL" });
  expect(error.message).toMatch(/the disk is full.*Free some space/s);
  expect(error.message).toContain(dir);
}

function run(options: { dir: string; run?: string; input?: object }): Promise<Ended> {
  return start("run", [JSON.stringify(options)]).ended;
}

/** A disk of so many KiB, mounted in a temporary folder. */
async function smallDisk(kib: number): Promise<string> {
  const dir = await tempFolder();
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kib}k`, "tmpfs", dir]);
  expect(status).toBe(0);
  onTestFinished(() => void spawnSync("umount", ["-l", dir]));
  return dir;
}

function remount(dir: string, kib: number): void {
  expect(spawnSync("mount", ["-o", `remount,size=${kib}k`, dir]).status).toBe(0);
}

/** Fills a disk until only so many pages are free. */
function fillUp(dir: string, pages: number): void {
  const file = openSync(join(dir, "ballast"), "w");
  const page = Buffer.alloc(4096, 1);
  while (statfsSync(dir).bavail > pages) writeSync(file, page);
  closeSync(file);
  expect(statfsSync(dir).bavail).toBe(pages);
}

/** What was written half and left behind. */
async function draftsIn(dir: string): Promise<string[]> {
  return (await readdir(dir, { recursive: true })).filter((name) => /\.tmp$|drafts\/./.test(name));
}

function tryMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const dir = mkdtempSync(join(tmpdir(), "loopwright-mount-"));
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", dir]).status === 0;
  if (isMounted) spawnSync("umount", [dir]);
  rmdirSync(dir);
  return isMounted;
}
