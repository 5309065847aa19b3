// A project of the fab loop: a gate that asks for what is measured without pictures by Blender, and an asset to begin with.

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Model, meshToGlb } from "@loopwright/mesh";
import { car } from "./car.ts";
import { Folder } from "./cli.ts";
import { mutations, removeParts } from "./mutations.ts";

/** What a test's gate is made of. */
export const shapeGate = {
  gate_config_id: "shape",
  kind: "car",
  pass: 0.75,
  critics: {
    category: { weight: 0.4, floor: 0.7 },
    geometry: { weight: 0.4, floor: 0.6 },
    alignment: { weight: 0.2, floor: 0.5 },
  } as Record<string, object>,
  geometry: {
    ...{ length: [3, 6], width: [1.4, 2.5], height: [1, 2.5], triangles: [5000, 500_000], trivial: 1000 },
    ...{ symmetry: 0.7, non_manifold: 0.05, normals: 0.95, wheels: 4 },
  },
  iteration: {
    template_fallback: { templates: { car: "car_sedan_template_v001", suv: "car_suv_template_v001" } },
  } as { max_iterations?: number; escalation?: object; template_fallback: object },
};
export type ShapeGate = typeof shapeGate;

export interface FabProject {
  /** What the asset is spoiled by, one after another. */
  ways?: readonly string[];
  of?: Model;
  /** The gate, changed. */
  gate?: (gate: ShapeGate) => Partial<ShapeGate>;
}

/** An asset, spoiled in some ways. */
export async function spoiled(ways: readonly string[], of: Model = car() as Model): Promise<Uint8Array> {
  let model = of;
  for (const way of ways)
    model =
      way === "no wheels"
        ? removeParts(model, /front|rear/)
        : await mutations.find(({ name }) => name === way)!.make(model, "car");
  return meshToGlb(model);
}

/** A folder with gates/shape.yaml and start.glb. */
export async function fabProject({ ways = [], of, gate = () => ({}) }: FabProject = {}): Promise<Folder> {
  const at = new Folder();
  await at.write("gates/shape.yaml", JSON.stringify({ ...shapeGate, ...gate(shapeGate) }));
  writeFileSync(join(at.dir, "start.glb"), await spoiled(ways, of));
  return at;
}

/** An issue for a car at that gate; its id. */
export async function createIssue(at: Folder, { title = "a sedan", prompt = "a car", priority = "P2" } = {}) {
  const asset = ["--kind", "car", "--gate", "shape", "--prompt", prompt];
  const ended = await at.cli(["issue", "create", "--title", title, ...asset, "--priority", priority]);
  if (ended.code !== 0) throw new Error(ended.stderr);
  return ended.stdout.trim();
}

/** A Blender that dies when it is to import a glTF, by the path that it is found at. */
export function dyingBlender(folder: string, real: string): string {
  const path = join(folder, "blender");
  const die = "import io_scene_gltf2, os; io_scene_gltf2.ImportGLTF2.execute = lambda *_: os.abort()";
  const lines = ["#!/bin/sh", `[ "$1" = --version ] && exec ${real} --version`];
  writeFileSync(path, `${[...lines, `exec ${real} --background --python-expr '${die}' "$@"`].join("\n")}\n`);
  chmodSync(path, 0o755);
  return path;
}
