// The loft workcell: a hull from named parameters, in this process, with no other program. Its snapshot is its code.

import type { Json, WorkcellOptions } from "@loopwright/core";
import { type Frame, meshToGlb, pictureToPng, shade, type ViewName, viewNames } from "@loopwright/mesh";
import type { ModelingCell } from "../workcell/cells.ts";
import { loft } from "./loft.ts";
import { applyCode, type HullParameters, middleHull, parametersToCode } from "./parameters.ts";

/** One hull, and the snapshot that it stands at. */
export class LoftCell implements ModelingCell {
  #hull: HullParameters = middleHull;
  #at: string | undefined;

  get at(): string | undefined {
    return this.#at;
  }

  async execute(code: string): Promise<Json> {
    const before = this.#hull;
    this.#hull = applyCode(before, code);
    this.#at = undefined;
    const names = Object.keys(this.#hull) as (keyof HullParameters)[];
    return { changed: names.filter((name) => this.#hull[name] !== before[name]) };
  }

  async scene(): Promise<Json> {
    return { parameters: { ...this.#hull } };
  }

  async render(frame: Frame, size: number): Promise<Record<ViewName, Uint8Array>> {
    const mesh = loft(this.#hull);
    const pictures = viewNames.map((view) => [view, pictureToPng(shade(mesh, view, frame, size))]);
    return Object.fromEntries(pictures) as Record<ViewName, Uint8Array>;
  }

  exportGlb(): Promise<Uint8Array> {
    return meshToGlb(loft(this.#hull), { name: "hull", extras: { ...this.#hull } });
  }

  async check(): Promise<void> {}

  async snapshot(): Promise<string> {
    this.#at = parametersToCode(this.#hull);
    return this.#at;
  }

  async restore(snapshot: string): Promise<void> {
    this.#hull = applyCode(middleHull, snapshot);
    this.#at = snapshot;
  }

  async stop(): Promise<void> {}
}

/** Starts a loft: at a snapshot, or with the hull in the middle of every range. */
export const startLoft = async ({ snapshot }: Pick<WorkcellOptions, "snapshot">): Promise<LoftCell> => {
  const cell = new LoftCell();
  if (snapshot !== undefined) await cell.restore(snapshot);
  return cell;
};
