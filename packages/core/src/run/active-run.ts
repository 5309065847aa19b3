// An active run: a run with its writer. It alone commits, one batch after another (L1, L4).
//
// What is waiting while a commit is under way goes into the next one together. A commit that fails ends the run's
// activity: nothing after it can be written, and nothing that was not written is seen.

import type { Loop } from "../define.ts";
import { errorToRecord, UsageError } from "../errors.ts";
import type { AnswerPolicy } from "../gates.ts";
import type {
  Clock,
  Commit,
  Journal,
  Lease,
  Message,
  Model,
  Row,
  RunView,
  Signal,
  Store,
  WorkcellStart,
} from "../ports.ts";
import { linkOf, outline } from "../record/chain.ts";
import type {
  Artifact,
  CeilingHit,
  Ceilings,
  DurableEvent,
  EventListener,
  LoopEvent,
  ProcessId,
  Stamp,
  StampedEvent,
  TransientEvent,
  Usage,
} from "../record/events.ts";
import { applyEvent, type RunRecord, slot } from "../record/fold.ts";
import { type Json, sha256 } from "../record/json.ts";
import { type LoadedRun, recordToFold } from "../record/load.ts";
import { applyPatch, type State } from "../record/patch.ts";
import { type Redact, redactBytes, redactEvent } from "../record/redact.ts";
import { addUsage, ceilingHit, lessUsage, noUsage } from "../rules/ceilings.ts";
import { inFlight } from "./charges.ts";

/** What an event tells outside, before it is part of the record. */
export type DraftMessages = (event: StampedEvent, record: RunRecord, input: Json) => readonly Draft[];
type Draft = Pick<Message, "to" | "body">;

/** What an engine is made with. */
export interface Ports {
  journal: Journal;
  store: Store;
  clock: Clock;
  process: ProcessId;
  view?: RunView;
  /** The model of a role, which one of several attempts may have of its own. */
  models?: (role: string, attempt?: number) => Model;
  workcells?: Readonly<Record<string, WorkcellStart>>;
  /** Why everything must stop, if it must. */
  killSwitch?: () => string | undefined;
  answers?: AnswerPolicy;
  /** Limits of runs that are started without one of their own. */
  ceilings?: Partial<Ceilings>;
  /** The folder of the project that the runs belong to, where there is one. */
  project?: string;
  /** Takes secrets out of what a model is asked and of all that is recorded, told or saved. */
  redact?: Redact;
  /** What is to be told outside of a run; it is written with the event that it is about, and sent by whoever comes by. */
  messages?: DraftMessages;
  on?: EventListener;
}

/** Where in a run's folder a file is saved: beside what its iteration, its attempt or the whole run has made. */
export type SavePlace = "iteration" | "attempt" | "run";

interface Outlined {
  full: DurableEvent;
  raw: DurableEvent;
  blobs: Map<string, string>;
}

interface Waiting {
  events: readonly Outlined[];
  taken: readonly string[];
  done: () => void;
  failed: (error: unknown) => void;
}

const KEEP_AFTER = 128 * 1024;

export class ActiveRun {
  readonly ports: Ports;
  readonly loop: Loop;
  readonly record: RunRecord;
  readonly lease: Lease;
  readonly input: Json;
  readonly config: Json;
  readonly parent: ActiveRun | undefined;
  /** Child runs under way, by the key of their effect: what they use counts here before it is recorded (L5). */
  readonly children = new Map<string, ActiveRun>();
  /** What the effects that are about to be started may use, until that is on record. */
  readonly reserved = new Set<Partial<Usage>>();
  /** What others want of the run, as its last commit found it. */
  signals: readonly Signal[] = [];
  state: State;
  #baseActive: number;
  #attachedAt: number;
  #waiting: Waiting[] = [];
  #flushing = false;
  #failure: unknown;
  #sinceFold: number;
  #foldSize = 0;
  #headAt = 0;

  constructor(ports: Ports, loop: Loop, loaded: LoadedRun, lease: Lease, parent?: ActiveRun) {
    this.ports = ports;
    this.loop = loop;
    this.record = loaded.record;
    this.state = loaded.state;
    this.input = loaded.input;
    this.config = loaded.config;
    this.lease = lease;
    this.parent = parent;
    // How far back the last fold of a run lies that is taken up is not known: the next commit keeps one.
    this.#sinceFold = this.record.seq === 0 ? 0 : Number.POSITIVE_INFINITY;
    this.#baseActive = Math.max(this.record.active, lease.active);
    this.#attachedAt = ports.clock.steady();
  }

  /** Milliseconds that this run has been active in all, over all its writers. */
  active(): number {
    return Math.round(this.#baseActive + this.ports.clock.steady() - this.#attachedAt);
  }

  /** Writes events in one commit; returns when they are on disk. */
  async commit(events: readonly DurableEvent[], taken: readonly string[] = []): Promise<void> {
    const outlined = events.map((event) => {
      const full = redactEvent(event, this.ports.redact);
      return { full, ...outline(full) };
    });
    await new Promise<void>((done, failed) => {
      this.#waiting.push({ events: outlined, taken, done, failed });
      if (!this.#flushing) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#failure) throw this.#failure;
        await this.#write(batch);
        for (const { done } of batch) done();
      } catch (error) {
        this.#failure = error;
        for (const { failed } of batch) failed(error);
      }
    }
    this.#flushing = false;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const stamp = { at: Math.max(this.ports.clock.now(), this.record.at), active: this.active() };
    const events = batch.flatMap((waiting) => waiting.events);
    const { rows, blobs, stamped } = encode(events, this.record, stamp);
    const taken = batch.flatMap((waiting) => waiting.taken);
    const files: string[] = [];
    // Before the commit: a crash in between leaves a copy too many, which the effect's next try replaces.
    for (const { full } of stamped) {
      if (full.type !== "artifact-saved") continue;
      files.push(full.artifact.digest);
      await warnOnFailure(`a view failed on ${full.artifact.path}`, () =>
        this.ports.view?.saved(this.record.folder, full.artifact),
      );
    }
    const messages = stamped.flatMap((event) => messagesOf(this, event));
    const fold = this.#sinceFold > Math.max(KEEP_AFTER, this.#foldSize) ? recordToFold(this.record) : undefined;
    if (fold) [this.#sinceFold, this.#foldSize] = [0, fold.body.length];
    const commit = { rows, blobs, files, taken, messages, ...(fold && { fold }) };
    this.signals = await this.ports.journal.append(this.lease, commit);
    for (const row of rows) this.#sinceFold += row.body.length;
    await this.take(stamped);
  }

  /** Takes committed events into the record, and tells everyone. */
  async take(stamped: readonly Stamped[]): Promise<void> {
    for (const { full, raw, seq, link } of stamped) {
      applyEvent(this.record, raw);
      Object.assign(this.record, { seq, link });
      if (full.type === "phase-finished") this.state = applyPatch(this.state, full.patch);
      if (full.type === "run-migrated") this.state = full.state;
      this.#tell({ ...full, run: this.record.run, seq });
    }
    await this.#showHead(false);
  }

  /** Stores a file, its bytes before the row that names it. Iteration n has the folder `iter-00n`; what is saved before the
   * first stands in `iter-000`. */
  async save(name: string, bytes: Uint8Array | string, place: SavePlace, iteration = 0): Promise<Artifact> {
    const data = redactBytes(bytes, this.ports.redact);
    const attempt = this.record.attempt === "" ? "" : `${this.record.attempt}/`;
    const folders = { run: "", attempt, iteration: `${attempt}iterations/iter-${String(iteration).padStart(3, "0")}/` };
    const path = `${folders[place]}${checkName(name)}`;
    return { path, digest: await this.ports.store.put(data), size: data.byteLength };
  }

  show(event: TransientEvent): void {
    this.#tell({ ...redactEvent(event, this.ports.redact), run: this.record.run, at: this.ports.clock.now() });
  }

  #tell(event: LoopEvent): void {
    const { on } = this.ports;
    if (on) void warnOnFailure(`a listener failed on ${event.type}`, () => on(structuredClone(event)));
  }

  async #showHead(stopped: boolean): Promise<void> {
    const { view } = this.ports;
    if (!view) return;
    const now = this.ports.clock.steady();
    if (!stopped && this.#headAt !== 0 && now - this.#headAt < 1000) return;
    this.#headAt = now;
    await warnOnFailure(`a view failed on run ${this.record.run}`, () => view.show(this.record, this.input, stopped));
  }

  /** What was used, and what the effects under way here and in child runs may yet use. */
  usage(): Usage {
    const estimates = inFlight(this.record).map(({ effect }) => effect.estimate ?? {});
    const owed = [...this.children.keys()].map((key) => this.owed(key));
    return [...estimates, ...this.reserved, ...owed].reduce<Usage>(addUsage, this.record.usage);
  }

  /** What the child run of an effect has used, and this run is not charged with yet. */
  owed(key: string): Usage {
    const used = this.children.get(key)?.usage() ?? noUsage;
    return lessUsage(used, this.record.effects[slot(key)]?.charged ?? noUsage);
  }

  /** The ceiling that an act of this cost would break. */
  hit(estimate: Partial<Usage> = {}, iterations: number = this.record.iterations): CeilingHit | undefined {
    const active = this.active();
    return ceilingHit(this.record.ceilings, {
      ...addUsage(this.usage(), estimate),
      iterations,
      minutes: active / 60_000,
      phaseMinutes: this.record.entry ? (active - this.record.entryActive) / 60_000 : 0,
    });
  }

  /** Milliseconds until the first ceiling on time is reached. */
  timeLeft(): number {
    const { minutes, phaseMinutes }: Ceilings = this.record.ceilings;
    const active = this.active();
    return Math.min(minutes * 60_000 - active, phaseMinutes * 60_000 - (active - this.record.entryActive));
  }

  /** Lets go of the run: keeps the fold and the folder's head, and gives the lease back. */
  async detach(): Promise<void> {
    const fold = this.#failure ? undefined : recordToFold(this.record);
    await this.ports.journal.yield(this.lease, this.active(), fold);
    if (this.#failure) return;
    await this.#showHead(true);
  }
}

/** Refuses a name that could leave the run's folder. */
function checkName(name: string): string {
  const isSafe = name.split("/").every((part) => /^[^\\\0:]+$/.test(part) && part !== "." && part !== "..");
  if (isSafe) return name;
  const message = `'${name}' is no name for an artifact: use a relative path without '..', '\\' or ':'`;
  throw new UsageError("ARTIFACT_NAME", message);
}

/** Outlined events as rows that follow a record, and as they are with their time. */
export function encode(
  events: readonly Outlined[],
  record: Pick<RunRecord, "seq" | "link">,
  stamp: Stamp,
): Commit & { stamped: Stamped[] } {
  const blobs = new Map<string, string>();
  const rows: Row[] = [];
  let { seq, link } = record;
  const stamped = events.map(({ full, raw, blobs: own }) => {
    for (const [digest, text] of own) blobs.set(digest, text);
    const event = { ...raw, ...stamp };
    const body = JSON.stringify(event);
    link = linkOf(link, body);
    rows.push({ seq: ++seq, body, link });
    return { full: { ...full, ...stamp }, raw: event, seq, link };
  });
  return { rows, blobs, stamped };
}

interface Stamped {
  full: StampedEvent;
  raw: StampedEvent;
  seq: number;
  link: string;
}

/** The messages of an event that is about to be committed. */
function messagesOf({ ports, record, input }: ActiveRun, { full, link }: Stamped): Omit<Message, "tries">[] {
  const place = { run: record.run, at: full.at };
  const id = (to: string) => sha256(`${link} ${to}`).slice(0, 32);
  return (ports.messages?.(full, record, input) ?? []).map(({ to, body }) => ({ id: id(to), ...place, to, body }));
}

/** Does something that a run must survive: its failure, at once or later, is a warning. */
async function warnOnFailure(what: string, act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    process.emitWarning(`${what}: ${errorToRecord(error).message}`);
  }
}
