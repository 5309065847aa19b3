// A target of a wider family than the builder's, fitted by search on the real Blender, killed once with SIGKILL and resumed.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { glbToMesh, overlap, silhouette } from "@loopwright/mesh";
import { drawTarget, type Target } from "../fixtures/hull/targets.ts";
import { targetToTask } from "../fixtures/hull/task.ts";
import { runUntilKilled } from "./hull-kills.ts";

const views = ["front", "side", "top"] as const;

/** Writes a target as a project's task. */
function writeTask(dir: string, target: Target): void {
  const { references, workcell: _, builder: __, ...task } = targetToTask(target);
  mkdirSync(join(dir, "references"));
  for (const view of views)
    writeFileSync(join(dir, "references", `${view}.png`), Buffer.from(String(references[view]), "base64"));
  const paths = Object.fromEntries(views.map((view) => [view, `references/${view}.png`]));
  writeFileSync(join(dir, "task.yaml"), JSON.stringify({ ...task, references: paths }));
}

/** Fits a target, killed once on the way. */
export async function fitTarget(seed: number) {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-hull-soak-"));
  try {
    const target = drawTarget(seed);
    writeTask(dir, target);
    const words = ["hull", "--builder", "search", "--task", join(dir, "task.yaml"), "--seed", String(seed)];
    const at = (["setup", "build", "execute", "evaluate"] as const)[seed % 4]!;
    let last = await runUntilKilled([...words, "--dir", dir], [{ at, victim: "both" }]);
    const isKilled = last.signal === "SIGKILL";
    if (isKilled) last = await runUntilKilled(["resume", "--continue", "--dir", dir], []);
    const folder = join(dir, "runs", readdirSync(join(dir, "runs")).find((name) => !name.startsWith("."))!);
    const summary = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8"));
    const scores = (summary.scores as { score: number }[]).map(({ score }) => score);
    const mesh = await glbToMesh(readFileSync(join(folder, "attempt-000/final.glb")));
    const overlaps = views.map((view) =>
      overlap(silhouette(mesh, view, target.frame, 512), silhouette(target.mesh, view, target.frame, 512)),
    );
    return {
      isCompleted: [0, 3, 4].includes(last.code as number),
      isKilled,
      isWhole: isWhole(folder, summary.iterations),
      start: scores[0]!,
      score: Math.max(...scores),
      iou: overlaps.reduce((sum, each) => sum + each, 0) / views.length,
      iterations: summary.iterations as number,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Whether every file of every iteration is there. */
function isWhole(folder: string, iterations: number): boolean {
  const each = ["plan.txt", "code.py", "execution.json", "feedback.json", "scene.glb", "scene.blend"];
  const pictures = ["front", "side", "top", "iso"].map((view) => `renders/${view}.png`);
  const names = [
    ...["run.json", "baseline.blend", "summary.json", "attempt-000/config.json", "attempt-000/final_score.json"],
    ...["attempt-000/final.blend", "attempt-000/final.glb"],
    ...Array.from(
      { length: iterations },
      (_, i) => `attempt-000/iterations/iter-${String(i + 1).padStart(3, "0")}`,
    ).flatMap((iteration) => [...each, ...pictures].map((name) => `${iteration}/${name}`)),
  ];
  return names.every((name) => existsSync(join(folder, name)));
}
