// Chains of runs and their issues, killed at every commit. Nothing is built here: a ceiling ends each chain before that.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "@loopwright/core";
import { killAtEveryCommit, memoryEngine } from "@loopwright/core/testing";
import { openTracker } from "@loopwright/tracker";
import { afterAll, describe, expect, it } from "vitest";
import { type ShapeGate, shapeGate, spoiled } from "../../../test/fakes/fab-project.ts";
import { GateConfig } from "./gate/schema.ts";
import { type FabInput, fab } from "./index.ts";
import type { Asset } from "./issues.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Case {
  ways: readonly string[];
  gate?: Partial<ShapeGate>;
  more?: Partial<FabInput>;
}

/** A project with one issue, and what a run for it is given. */
async function makeWorld({ ways, gate, more }: Case) {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-chain-"));
  folders.push(dir);
  const file = join(dir, "start.glb");
  writeFileSync(file, await spoiled(ways));
  const tracker = await openTracker<Asset>({ dir });
  const { id } = await tracker.create({ title: "a sedan", asset: { kind: "car", gate: "shape" } });
  await tracker.close();
  const work = { issue: id, root: id, title: "a sedan", tracker: "own", builder: "search", kind: "car" } as const;
  const read = GateConfig.parse({ ...shapeGate, critics: { geometry: { weight: 1, floor: 0.6 } }, ...gate });
  const input: FabInput = { file, gate: read, profile: "draft", iteration_index: 0, hard_before: [], work, ...more };
  return { dir, root: id, input, ports: { project: dir } };
}

/** The issues without their ids, and what is in the library. */
async function seen({ dir, root }: { dir: string; root: string }) {
  const tracker = await openTracker<Asset>({ dir });
  try {
    const issues = (await tracker.list()).map(
      ({ title, status, priority, tags, runs, iteration, edges, closeReason }) => ({
        ...{ title, status, priority, tags, runs, closeReason: closeReason?.replace(root, "ROOT") },
        ...{ index: iteration.index, attempts: iteration.attempts, codes: iteration.lastFailCodes },
        edges: edges.map(({ kind }) => kind).toSorted(),
      }),
    );
    const library = join(dir, "library");
    const places = readdirSync(dir).includes("library") ? readdirSync(library) : [];
    const files = places.flatMap((place) => readdirSync(join(library, place)));
    const asset = places.map((place) => sha256(readFileSync(join(library, place, "asset.glb"))));
    return { issues, places: places.map((place) => place.replace(root, "ROOT")), files, asset };
  } finally {
    await tracker.close();
  }
}

const ONE = { iterations: 1 };

describe("a chain that is killed at every commit comes to the same end", () => {
  it.each([
    {
      end: "a repair, once, that blocks what it is for",
      ways: ["a wheel missing"],
      outcome: "ceiling",
      issues: [
        { status: "blocked", edges: ["blocks", "fix-for"], attempts: 1 },
        { title: "[REPAIR] a sedan (iter 1)", status: "in_progress", index: 1, attempts: 1, priority: "P1" },
      ],
      places: [],
    },
    {
      end: "an asset in the library, once",
      ways: [],
      outcome: "done",
      issues: [{ status: "closed", attempts: 1, codes: [] }],
      places: ["ROOT"],
    },
    {
      end: "an issue that waits for a person",
      ways: ["a wheel missing"],
      gate: { iteration: { ...shapeGate.iteration, max_iterations: 0 } },
      outcome: "escalated",
      issues: [{ status: "escalated", tags: ["@human-escalated", "@escalate:max_iterations_exceeded"] }],
      places: [],
    },
  ])("$end", async ({ outcome, issues, places, ...given }) => {
    const { points, end } = await killAtEveryCommit({
      loop: fab,
      input: ({ input }) => input,
      options: { ceilings: ONE, slug: "a-sedan" },
      world: () => makeWorld(given),
      inOneRun: true,
      observe: seen,
      // A manifest names an issue, and a repair's id is another one each time.
      comparable: ({ files, state, reason, ...rest }) => ({
        ...rest,
        reason: reason.replace(/lw-\w+/, "ROOT"),
        state: { ...state, asset_id: "", verdict: undefined },
        files: Object.keys(files),
      }),
    });
    expect(end.outcome).toBe(outcome);
    expect(end.seen).toMatchObject({ issues, places });
    expect(points).toBeGreaterThan(20);
  });
});

describe("the same hard fail again", () => {
  const again: Case = {
    ways: ["ten times too large"],
    more: { iteration_index: 1, hard_before: [["GEO_SCALE_IMPLAUSIBLE"]] },
  };

  it.each([
    ["is for a person", again, "escalated"],
    [
      "is repaired again where on_repeated_hard_fail is false",
      { ...again, gate: patient({ on_repeated_hard_fail: false }) },
      "ceiling",
    ],
    ["is repaired again below repeated_threshold", { ...again, gate: patient({ repeated_threshold: 3 }) }, "ceiling"],
  ])("%s", async (_, given, outcome) => {
    const world = await makeWorld(given);
    const test = memoryEngine(world.ports);
    expect(await test.engine.start(fab, world.input, { ceilings: ONE })).toMatchObject({ outcome });
  });
});

function patient(escalation: object): Partial<ShapeGate> {
  return { iteration: { ...shapeGate.iteration, escalation } };
}
