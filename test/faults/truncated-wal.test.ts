// A truncated write-ahead log: the run goes on from an earlier committed point, and verify says that the end was cut.

import { cp, mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Row } from "@loopwright/core";
import { openProject } from "loopwright";
import { describe, expect, it } from "vitest";
import { journalOf, lineThat, openTemp, start, tempFolder } from "./harness.ts";
import { fill, roomy } from "./programs/loops.ts";

const input = { rounds: 12, bytes: 3_000, files: false };

describe("a write-ahead log that was truncated after a kill", () => {
  it("loses at most its end, and the run resumes from there to the same result", { timeout: 60_000 }, async () => {
    const { state } = await (await openTemp()).start(fill, input, { seed: 1 });
    const dir = await tempFolder();
    const { run, rows } = await killedRun(dir);
    const head = JSON.parse(await readFile(join(dir, "runs", run, "run.json"), "utf8")).head.seq as number;
    const size = (await readFile(`${journalOf(dir)}-wal`)).length;
    const lengths = [0, 31, 32, size - 1, ...Array.from({ length: 10 }, () => Math.floor(Math.random() * size))];
    for (const length of lengths) {
      const copy = await copyOf(dir);
      await truncate(`${journalOf(copy)}-wal`, length);
      const project = await openTemp({ dir: copy });
      const left = await project.ports.journal.read(run);
      expect(left, `cut at ${length} of ${size}`).toEqual(rows.slice(0, left.length));
      const { ok, problems } = await project.verify(run);
      if (left.length >= head) expect({ ok, problems }).toEqual({ ok: true, problems: [] });
      else expect(problems).toEqual([left.length === 0 ? "the run has no events" : cutAt(left.length, head)]);
      if (left.length === 0) {
        await expect(project.resume(fill, run)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
        continue;
      }
      const result = await project.resume(fill, run, { ceilings: roomy });
      expect(result).toMatchObject({ outcome: "done", state });
      expect(await project.verify(run)).toMatchObject({ ok: true });
    }
  });

  it("is read up to the first byte that was changed in it", async () => {
    const dir = await tempFolder();
    const { run, rows } = await killedRun(dir);
    for (let round = 0; round < 6; round++) {
      const copy = await copyOf(dir);
      const wal = await readFile(`${journalOf(copy)}-wal`);
      const at = Math.floor(wal.length * (0.3 + 0.7 * Math.random()));
      wal[at]! ^= 0x10;
      await writeFile(`${journalOf(copy)}-wal`, wal);
      const project = await openTemp({ dir: copy });
      const left = await project.ports.journal.read(run);
      expect(left, `byte ${at} changed`).toEqual(rows.slice(0, left.length));
    }
  });

  it("costs nothing that was checkpointed before", async () => {
    const dir = await tempFolder();
    const project = await openProject({ dir });
    const { run } = await project.start(fill, input, { ceilings: { iterations: 3 } });
    const checkpointed = await project.ports.journal.read(run);
    await project.close();
    const resumed = start("run", [JSON.stringify({ dir, input })]);
    await lineThat(resumed, (line) => line.includes('"seq":10,'));
    await resumed.kill();
    await truncate(`${journalOf(dir)}-wal`, 40);
    const again = await openTemp({ dir });
    expect(await again.ports.journal.read(run)).toEqual(checkpointed);
    expect(await again.verify(run)).toMatchObject({ ok: true });
    expect(await again.resume(fill, run, { ceilings: roomy })).toMatchObject({ outcome: "done" });
  });

  it("is told from a whole one by the head in run.json, also where the log is lost altogether", async () => {
    const dir = await tempFolder();
    const project = await openProject({ dir });
    const { run } = await project.start(fill, input, { ceilings: { iterations: 3 } });
    const stored = (await project.ports.journal.read(run)).length;
    await project.close();
    const copy = await copyOf(dir);
    const before = await openProject({ dir: copy });
    await before.close();
    const later = await openProject({ dir });
    await later.resume(fill, run, { ceilings: roomy });
    const reached = (await later.ports.journal.read(run)).length;
    await later.close();
    await cp(join(dir, "runs"), join(copy, "runs"), { recursive: true });
    const restored = await openTemp({ dir: copy });
    expect((await restored.verify(run)).problems).toEqual([cutAt(stored, reached)]);
  });
});

/** A run whose process was killed with a good part of its events only in the log. */
async function killedRun(dir: string): Promise<{ run: string; rows: Row[] }> {
  const program = start("run", [JSON.stringify({ dir, input })]);
  const line = await lineThat(program, (text) => text.includes('"seq":40,'));
  await program.kill();
  const { run } = JSON.parse(line) as { run: string };
  await writeHead(dir, run);
  const project = await openProject({ dir: await copyOf(dir) });
  const rows = await project.ports.journal.read(run);
  await project.close();
  await rm(project.dir, { recursive: true });
  return { run, rows };
}

/** Brings run.json to the 30th event, as it may lag by a second. */
async function writeHead(dir: string, run: string): Promise<void> {
  const project = await openProject({ dir: await copyOf(dir) });
  const { seq, link } = (await project.ports.journal.row(run, 30))!;
  await project.close();
  await rm(project.dir, { recursive: true });
  const path = join(dir, "runs", run, "run.json");
  const json = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...json, head: { seq, link } }));
}

async function copyOf(dir: string): Promise<string> {
  const copy = await tempFolder();
  await mkdir(copy, { recursive: true });
  await cp(dir, copy, { recursive: true });
  await rm(`${journalOf(copy)}-shm`, { force: true });
  return copy;
}

function cutAt(end: number, head: number): string {
  return `the journal ends at event ${end}, but the run had reached event ${head}: its end was cut off`;
}
