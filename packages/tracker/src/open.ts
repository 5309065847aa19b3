// Opens a project's tracker: Loopwright's own, or beads.

import { userInfo } from "node:os";
import { BeadsTracker } from "./beads/tracker.ts";
import type { JsonObject } from "./issue.ts";
import { SqliteTracker } from "./sqlite/tracker.ts";
import type { Tracker } from "./tracker.ts";

/** Whose issues are opened, and who keeps them. */
export interface TrackerOptions {
  /** The project's folder. */
  dir: string;
  /** Loopwright's own where it is left out. */
  kind?: "own" | "beads";
  /** Who changes issues, for their history; the user where it is left out. */
  by?: string;
}

/** Opens a tracker. Its issues' assets are what whoever creates them says. */
export async function openTracker<Asset extends JsonObject = JsonObject>(
  options: TrackerOptions,
): Promise<Tracker<Asset>> {
  const { dir, kind = "own", by = userName() } = options;
  const tracker = kind === "beads" ? BeadsTracker.open(dir, by) : await SqliteTracker.open(dir, by);
  return tracker as unknown as Tracker<Asset>;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "someone";
  }
}
