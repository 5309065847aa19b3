// A folder that cannot be written: the message names it, and the process ends. Only runs/ may be lost: it is a view.

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openProject } from "loopwright";
import { describe, expect, it } from "vitest";
import { type Ended, journalOf, start, tempFolder } from "./harness.ts";
import { fill } from "./programs/loops.ts";

const NOBODY = 65534;
const asNobody = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
const readOnlyDisk = (dir: string) => [
  ...["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
  // Where it lies under /dev itself.
  ...["--ro-bind", dir, dir],
];
const input = { rounds: 3, bytes: 2_000, files: true };
const mayChangeUser = works(asNobody);
const maySandbox = works(readOnlyDisk("/usr"));

describe.skipIf(!mayChangeUser)(
  "a folder of someone else (skipped where setpriv cannot change the user: it needs root)",
  () => {
    it("is named where no project can be made in it", async () => {
      const dir = await folder();
      expectRefused(await run(asNobody, { dir, input }), "FOLDER_READ_ONLY", join(dir, ".loopwright"));
      expect(readdirSync(dir)).toEqual([]);
    });

    it("is named where its project cannot be written, and nothing of it changes", async () => {
      const { dir, id } = await projectOf();
      const before = snapshot(dir);
      expectRefused(await run(asNobody, { dir, input }), "JOURNAL_READ_ONLY", journalOf(dir));
      expectRefused(await run(asNobody, { dir, run: id }), "JOURNAL_READ_ONLY", journalOf(dir));
      expect(snapshot(dir)).toEqual(before);
    });

    it("is named where only the journal's file cannot be written", async () => {
      const { dir } = await projectOf();
      giveAway(join(dir, ".loopwright"), join(dir, "runs"));
      expectRefused(await run(asNobody, { dir, input }), "JOURNAL_READ_ONLY", journalOf(dir));
    });

    it("is named where artifacts cannot be stored, and the run goes on once they can", async () => {
      const dir = await folder();
      const files = join(dir, ".loopwright", "files");
      mkdirSync(files, { recursive: true });
      mkdirSync(join(dir, "runs"));
      giveAway(join(dir, ".loopwright"), join(dir, "runs"));
      const stopped = await run(asNobody, { dir, input });
      expectRefused(stopped, "JOURNAL_READ_ONLY", files);
      giveAway(files);
      const { run: id } = JSON.parse(stopped.lines[0]!);
      const ended = await run(asNobody, { dir, run: id });
      expect(JSON.parse(ended.lines.at(-1)!)).toMatchObject({ result: { outcome: "done" } });
    });

    it.each([
      ["made by an earlier run", true],
      ["made by hand", false],
    ])(
      "costs a run only its view where it is runs/, %s: there is a warning, and the run goes on",
      async (_how, wasOpened) => {
        const dir = await folder();
        mkdirSync(join(dir, ".loopwright"));
        mkdirSync(join(dir, "runs"));
        if (wasOpened) writeFileSync(join(dir, "runs", ".gitignore"), "*\n");
        giveAway(join(dir, ".loopwright"));
        const ended = await run(asNobody, { dir, input });
        expect(JSON.parse(ended.lines.at(-1)!)).toMatchObject({ result: { outcome: "done" } });
        expect(ended.code).toBe(0);
        expect(ended.stderr).toContain(join(dir, "runs"));
        expect(ended.stderr).toContain("the run's record is not affected");
        const project = await openProject({ dir });
        const [id] = await project.ports.journal.runs();
        expect(await project.verify(id!)).toMatchObject({ ok: true, artifacts: 3 });
        await project.close();
      },
    );
  },
);

describe.skipIf(!maySandbox)("a disk that is mounted read-only (skipped where bwrap does not work)", () => {
  it("is named where a project is made on it", async () => {
    const dir = await folder();
    expectRefused(await run(readOnlyDisk(dir), { dir, input }), "FOLDER_READ_ONLY", join(dir, ".loopwright"));
  });

  it("is named where there is a project on it, and nothing of it changes", async () => {
    const { dir, id } = await projectOf();
    const before = snapshot(dir);
    expectRefused(await run(readOnlyDisk(dir), { dir, input }), "JOURNAL_READ_ONLY", journalOf(dir));
    expectRefused(await run(readOnlyDisk(dir), { dir, run: id }), "JOURNAL_READ_ONLY", journalOf(dir));
    expect(snapshot(dir)).toEqual(before);
  });
});

function expectRefused({ code, signal, lines, stderr }: Ended, expected: string, path: string): void {
  expect({ code, signal }, stderr).toEqual({ code: 1, signal: null });
  const { error } = JSON.parse(lines.at(-1)!);
  expect(error).toMatchObject({ isOwn: true, code: expected });
  expect(error.message).toContain(path);
  expect(error.message).toMatch(/cannot be written.*permissions/s);
}

function run(prefix: readonly string[], options: { dir: string; run?: string; input?: object }): Promise<Ended> {
  return start("run", [JSON.stringify(options)], { prefix }).ended;
}

/** A folder that everyone can read, and only its owner can write. */
async function folder(): Promise<string> {
  const dir = await tempFolder();
  chmodSync(dir, 0o755);
  return dir;
}

/** A project with a run that stands at a ceiling. */
async function projectOf(): Promise<{ dir: string; id: string }> {
  const dir = await folder();
  const project = await openProject({ dir });
  const { run: id } = await project.start(fill, input, { ceilings: { iterations: 2 } });
  await project.close();
  return { dir, id };
}

function giveAway(...paths: string[]): void {
  for (const path of paths) chownSync(path, NOBODY, NOBODY);
}

function snapshot(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true }) as string[];
  const files = names.filter((name) => statSync(join(dir, name)).isFile());
  return Object.fromEntries(files.toSorted().map((name) => [name, readFileSync(join(dir, name), "base64")]));
}

/** Whether a command can be put before another one here. */
function works(prefix: readonly string[]): boolean {
  return spawnSync(prefix[0]!, [...prefix.slice(1), "true"]).status === 0;
}
