// A chain of repairs through the real binary, on the real Blender, with no model.

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Model, meshToGlb } from "@loopwright/mesh";
import { beforeAll, describe, expect, it } from "vitest";
import { type Built, buildTemplates } from "../../bench/critics/templates.ts";
import { Folder } from "../fakes/cli.ts";
import { mutations } from "../fakes/mutations.ts";

/** A gate that asks for what is measured without pictures by Blender. */
const gate = `gate_config_id: shape
kind: car
pass: 0.75
critics:
  category: { weight: 0.4, floor: 0.7 }
  geometry: { weight: 0.4, floor: 0.6 }
  alignment: { weight: 0.2, floor: 0.5 }
geometry:
  { length: [3, 6], width: [1.4, 2.5], height: [1, 2.5], triangles: [5000, 500000], trivial: 1000,
    symmetry: 0.7, non_manifold: 0.05, normals: 0.95, wheels: 4 }
iteration:
  template_fallback: { templates: { car: car_sedan_template_v001, suv: car_suv_template_v001 } }
`;

let sedan: Built;
beforeAll(async () => {
  sedan = (await buildTemplates([1])).find(({ name }) => name === "car_sedan_template_v001")!;
}, 120_000);

/** A project with the gate, and the sedan spoiled in these ways. */
async function projectWith(...ways: string[]): Promise<Folder> {
  const at = new Folder();
  await at.write("gates/shape.yaml", gate);
  let { model }: { model: Model } = sedan;
  for (const way of ways) model = await mutations.find(({ name }) => name === way)!.make(model, "car");
  await writeFile(join(at.dir, "start.glb"), await meshToGlb(model));
  return at;
}

async function createIssue(at: Folder, prompt: string): Promise<string> {
  const words = ["issue", "create", "--title", "a sedan", "--kind", "car", "--gate", "shape", "--prompt", prompt];
  return (await at.cli(words)).stdout.trim();
}

describe("loopwright fab", () => {
  it("repairs a broken asset by issues of their own until it passes, and puts it into the library", async () => {
    using at = await projectWith("a wheel missing", "ten times too large");
    const issue = await createIssue(at, "a sedan");
    const ended = await at.cli(`fab ${issue} --from start.glb`);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { links } = (await at.document(`fab lineage ${issue}`)) as unknown as { links: object[] };
    expect(links).toMatchObject([
      { iteration_index: 0, outcome: "superseded", codes: expect.arrayContaining(["GEO_SCALE_IMPLAUSIBLE"]) },
      { iteration_index: 1, outcome: "superseded", plan: "Repair the last asset: GEO_SCALE_IMPLAUSIBLE." },
      { iteration_index: 2, outcome: "done", codes: [] },
    ]);
    const { issues } = (await at.document("issue list --all")) as unknown as { issues: Record<string, unknown>[] };
    expect(issues).toMatchObject([
      { id: issue, status: "closed", priority: "P2" },
      { title: "[REPAIR] a sedan (iter 1)", status: "closed", priority: "P1" },
      { title: "[REPAIR] a sedan (iter 2)", status: "closed", priority: "P0" },
    ]);
    for (const file of ["asset.glb", "asset.blend", "manifest.json"])
      expect(existsSync(join(at.dir, "library", issue, file)), file).toBe(true);
    expect((await at.cli(`fab ${issue}`)).stdout).toContain(`${issue} is closed`);
  });
});
