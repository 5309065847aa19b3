// Reading a run: its events, how it stands, its state and its files, for everything that looks at one.
//
// Nothing here takes a lease or writes: a run is read while another process is at it, and is none the wiser.

import { setTimeout } from "node:timers/promises";
import type { Journal, Store } from "./ports.ts";
import { fileReleased, inline, inlineEvent } from "./record/chain.ts";
import type { Artifact, GateRecord, RecordedEvent } from "./record/events.ts";
import { type RunRecord, waitingGateOf } from "./record/fold.ts";
import type { Json } from "./record/json.ts";
import { damaged, loadRecord, loadRun, parseRow, type RunSummary, runNotFound, summarize } from "./record/load.ts";
import type { State } from "./record/patch.ts";

/** Which events of a run are read, and whether new ones are waited for. */
export interface EventsOptions {
  /** The sequence number of the last event that is known already; from the first one where it is left out. */
  after?: number;
  /** Goes on as the run does, in whatever process, until it has ended. */
  follow?: boolean;
  /** Ends the reading, not the run. */
  signal?: AbortSignal;
  /** With `follow`: the milliseconds from one look at the journal to the next. */
  every?: number;
  /** Leaves large values as their names: quicker, where none is needed. */
  outlined?: boolean;
}

/** A run as its last commit left it: `events(run, { after: seq, follow: true })` goes on from there. */
export interface RunState
  extends RunSummary,
    Pick<RunRecord, "run" | "seq" | "version" | "folder" | "input" | "config" | "entry" | "ended"> {
  /** Whole, as the next phase would get it. */
  state: State;
  /** The gate that it waits at, its child's included, and the run that the gate belongs to. */
  gate?: GateRecord & { run: string };
}

/** A file that a run has saved, with the iteration that it was saved in and a way to its bytes. */
export interface SavedArtifact extends Artifact {
  iteration: number;
  /** The bytes; throws ARTIFACT_RELEASED where they were given up, ARTIFACT_MISSING or ARTIFACT_CHANGED. */
  read(): Promise<Uint8Array>;
}

/** What looks at runs: their events, how they stand, their states and their files. */
export class Reader {
  readonly ports: { readonly journal: Journal; readonly store: Store };

  constructor(ports: Reader["ports"]) {
    this.ports = ports;
  }

  /**
   * A run's events in order, each as listeners get it. Large values are whole; one that is gone says so (`isGone`).
   * With `follow` it waits while the run waits at a gate or was cut off, for both can go on; it ends with the run.
   */
  async *events(
    run: string,
    { after = 0, follow = false, signal, every = 200, outlined = false }: EventsOptions = {},
  ): AsyncGenerator<RecordedEvent, void, undefined> {
    const { journal } = this.ports;
    let hasEnded = after > 0 && (await this.record(run)).ended !== undefined;
    let last = after;
    for (;;) {
      const rows = await journal.read(run, last);
      if (rows.length === 0 && last === 0) throw runNotFound(run);
      for (const row of rows) {
        if (signal?.aborted) return;
        if (row.seq !== last + 1) throw damaged(run, last + 1);
        const event = parseRow(run, row);
        last = row.seq;
        hasEnded = event.type === "run-ended" || (hasEnded && event.type !== "run-resumed");
        yield { ...(outlined ? event : await inlineEvent(event, journal)), run, seq: row.seq };
      }
      if (!follow || hasEnded) return;
      // An abort ends the wait; whoever gave the signal knows why.
      await setTimeout(every, undefined, signal && { signal }).catch(() => {});
      if (signal?.aborted) return;
    }
  }

  /** How a run stands, as its events amount to; large values are only named, so that it is there when they are gone. */
  record(run: string): Promise<RunRecord> {
    return loadRecord(this.ports.journal, run);
  }

  /** The runs of which each took over from the one before, the first of them first, by any of them or its record. */
  async chain(run: string | RunRecord): Promise<RunRecord[]> {
    const record = typeof run === "string" ? await this.record(run) : run;
    const chain = [record];
    while (chain[0]!.after) chain.unshift(await this.record(chain[0]!.after!.run));
    for (let next = record.ended?.by?.run; next !== undefined; next = chain.at(-1)!.ended?.by?.run) {
      if (!(await this.ports.journal.runs(next)).includes(next)) break;
      chain.push(await this.record(next));
    }
    return chain;
  }

  /** What a run was started with, whole; throws VALUE_RELEASED where it was given up. */
  async given({ input, config }: RunRecord): Promise<{ input: Json; config: Json }> {
    const { journal } = this.ports;
    return { input: await inline(input, journal), config: await inline(config, journal) };
  }

  /** A run as its last commit left it, all of it whole; throws VALUE_RELEASED where it was given up. */
  async state(run: string): Promise<RunState> {
    const { record, state, input, config } = await loadRun(this.ports.journal, run);
    const { seq, version, folder, entry, ended } = record;
    const gate = waitingGateOf(record);
    return {
      ...summarize(record),
      ...{ run, seq, version, folder, input, config, state },
      ...(entry && { entry }),
      ...(ended && { ended }),
      ...(gate && { gate }),
    };
  }

  /** Every file that a run has saved, in order; one that was saved again is there again. */
  async artifacts(run: string): Promise<SavedArtifact[]> {
    const found: SavedArtifact[] = [];
    let iteration = 0;
    for await (const event of this.events(run, { outlined: true })) {
      if (event.type === "artifact-saved")
        found.push({ ...event.artifact, iteration, read: () => this.load(event.artifact) });
      if ("enter" in event && event.enter) iteration = event.enter.iteration;
    }
    return found;
  }

  async load({ path, digest }: Artifact): Promise<Uint8Array> {
    if (await this.ports.journal.isFileReleased(digest)) throw fileReleased(path);
    return this.ports.store.get(digest);
  }
}
