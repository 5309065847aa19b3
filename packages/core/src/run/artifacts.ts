// Artifacts: files that a run makes. Their bytes go to the store, by content, before the row that names them; the run
// folder holds copies for people.

import { type LoopwrightError, UsageError } from "../errors.ts";
import type { Artifact } from "../record/events.ts";
import { redactBytes } from "../record/redact.ts";
import type { ActiveRun } from "./active-run.ts";

/** What the engine itself writes into a run's folder. */
const RESERVED = new Set(["run.json", "summary.json", "report.html"]);

/** Where in a run's folder a file is saved: beside what its iteration, its attempt or the whole run has made. */
export type SavePlace = "iteration" | "attempt" | "run";

/** Stores a file. Iteration n has the folder `iter-00n`; what is saved before the first stands in `iter-000`. */
export async function save(
  run: ActiveRun,
  name: string,
  bytes: Uint8Array | string,
  place: SavePlace,
  iteration = 0,
): Promise<Artifact> {
  const data = redactBytes(bytes, run.ports.redact);
  const attempt = run.record.attempt === "" ? "" : `${run.record.attempt}/`;
  const folders = { run: "", attempt, iteration: `${attempt}iterations/iter-${String(iteration).padStart(3, "0")}/` };
  const path = `${folders[place]}${checkName(name)}`;
  if (RESERVED.has(path)) throw invalidName(name);
  return { path, digest: await run.ports.store.put(data), size: data.byteLength };
}

/** Refuses a name that could leave the run's folder. */
function checkName(name: string): string {
  const parts = name.split("/");
  const isSafe = parts.every((part) => /^[^\\\0:]+$/.test(part) && part !== "." && part !== "..");
  if (!isSafe) throw invalidName(name);
  return name;
}

function invalidName(name: string): LoopwrightError {
  return new UsageError(
    "ARTIFACT_NAME",
    `'${name}' is no name for an artifact: use a relative path without '..', '\\' or ':'`,
  );
}
