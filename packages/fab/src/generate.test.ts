// GENERATE on a bad night: models that answer prose, code that never runs, a Blender that is not there; and killed in between. The
// Blender is one in memory, whose scene is the name of a car that is more or less spoiled.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExecutionError, InfrastructureError, type Workcell, type WorkcellStart } from "@loopwright/core";
import { killAtEveryCommit, memoryEngine, type Scripted, scriptedModels } from "@loopwright/core/testing";
import { openTracker } from "@loopwright/tracker";
import { afterAll, describe, expect, it } from "vitest";
import { shapeGate, spoiled } from "../../../test/fakes/fab-gate.ts";
import { GateConfig } from "./gate/schema.ts";
import { type FabInput, fab } from "./index.ts";
import type { Asset } from "./issues.ts";

const root = mkdtempSync(join(tmpdir(), "loopwright-generate-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ways: Record<string, readonly string[]> = { sound: [], "three wheels": ["a wheel missing"] };

/** Code is what the scene is to be, and some is at fault. */
class SceneOnly implements Workcell {
  at: string | undefined;
  scene: string;
  constructor(scene: string) {
    this.at = this.scene = scene;
  }
  async importGlb() {
    this.scene = "the last asset";
  }
  async execute(code: string) {
    if (code.includes("raise")) throw new ExecutionError("BLENDER_CODE", `ValueError: no\nat line 1: ${code}`);
    this.scene = code;
    this.at = undefined;
  }
  async exportBlend() {
    return Buffer.from(`BLENDER ${this.scene}`);
  }
  async exportGlb() {
    const way = ways[this.scene.trim()];
    if (!way) throw new ExecutionError("BLENDER_CODE", "export_glb: it has no mesh");
    return spoiled(way);
  }
  async snapshot() {
    this.at = this.scene;
    return this.at;
  }
  async restore(snapshot: string) {
    this.at = this.scene = snapshot;
  }
  async check() {}
  async stop() {}
}
const dies = async () => Promise.reject(new InfrastructureError("BLENDER_LOST", "Blender ended by itself"));
const blender: WorkcellStart = async ({ snapshot }) => new SceneOnly(snapshot ?? "empty");

const python = (code: string) => `PLAN: ${code}\n\`\`\`python\n${code}\n\`\`\``;
const PROSE = "Just imagine a sedan.";
let made = 0;

interface Night {
  answers: readonly Scripted[];
  /** How the asset is spoiled that it begins with; none where it is left out. */
  from?: readonly string[];
  more?: Partial<FabInput>;
  work?: object;
  start?: WorkcellStart;
}

async function makeWorld({ answers, from, more, work, start = blender }: Night) {
  const dir = mkdtempSync(join(root, `${++made}-`));
  const file = join(dir, "start.glb");
  if (from) writeFileSync(file, await spoiled(from));
  const tracker = await openTracker<Asset>({ dir });
  const { id } = await tracker.create({ title: "a sedan", asset: { kind: "car", gate: "shape" } });
  await tracker.close();
  const scripted = scriptedModels({ builder: answers });
  const gate = GateConfig.parse({ ...shapeGate, critics: { geometry: { weight: 1, floor: 0.6 } } });
  const input = {
    ...{ gate, profile: "draft", iteration_index: 0, hard_before: [], max_retries: 3, ...(from && { file }) },
    work: { issue: id, root: id, title: "a sedan", builder: "model", kind: "car", ...work },
    ...more,
  } as FabInput;
  return {
    dir,
    root: id,
    input,
    scripted,
    ports: { project: dir, models: scripted.models, workcells: { blender: start } },
  };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

async function issuesOf({ dir }: World) {
  const tracker = await openTracker<Asset>({ dir });
  const issues = await tracker.list();
  await tracker.close();
  return issues.map(({ title, status, tags, runs, iteration }) => ({
    ...{ title, status, tags, runs: runs.length, attempts: iteration.attempts, codes: iteration.lastFailCodes },
  }));
}

async function runNight(night: Night) {
  const world = await makeWorld(night);
  const test = memoryEngine(world.ports);
  const result = await test.engine.start(fab, world.input);
  const fileOf = async (run: string, path: string) => {
    for (const event of await test.chain(run))
      if (event.type === "artifact-saved" && event.artifact.path === path)
        return Buffer.from(await test.ports.store.get(event.artifact.digest)).toString("utf8");
    return undefined;
  };
  const runs = await test.journal.runs();
  return { ...result, world, runs, fileOf, issues: await issuesOf(world) };
}

describe("a model whose answers come to nothing", () => {
  const twice = [
    { title: "a sedan", status: "blocked", runs: 1, attempts: 1, codes: ["BUILD_NO_ASSET"] },
    {
      title: "[REPAIR] a sedan (iter 1)",
      status: "escalated",
      tags: expect.arrayContaining(["@fail:BUILD_NO_ASSET", "@escalate:repeated_hard_fail"]),
      ...{ runs: 1, attempts: 1, codes: ["BUILD_NO_ASSET"] },
    },
  ];

  it.each([
    ["prose", PROSE, /E2: /, ""],
    ["code that never runs", python("raise ValueError('no')"), /E1: ValueError: no/, "raise ValueError('no')"],
    [
      "a scene that cannot be exported",
      python("a cloud"),
      /its scene cannot be exported: export_glb: it has no mesh/,
      "a cloud",
    ],
  ])("is judged as it stands: %s", async (_, answer, says, kept) => {
    const { outcome, reason, issues, world, state, runs, fileOf } = await runNight({ answers: [answer] });
    expect([outcome, reason]).toEqual(["escalated", "repeated_hard_fail: hard fail: BUILD_NO_ASSET"]);
    expect(issues).toMatchObject(twice);
    expect(issues).toHaveLength(2);
    expect(state.verdict!.next_actions.find(({ code }) => code === "BUILD_NO_ASSET")!.instructions).toMatch(says);
    expect(world.scripted.asked("builder")).toHaveLength(answer === python("a cloud") ? 2 : 8);
    for (const run of runs) expect(await fileOf(run, "asset/build.py")).toBe(kept);
  });

  it("is asked again as often as max_retries says", async () => {
    const { world, issues } = await runNight({ answers: [PROSE], more: { max_retries: 0 } });
    expect(world.scripted.asked("builder")).toHaveLength(2);
    expect(issues).toMatchObject(twice);
  });

  it("leaves the last asset to be judged, and the code that made that one", async () => {
    const answers = [python("three wheels"), ...Array(4).fill(PROSE), python("sound")];
    const { outcome, issues, world, runs, fileOf } = await runNight({ answers, from: ["ten times too large"] });
    expect(outcome).toBe("done");
    expect(issues.map(({ status, runs: count }) => [status, count])).toEqual(Array(4).fill(["closed", 1]));
    const verdicts = await Promise.all(runs.map((run) => fileOf(run, "verdict/gate_verdict.json")));
    const codes = verdicts.map((text) => JSON.parse(text!).failures);
    expect(codes).toMatchObject([
      { hard: ["GEO_SCALE_IMPLAUSIBLE"] },
      { hard: [], soft: expect.arrayContaining(["GEO_WHEEL_COUNT_LOW"]) },
      { hard: [], soft: expect.arrayContaining(["GEO_WHEEL_COUNT_LOW", "BUILD_FAILED"]) },
      { hard: [], soft: [] },
    ]);
    const last = world.scripted.asked("builder").at(-1)!.text;
    expect(last).toMatch(/BUILD_FAILED \(priority 1\): E2: /);
    expect(last).toMatch(/THE LAST CODE[\s\S]*three wheels/);
  });

  it("passes nothing that a person had sent back, and does not forget what they said", async () => {
    const asset = { path: "", size: 0, digest: "" };
    const world = await makeWorld({ answers: [PROSE, PROSE, PROSE, PROSE, python("sound")], from: [] });
    const test = memoryEngine(world.ports);
    await using _ = test.engine;
    const bytes = await spoiled([]);
    const last = { asset: { ...asset, digest: await test.ports.store.put(bytes), size: bytes.length } };
    const { file: __, ...input } = world.input;
    const work = { ...input.work!, note: "lower", last: { ...last, figures: {}, repairs: [], views: [] } };
    expect(await test.engine.start(fab, { ...input, work })).toMatchObject({ outcome: "done" });
    expect(await issuesOf(world)).toMatchObject([{ codes: ["BUILD_NO_ASSET"] }, { codes: [] }]);
    expect(world.scripted.asked("builder").at(-1)!.text).toMatch(/A person who looked at it says[\s\S]*lower/);
  });
});

describe("a Blender that is not there", () => {
  it.each<[string, Partial<Night>]>([
    [
      "does not start",
      { start: async () => Promise.reject(new InfrastructureError("BLENDER_LOST", "it does not start")) },
    ],
    [
      "dies in every act",
      { start: async ({ snapshot }) => Object.assign(new SceneOnly(snapshot ?? ""), { execute: dies }) },
    ],
  ])("stops the run after three restarts, and nothing counts as judged: it %s", async (_, night) => {
    const world = await makeWorld({ answers: [python("sound")], ...night });
    const test = memoryEngine(world.ports);
    await using __ = test.engine;
    const { outcome, run, record } = await test.engine.start(fab, world.input);
    expect([outcome, record.restarts]).toEqual(["failed", 3]);
    expect(world.scripted.asked("builder")).toHaveLength(1);
    expect(await issuesOf(world)).toMatchObject([{ status: "in_progress", runs: 1, codes: undefined }]);
    // Once it is there again, the run goes on, and the model is not asked again.
    const later = test.other({ ...world.ports, workcells: { blender } });
    await using ___ = later.engine;
    expect(await later.engine.resume(fab, run)).toMatchObject({ outcome: "done" });
    expect(world.scripted.asked("builder")).toHaveLength(1);
  });
});

it("killed at every commit, through prose, an error and a repair, it comes to the same end", async () => {
  const answers = [PROSE, python("raise ValueError('no')"), python("three wheels"), python("raise"), python("sound")];
  const { points, end } = await killAtEveryCommit({
    loop: fab,
    input: ({ input }: World) => input,
    world: () => makeWorld({ answers }),
    options: { slug: "a-sedan" },
    inOneRun: true,
    observe: issuesOf,
    between: ({ scripted }, engine) => scripted.sentOnce(engine),
    comparable: ({ files, state, reason, ...rest }) => ({
      ...rest,
      reason: reason.replace(/lw-\w+/, "ROOT"),
      state: { ...state, asset_id: "", verdict: undefined },
      files: Object.keys(files),
    }),
  });
  expect(end).toMatchObject({
    outcome: "done",
    seen: [
      { status: "closed", attempts: 1 },
      { status: "closed", attempts: 1 },
    ],
  });
  expect(points).toBeGreaterThan(40);
});
