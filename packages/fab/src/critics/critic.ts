// What critics look at, and where each is kept. A measured critic needs no model: the same file has the same score.

import type { Critic, Opinion } from "@loopwright/core";
import type { MeshReport, Model } from "@loopwright/mesh";
import type { CriticName, GateConfig } from "../gate/schema.ts";

/** Everything that is known of an asset. */
export interface Evidence {
  /** The triangles with parts, materials and textures: meters, z up, as the file has them. */
  readonly model: Model;
  /** Its figures, and the usual checks of its mesh. */
  readonly report: MeshReport;
  /** Where its front looks, in degrees from +x towards +y: the canonical views stand round this. */
  readonly front: number;
  readonly gate: GateConfig;
  /** What was asked for; undefined where nobody has said. */
  readonly prompt: string | undefined;
  /** Pictures by a clean Blender; none where there is no Blender, and then why. They are made where a gate has realism measured. */
  readonly renders: readonly Render[];
  readonly noRenders: string | undefined;
}

/** One picture of an asset, as a PNG. */
export interface Render {
  /** Such as front_3q, or turntable_03. */
  readonly view: string;
  readonly style: "beauty" | "clay";
  readonly png: Uint8Array;
}

/** A critic that judges by measurement. */
export interface MeasuredCritic extends Critic<Evidence> {
  readonly name: CriticName;
  /** Why it cannot look at this evidence, where it cannot: no prompt, no renders. It is not asked then. */
  missing?(evidence: Evidence): string | undefined;
  look(evidence: Evidence): Opinion | Promise<Opinion>;
}
