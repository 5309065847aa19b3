import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProject, sha256 } from "@loopwright/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoTask, hull, startOptions, workcells } from "./index.ts";

let root: string;
let folder: string;

/** The files of a run that its hull decides, with their digests. */
async function digests(run: string): Promise<Record<string, string>> {
  const names = (await readdir(run, { recursive: true })).filter((name) =>
    /\.(png|glb|txt)$|code\.json|feedback\.json/.test(name),
  );
  const entries = await Promise.all(names.sort().map(async (name) => [name, sha256(await readFile(join(run, name)))]));
  return Object.fromEntries(entries);
}

/** One run of the demo, cut short, in a project of its own. */
async function runDemo(dir: string): Promise<string> {
  await using project = await openProject({ dir, workcells });
  const task = { ...(await demoTask()), max_iterations: 3 };
  const { folder: name } = await project.start(hull, task, { ...startOptions(task), seed: 42 });
  return join(dir, "runs", name);
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "hull-folder-"));
  folder = await runDemo(join(root, "here"));
}, 60_000);
afterAll(() => rm(root, { recursive: true }));

describe("the run folder", () => {
  it("holds what people open, where they look for it", async () => {
    const names = [
      "run.json",
      "summary.json",
      "baseline.glb",
      "references/front.png",
      "references/side.png",
      "references/top.png",
      "attempt-000/config.json",
      "attempt-000/final.glb",
      "attempt-000/final_score.json",
      "attempt-000/iterations/iter-000/renders/iso.png",
      ...["plan.txt", "code.json", "execution.json", "feedback.json", "compare.png", "scene.glb"].map(
        (name) => `attempt-000/iterations/iter-003/${name}`,
      ),
      ...["front", "side", "top", "iso"].map((view) => `attempt-000/iterations/iter-001/renders/${view}.png`),
    ];
    for (const name of names) expect(existsSync(join(folder, name)), name).toBe(true);
  });

  it("names the slug of the task, and its summary the scores of every iteration", async () => {
    expect(folder).toMatch(/_fit-a-workboat-hull-to-its-silhouettes$/);
    const summary = JSON.parse(await readFile(join(folder, "summary.json"), "utf8"));
    expect(summary).toMatchObject({ outcome: "ceiling", iterations: 3 });
  });
});

describe("the same seed", () => {
  it("gives the same bytes of every picture and file a second time", async () => {
    const again = await runDemo(join(root, "again"));
    const [first, second] = [await digests(folder), await digests(again)];
    expect(Object.keys(first).length).toBeGreaterThan(30);
    expect(second).toEqual(first);
  }, 60_000);

  it("gives the same bytes in another process", async () => {
    const dir = join(root, "elsewhere");
    const script = `
      const { demoTask, hull, startOptions, workcells } = await import(${JSON.stringify(join(import.meta.dirname, "index.ts"))});
      const { openProject } = await import("@loopwright/core");
      await using project = await openProject({ dir: ${JSON.stringify(dir)}, workcells });
      const task = { ...(await demoTask()), max_iterations: 3 };
      const { folder } = await project.start(hull, task, { ...startOptions(task), seed: 42 });
      console.log(folder);`;
    const child = spawn(process.execPath, ["--conditions=loopwright-source", "--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [[code], output] = await Promise.all([once(child, "close"), new Response(child.stdout as never).text()]);
    expect(code).toBe(0);
    expect(await digests(join(dir, "runs", output.trim()))).toEqual(await digests(folder));
  }, 60_000);
});
