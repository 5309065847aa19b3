// Ports: what the core needs from outside, as types. It knows no implementation of any of them.

import type { EffectContext } from "./context.ts";
import type { Artifact, ProcessId, Usage } from "./record/events.ts";
import type { RunRecord } from "./record/fold.ts";
import type { Json } from "./record/json.ts";

/** One event as the journal keeps it: the text of its body, and the link that chains it to all before it. */
export interface Row {
  seq: number;
  body: string;
  link: string;
}

/** A right to write one run. A commit with an older token than the run's is refused. */
export interface Lease {
  run: string;
  token: number;
  /** The active milliseconds that the last holder had reported when it was last heard of. */
  active: number;
}

/** What can be said to a run from outside. */
export type SignalBody =
  | { kind: "answer"; choice: string; note?: string }
  | { kind: "cancel" }
  | { kind: "pause" }
  | { kind: "raise"; ceilings: Json };

/** A request of another process; only the run's writer moves it into the chain. */
export interface Signal {
  id: string;
  at: number;
  body: SignalBody;
}

/** The kept fold: a cache of what the rows up to seq amount to. */
export interface KeptFold {
  seq: number;
  link: string;
  body: string;
  /** What a list of runs shows of it, as text. */
  summary: string;
}

/** What a journal can tell of a run without reading its events. */
export interface KeptSummary {
  run: string;
  /** The kept fold's summary; undefined where events have come since, or there is none. */
  summary: string | undefined;
  holder: ProcessId | undefined;
}

/** What is written in one commit. */
export interface Commit {
  rows: readonly Row[];
  /** Digest → text of each large value; one that is there already is not written again. */
  blobs: ReadonlyMap<string, string>;
  /** Files of the store that these rows name: they are there, even if they were given up before. */
  files?: readonly string[];
  /** Signals that these rows have taken up. */
  taken?: readonly string[];
  /** What these rows have told outside: it waits in the outbox from now on. */
  messages?: readonly Omit<Message, "tries">[];
  fold?: KeptFold;
}

/** What is to be told outside of a run, written in one commit with the event that it is about. */
export interface Message {
  /** Its idempotency key: the same at every try, in whatever process. */
  id: string;
  run: string;
  at: number;
  /** The way that it goes, such as `webhook`. Where that leads is the configuration's to say: no address is kept. */
  to: string;
  body: string;
  /** How often it was tried; a try counts from its beginning. */
  tries: number;
}

/** Messages that are sent at least once each: what is neither removed nor postponed after a claim can be claimed again. */
export interface Outbox {
  isEmpty(): Promise<boolean>;
  /** Takes the oldest message that is due, by one of these ways: nobody else gets it before `until`. */
  claim(ways: readonly string[], now: number, until: number): Promise<Message | undefined>;
  postpone(id: string, due: number): Promise<void>;
  remove(id: string): Promise<void>;
}

/** What a release depends on, and what is done with it. */
export interface ReleaseOptions {
  /** The tokens as they were when it was decided what to release: where they have changed, nothing is released. */
  tokens?: number;
  /** Called in the same transaction: what it does is done before another process can write. */
  drop?: () => void;
}

/** Whether a value of the journal can be read. */
export type BlobState = { state: "here"; text: string } | { state: "released" | "missing" | "unreadable" | "changed" };

/** Where runs are kept. Asynchronous, and nothing in it speaks of a database. */
export interface Journal {
  readonly outbox: Outbox;
  /** A run and its first rows in one commit; false if the id is taken. */
  create(run: string, holder: ProcessId, commit: Commit): Promise<Lease | false>;
  /** Gives back the signals that wait for the run's writer. */
  append(lease: Lease, commit: Commit): Promise<Signal[]>;
  /** The rows of a run after a sequence number, in order. */
  read(run: string, after?: number): Promise<Row[]>;
  /** The kept fold, which is only a cache. */
  fold(run: string): Promise<KeptFold | undefined>;
  /** The runs whose id begins so, oldest first. */
  runs(prefix?: string): Promise<string[]>;
  summaries(): Promise<KeptSummary[]>;
  blob(digest: string): Promise<BlobState>;
  /** The sum of all runs' tokens: it is another one once a run was created, taken or given back. */
  tokens(): Promise<number>;
  /** Gives up these blobs, and remembers that they and these files of the store were given up; false if it did not. */
  release(blobs: readonly string[], files?: readonly string[], options?: ReleaseOptions): Promise<boolean>;
  /** Gives the room of what was released back to the disk. */
  compact(): Promise<void>;
  isFileReleased(digest: string): Promise<boolean>;
  /** Takes the lease of a run, or throws LEASE_HELD with the holder. */
  acquire(run: string, holder: ProcessId, options?: { take?: boolean }): Promise<Lease>;
  /** Says that the holder is alive; throws LEASE_LOST if it holds the run no longer. */
  beat(lease: Lease, active: number): Promise<void>;
  /** Gives the lease back, with the fold as it stands. */
  yield(lease: Lease, active: number, fold?: KeptFold): Promise<void>;
  /** Who holds a run; one that cannot be seen from here counts as alive. */
  holder(run: string, self: ProcessId): Promise<{ holder: ProcessId; alive: boolean } | undefined>;
  /** Leaves a signal; false if one with this id is there already. */
  signal(run: string, signal: Signal): Promise<boolean>;
  /** The signals not yet taken up, oldest first. */
  signals(run: string): Promise<Signal[]>;
  close(): Promise<void>;
}

/** Files by content. `put` returns when the bytes are on disk. */
export interface Store {
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes; throws ARTIFACT_MISSING or ARTIFACT_CHANGED. */
  get(digest: string): Promise<Uint8Array>;
  /** Deletes a file at once, before it returns: a release calls it in the middle of a transaction. */
  delete(digest: string): void;
}

/** What keeps a run's folder for people; all of it can be made again from journal and store. */
export interface RunView {
  saved(folder: string, artifact: Artifact): Promise<void>;
  /** Called after commits, at most once a second, and with `stopped` when nothing more will come for now. */
  show(record: RunRecord, input: Json, stopped: boolean): Promise<void>;
}

/** Wall clock, a steady one for durations, and waiting on it. */
export interface Clock {
  now(): number;
  steady(): number;
  /** Returns when so many milliseconds have passed; rejects when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Where work is carried out: each kind is started, checked, snapshotted, restored and stopped the same way. */
export interface Workcell {
  /** The snapshot that it stands at; undefined once it was changed. */
  readonly at: string | undefined;
  check(signal: AbortSignal): Promise<void>;
  snapshot(): Promise<string>;
  restore(snapshot: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a workcell for one run. */
export type WorkcellStart<Cell extends Workcell = Workcell> = (options: WorkcellOptions) => Promise<Cell>;

/** What a workcell is started with. It serves one run: two attempts side by side have one each, and a folder each. */
export interface WorkcellOptions {
  /** Where it is to stand; undefined at its own beginning. */
  snapshot: string | undefined;
  signal: AbortSignal;
  run: string;
  /** The attempt that the run is, as its folder is called: attempt-000. */
  attempt: string;
  input: Json;
  configuration: Json;
  /** A folder of its own, which is not made yet; undefined for a run that belongs to no project. */
  folder: string | undefined;
  /** Where scenes lie that the run may come back to: it outlives the workcells. Undefined likewise. */
  scenes: string | undefined;
}

/** A part of a prompt. Where the whole does not fit, parts are cut, the lowest priority first, none below its floor. */
export interface PromptPart {
  name: string;
  text: string;
  priority: number;
  /** The tokens that must be left of it; all of them where it is left out. */
  floor?: number;
}

/** What a model may call in place of an answer. Nothing is done for it: whoever asked reads the call, and asks again. */
export interface ModelTool {
  name: string;
  description: string;
  parameters: Json;
}

/** A call of a tool, as the model made it: its input is whatever came. */
export interface ToolCall {
  name: string;
  input: Json;
}

/** What a model is asked. */
export interface ModelRequest {
  /** What people call the prompt by. */
  id?: string;
  system?: string;
  prompt: string | readonly PromptPart[];
  images?: readonly Artifact[];
  schema?: Json;
  /** Offered where the model has tools; what they are for must be said in the prompt too. */
  tools?: readonly ModelTool[];
  temperature?: number;
  topP?: number;
  maxTokens?: number;
}

/** What a model has answered, and what it cost. */
export interface ModelAnswer {
  text: string;
  toolCalls?: readonly ToolCall[];
  /** The model that really answered. */
  model: string;
  finishReason: string;
  usage: Usage;
  /** What else is worth keeping: the endpoint, tries, what was cut, how long it took. */
  details?: Json;
}

/** What a model's call has of the effect that it is. */
export interface ModelCall extends Pick<EffectContext, "signal" | "idempotencyKey" | "progress" | "again"> {
  /** Tells this call from others with the same request: votes and re-tries differ by it, and no run's id is in it. */
  ordinal: string;
  load(artifact: Artifact): Promise<Uint8Array>;
  wait(ms: number): Promise<void>;
  /** Puts on record at once that another model is asked in the place of one. */
  tellReplaced?(note: { role: string; model: string; by: string; error: string }): Promise<void>;
  /** Counts a try that got no answer, where a model may have begun on one. What the answer used is counted without it. */
  charge(usage: Usage): void;
}

/** A role's model, whatever is behind it. */
export interface Model {
  estimate(request: ModelRequest): Usage;
  call(request: ModelRequest, call: ModelCall): Promise<ModelAnswer>;
}
