// The journal in memory: for tests and for loops that need not outlive their process.

import type {
  BlobState,
  Commit,
  Journal,
  KeptFold,
  KeptSummary,
  Lease,
  ProcessId,
  ReleaseOptions,
  Row,
  Signal,
} from "../ports.ts";
import { fileReleased, valueReleased } from "../record/chain.ts";
import { held, isSame, type LeaseRow, lost, noRun, waitUntilFree } from "./leases.ts";
import { MemoryOutbox } from "./memory-outbox.ts";
import { lifeOf } from "./process-id.ts";

interface MemoryRun {
  rows: Row[];
  lease: LeaseRow;
  signals: Map<string, Signal & { taken?: true }>;
  fold?: KeptFold;
}

/** A journal in memory, for tests and for runs that nobody resumes. */
export class MemoryJournal implements Journal {
  readonly #runs = new Map<string, MemoryRun>();
  readonly #blobs = new Map<string, string>();
  readonly #released = new Set<string>();
  readonly #releasedFiles = new Set<string>();
  readonly #silence: number | undefined;
  readonly key: string | undefined;
  readonly outbox = new MemoryOutbox();

  constructor(options: { silence?: number; key?: string | undefined } = {}) {
    this.#silence = options.silence;
    this.key = options.key;
  }

  async create(run: string, holder: ProcessId, commit: Commit): Promise<Lease | false> {
    if (this.#runs.has(run)) return false;
    const entry: MemoryRun = { rows: [], lease: { token: 1, holder, beat: 0, active: 0 }, signals: new Map() };
    this.#store(entry, commit);
    this.#runs.set(run, entry);
    return { run, token: 1, active: 0 };
  }

  async append(lease: Lease, commit: Commit): Promise<void> {
    this.#store(this.#owned(lease), commit);
  }

  /** All of a commit or nothing: whatever can fail is read first. */
  #store(entry: MemoryRun, { rows, blobs, files = [], needs, taken = [], messages = [], fold }: Commit): void {
    const contents = [...blobs];
    for (const digest of needs?.blobs ?? []) if (this.#released.has(digest)) throw valueReleased(digest);
    for (const digest of needs?.files ?? []) if (this.#releasedFiles.has(digest)) throw fileReleased(digest);
    entry.rows.push(...rows);
    for (const [digest, text] of contents) {
      this.#blobs.set(digest, text);
      this.#released.delete(digest);
    }
    for (const digest of files) this.#releasedFiles.delete(digest);
    for (const id of taken) {
      const signal = entry.signals.get(id);
      if (signal) entry.signals.set(id, { ...signal, taken: true });
    }
    this.outbox.put(messages);
    if (fold) entry.fold = fold;
  }

  async read(run: string, after = 0): Promise<Row[]> {
    return this.#runs.get(run)?.rows.slice(after) ?? [];
  }

  async row(run: string, seq: number): Promise<Row | undefined> {
    return this.#runs.get(run)?.rows[seq - 1];
  }

  async fold(run: string): Promise<KeptFold | undefined> {
    return this.#runs.get(run)?.fold;
  }

  async dropFold(run: string): Promise<void> {
    delete this.#runs.get(run)?.fold;
  }

  async runs(prefix = ""): Promise<string[]> {
    return [...this.#runs.keys()].filter((run) => run.startsWith(prefix));
  }

  async summaries(): Promise<KeptSummary[]> {
    return [...this.#runs].map(([run, { fold, rows, lease }]) => ({
      run,
      summary: fold?.link === rows.at(-1)?.link ? fold?.summary : undefined,
      holder: lease.holder,
    }));
  }

  async blob(digest: string): Promise<BlobState> {
    const text = this.#blobs.get(digest);
    if (text !== undefined) return { state: "here", text };
    return { state: this.#released.has(digest) ? "released" : "missing" };
  }

  async tokens(): Promise<number> {
    return this.#tokens();
  }

  async release(
    blobs: readonly string[],
    files: readonly string[] = [],
    { tokens, drop }: ReleaseOptions = {},
  ): Promise<boolean> {
    if (tokens !== undefined && tokens !== this.#tokens()) return false;
    drop?.();
    for (const digest of blobs) {
      this.#blobs.delete(digest);
      this.#released.add(digest);
    }
    for (const digest of files) this.#releasedFiles.add(digest);
    return true;
  }

  async compact(): Promise<void> {}

  async isFileReleased(digest: string): Promise<boolean> {
    return this.#releasedFiles.has(digest);
  }

  async acquire(run: string, holder: ProcessId, { take = false } = {}): Promise<Lease> {
    const entry = this.#entry(run);
    const free = take ? undefined : await waitUntilFree(run, holder, async () => entry.lease, this.#silence);
    if (!take && entry.lease.holder && !isSame(entry.lease, free)) throw held(run, entry.lease.holder);
    entry.lease = { ...entry.lease, token: entry.lease.token + 1, holder, beat: 0 };
    return { run, token: entry.lease.token, active: entry.lease.active };
  }

  async beat(lease: Lease, active: number): Promise<void> {
    const entry = this.#owned(lease);
    entry.lease = { ...entry.lease, beat: entry.lease.beat + 1, active };
  }

  async yield(lease: Lease, active: number, fold?: KeptFold): Promise<void> {
    const entry = this.#owned(lease);
    entry.lease = { ...entry.lease, token: entry.lease.token + 1, holder: undefined, active };
    if (fold) entry.fold = fold;
  }

  async holder(run: string, self: ProcessId): Promise<{ holder: ProcessId; alive: boolean } | undefined> {
    const holder = this.#runs.get(run)?.lease.holder;
    return holder && { holder, alive: lifeOf(holder, self) !== "dead" };
  }

  async signal(run: string, signal: Signal): Promise<boolean> {
    const { signals } = this.#entry(run);
    if (signals.has(signal.id)) return false;
    signals.set(signal.id, signal);
    return true;
  }

  async signals(run: string): Promise<Signal[]> {
    return [...(this.#runs.get(run)?.signals.values() ?? [])].filter((signal) => !signal.taken);
  }

  async close(): Promise<void> {}

  #tokens(): number {
    return [...this.#runs.values()].reduce((sum, { lease }) => sum + lease.token, 0);
  }

  #entry(run: string): MemoryRun {
    const entry = this.#runs.get(run);
    if (!entry) throw noRun(run);
    return entry;
  }

  #owned(lease: Lease): MemoryRun {
    const entry = this.#entry(lease.run);
    if (entry.lease.token !== lease.token) throw lost(lease.run);
    return entry;
  }
}
