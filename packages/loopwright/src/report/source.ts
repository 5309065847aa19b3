// What a report is made from.

import type { Artifact, Json, Legend, NextStep, PassesAt, RunRecord, StampedEvent } from "@loopwright/core";
import type { Notes } from "../loops/notes.ts";

/** Everything that the page of a run shows. The same source gives the same bytes. */
export interface ReportSource {
  /** How the run stands. */
  record: RunRecord;
  input: Json;
  /** Every event of the run in order; large values may be names of blobs. */
  events: readonly StampedEvent[];
  /** The bytes of an artifact; throws where they are gone. */
  load(artifact: Artifact): Promise<Uint8Array>;
  /** The loop's notes in words. */
  notes?: Notes;
  /** What the colors of the loop's pictures mean, by the file's name. */
  legends?: Readonly<Record<string, Legend>>;
  /** The score that passes, as the loop's package has it. */
  passesAt?: PassesAt;
  /** What to type next. */
  next: readonly NextStep[];
  /** The runs that this one has started, where that is known: each is linked. */
  children?: readonly ChildRun[];
}

/** A child run as its parent's page names it. */
export interface ChildRun {
  run: string;
  folder: string;
  /** How it stands, in words. */
  status: string;
  score: number | null;
}
