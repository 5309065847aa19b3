// A project of the fab loop: a gate that asks for what is measured without pictures by Blender, and an asset to begin with.

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Model } from "@loopwright/mesh";
import { Folder } from "./cli.ts";
import { type ShapeGate, shapeGate, spoiled } from "./fab-gate.ts";

export interface FabProject {
  /** What the asset is spoiled by, one after another. */
  ways?: readonly string[];
  of?: Model;
  /** The gate, changed. */
  gate?: (gate: ShapeGate) => Partial<ShapeGate>;
}

/** A folder with gates/shape.yaml and start.glb. */
export async function fabProject({ ways = [], of, gate = () => ({}) }: FabProject = {}): Promise<Folder> {
  const at = new Folder();
  await at.write("gates/shape.yaml", JSON.stringify({ ...shapeGate, ...gate(shapeGate) }));
  writeFileSync(join(at.dir, "start.glb"), await spoiled(ways, of));
  return at;
}

/** An issue for a car at that gate; its id. */
export async function createIssue(
  at: Folder,
  { title = "a sedan", prompt = "a car", priority = "P2", from = "" } = {},
) {
  const asset = ["--kind", "car", "--gate", "shape", "--prompt", prompt, ...(from && ["--set", `from=${from}`])];
  const ended = await at.cli(["issue", "create", "--title", title, ...asset, "--priority", priority]);
  if (ended.code !== 0) throw new Error(ended.stderr);
  return ended.stdout.trim();
}

/** What makes a Blender die when it is to import a glTF. */
export const DYING = "import io_scene_gltf2, os; io_scene_gltf2.ImportGLTF2.execute = lambda *_: os.abort()";

/** The real Blender with some Python that it runs first, by the path that it is found at. */
export function spoiledBlender(folder: string, real: string, python: string): string {
  const path = join(folder, "blender");
  const lines = ["#!/bin/sh", `[ "$1" = --version ] && exec ${real} --version`];
  writeFileSync(path, `${[...lines, `exec ${real} --background --python-expr '${python}' "$@"`].join("\n")}\n`);
  chmodSync(path, 0o755);
  return path;
}
