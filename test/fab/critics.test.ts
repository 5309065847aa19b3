// The templates pass their gates, and what is spoiled about them is told. The whole list, with variants and models that nobody
// here made, is the benchmark `critics`.

import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GateConfig, loadGate, templateNames } from "@loopwright/fab";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeFile } from "../../bench/critics/judge.ts";
import { judgeMutant, judgeStranger } from "../../bench/critics/mutants.ts";
import { type Built, buildTemplates } from "../../bench/critics/templates.ts";
import { Folder } from "../fakes/cli.ts";
import { mutate, mutations } from "../fakes/mutations.ts";
import { Bench, gateOf } from "./repair-chain.ts";

let gates: Record<"car" | "chair", GateConfig>;
let built: Built[];

beforeAll(async () => {
  gates = {
    car: await loadGate("car_realism_v001", import.meta.dirname),
    chair: await loadGate("furniture_realism_v001", import.meta.dirname),
  };
  built = await buildTemplates([1]);
}, 120_000);

const the = (name: string) => built.find((each) => each.name === name)!;

describe("a template", () => {
  it.each(templateNames)("passes its gate, with no finding at all: %s", async (name) => {
    const { kind, bytes } = the(name);
    expect(await judgeFile(bytes, gates[kind])).toMatchObject({ verdict: "pass", hard: [], soft: [] });
  });

  it("is what its prompt asks for, and not what another one does", async () => {
    const { bytes } = the("car_suv_template_v001");
    expect((await judgeFile(bytes, gates.car, "an orange SUV")).scores).toMatchObject({ alignment: 1 });
    expect(await judgeFile(bytes, gates.car, "a blue sports car")).toMatchObject({
      verdict: "fail",
      soft: expect.arrayContaining(["ALIGN_ATTRIBUTE_MISMATCH", "ALIGN_LOW_SIMILARITY", "ALIGNMENT_BELOW_FLOOR"]),
    });
  });

  it("is the same twice, in two Blenders", async () => {
    const [again] = await buildTemplates([1]);
    // Blender computes normals in threads: their last bits differ now and then, and nothing is judged by them.
    expect(again!.model).toEqual(built[0]!.model);
  });
});

describe("a template through the real program, with Blender's pictures", () => {
  // All of them, and in `standard`, take minutes: the benchmark has them.
  it.each(["car_sedan_template_v001", "chair_template_v001"])(
    "passes its gate: %s in draft",
    async (name) => {
      using at = new Folder();
      const { kind, bytes } = the(name);
      await writeFile(join(at.dir, "asset.glb"), bytes);
      const ended = await at.cli(`fab judge asset.glb --gate ${gates[kind].gate_config_id} --profile draft`);
      expect(ended, ended.stdout).toMatchObject({ code: 0, stderr: "" });
      const run = `runs/${at.runs()[0]}`;
      expect(JSON.parse(at.read(`${run}/verdict/gate_verdict.json`))).toMatchObject({
        verdict: "pass",
        scores: { by_critic: { category: 1, geometry: 1, realism: kind === "car" ? 1 : 0.9, material: 1 } },
        failures: { hard: [], soft: [] },
      });
      expect(readdirSync(join(at.dir, run, "render"))).toHaveLength(2 * (6 + 4));
    },
    600_000,
  );
});

describe("a spoiled asset gets its codes, and no hard one that it should not", () => {
  // Half a million triangles take their time: the benchmark has them.
  const quick = mutations.filter(({ name }) => name !== "too many triangles");

  it.each(quick)("$name", async (mutation) => {
    for (const base of built.filter(({ kind }) => mutation.kinds?.includes(kind) ?? true))
      expect(await judgeMutant(base, mutation, gates[base.kind])).toMatchObject({ missing: [], surplus: [] });
  });

  it.each(templateNames)("at the gate of another kind: %s", async (name) => {
    const base = the(name);
    const gate = gates[base.kind === "car" ? "chair" : "car"];
    expect(await judgeStranger(base, gate)).toMatchObject({ missing: [], surplus: [] });
  });
});

describe("a spoiled asset that fails is repaired by search", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  // On the smallest template that it is for; on all of them: npm run soak -- fab-repairs.
  it.each(mutations.filter(({ verdict }) => verdict === "fail"))("$name", async (mutation) => {
    const base = the(mutation.kinds?.includes("chair") === false ? "car_sedan_template_v001" : "chair_template_v001");
    const links = await bench.repair(await mutate(mutation, base.model, base.kind), await gateOf(base.kind));
    expect(links.at(-1), JSON.stringify(links)).toMatchObject({ next: "done" });
    expect(links.length - 1).toBeLessThanOrEqual(3);
    // It is fixed, and not exchanged for another, wherever there is something to fix.
    const isFixed = !links.some(({ plan }) => plan.startsWith("Begin"));
    expect(isFixed).toBe(!["a cube instead", "places that are no numbers"].includes(mutation.name));
  });
});
