// A target as a task of the hull loop.

import { HullTask } from "@loopwright/hull";
import { maskToPicture, pictureToPng, silhouette } from "@loopwright/mesh";
import type { Target } from "./targets.ts";

const SIZE = 512;

/** The task of fitting a target. It goes beyond the .95 that counts as reached, and stops where little is left to win. */
export function targetToTask({ mesh, frame }: Target): HullTask {
  const picture = (view: "front" | "side" | "top") =>
    Buffer.from(pictureToPng(maskToPicture(silhouette(mesh, view, frame, SIZE)))).toString("base64");
  return HullTask.parse({
    task_description: "fit a target of the bench",
    references: { front: picture("front"), side: picture("side"), top: picture("top") },
    frame,
    score_threshold: 0.97,
    max_iterations: 16,
    stagnation: { window: 6, range: 0.001 },
    history_window: 6,
    search: { evaluations: 250, size: 256 },
  });
}
