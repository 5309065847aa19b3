// The category check: is the asset what its gate is for? From wheels, seats, proportions and outlines, at any size.

import type { Mesh } from "@loopwright/mesh";
import { found } from "../../playbook.ts";
import type { MeasuredCritic } from "../critic.ts";
import { likenessToCar } from "./car.ts";
import { likenessToChair } from "./chair.ts";
import { DETECTED, type Likeness } from "./likeness.ts";

/** The kinds that can be told by measuring. A gate for another kind needs a model for its category. */
const kinds: Readonly<Record<string, (mesh: Mesh) => Likeness>> = { car: likenessToCar, chair: likenessToChair };

/** Whether a kind can be told by measuring. */
export function isMeasuredKind(kind: string): boolean {
  return Object.hasOwn(kinds, kind);
}

/** From this score on, it is a clear case. */
const CLEAR = 0.7;

/** Whether the asset is what its gate says that it is. */
export const category: MeasuredCritic = {
  name: "category",
  missing: ({ gate }) =>
    isMeasuredKind(gate.kind)
      ? undefined
      : `a ${gate.kind} cannot be told by measuring, only ${Object.keys(kinds).join(" and ")} can: set critics.category.by to model`,
  look: ({ model, gate }) => {
    const { score, isUpsideDown, against } = kinds[gate.kind]!(model);
    const words = against.length > 0 ? against.join(", ") : `stands and is shaped as a ${gate.kind}`;
    const code = score < DETECTED ? "CAT_NO_<KIND>_DETECTED" : score < CLEAR ? "CAT_LOW_CONFIDENCE" : undefined;
    return {
      score,
      findings: code ? [found(code, words, { kind: gate.kind })] : [],
      reason: `${score < DETECTED ? "no " : isUpsideDown ? "upside down, a " : "a "}${gate.kind}: ${words}`,
    };
  },
};

/** Whether an asset is of its gate's kind once it is turned over. */
export function isUpsideDown(model: Mesh, kind: string): boolean {
  return kinds[kind]?.(model).isUpsideDown ?? false;
}
