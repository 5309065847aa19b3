// Artifacts: files that a run makes. Their bytes go to the store, by content, before the row that names them; the run
// folder holds copies for people.

import { type LoopwrightError, UsageError } from "../errors.ts";
import type { Artifact } from "../record/events.ts";
import type { ActiveRun } from "./active-run.ts";

/** What the engine itself writes into a run's folder. */
const RESERVED = new Set(["run.json", "summary.json", "report.html"]);

/** Stores a file of an iteration, of the whole attempt where the iteration is 0, or of the run where its name begins
 * with `/`. */
export async function save(
  run: ActiveRun,
  name: string,
  bytes: Uint8Array | string,
  iteration: number,
): Promise<Artifact> {
  const data = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  const folder = iteration === 0 ? "" : `iterations/iter-${String(iteration - 1).padStart(3, "0")}/`;
  const attempt = run.record.attempt === "" ? "" : `${run.record.attempt}/`;
  const path = name.startsWith("/") ? checkName(name.slice(1)) : `${attempt}${folder}${checkName(name)}`;
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
