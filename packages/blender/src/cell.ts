// Blender as a workcell of a loop: one for each run and attempt, in a folder of its own. Scenes that a loop may come back to
// are kept beside it, where they outlive the process.

import { join } from "node:path";
import type { WorkcellStart } from "@loopwright/core";
import { Blender } from "./blender.ts";
import type { BlenderOptions } from "./options.ts";

/** What the workcells of a Blender are made with. */
export interface BlenderCellOptions extends Omit<BlenderOptions, "folder" | "snapshots"> {
  /** Where runs keep the scenes that they may come back to: each run in a folder of its own. */
  state: string;
}

/** Starts Blenders: each at a snapshot of its run, or at the baseline. */
export function blenderCells({ state, ...options }: BlenderCellOptions): WorkcellStart<Blender> {
  return async ({ snapshot, run, folder }) => {
    const cell = await Blender.start({ ...options, ...(folder && { folder }), snapshots: join(state, run) });
    try {
      if (snapshot !== undefined) await cell.restore(snapshot);
      return cell;
    } catch (error) {
      await cell.stop();
      throw error;
    }
  };
}
