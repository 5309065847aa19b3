// The run folder: what people open. Everything in it is written by rename and can be made again from journal and store.
//
// A folder that cannot be written is a warning, never the end of a run: the journal is what the program trusts.

import { rmSync } from "node:fs";
import { constants, copyFile, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { LoopwrightError } from "../errors.ts";
import { leadsOut, readPlainFile } from "../plain-file.ts";
import type { RunView, Store } from "../ports.ts";
import type { Artifact } from "../record/events.ts";
import { lastScore, openGateOf, type RunRecord } from "../record/fold.ts";
import { type Json, plainJson, sha256 } from "../record/json.ts";
import { iterationsHad } from "../record/load.ts";
import { journalError } from "./sqlite/connection.ts";

/** The folders in which people find a run's files; they can be made anew from the journal. */
export class RunFolders implements RunView {
  readonly #root: string;
  readonly #store: FileStore;
  /** Where files are written before they are put in place, so that a killed process leaves none in a run's folder. */
  readonly #drafts: string;

  constructor(root: string, store: FileStore, drafts: string) {
    this.#root = resolve(root);
    this.#store = store;
    this.#drafts = drafts;
  }

  async saved(folder: string, { path, digest }: Artifact): Promise<void> {
    await this.#write(folder, path, (draft) => copyFile(this.#store.path(digest), draft, constants.COPYFILE_FICLONE));
  }

  async show(record: RunRecord, input: Json, stopped: boolean): Promise<void> {
    await this.#writeJson(record.folder, "run.json", runToJson(record, input));
    if (stopped) await this.#writeJson(record.folder, "summary.json", recordToSummary(record));
  }

  /** Writes a text of the run's own beside its files. */
  async write(folder: string, name: string, text: string): Promise<void> {
    await this.#write(folder, name, (draft) => writeFile(draft, text));
  }

  /** The head of the chain that `run.json` remembers (L10); undefined where there is none. */
  async lastHead(run: string, folder: string): Promise<{ seq: number; link: string } | undefined> {
    try {
      const found = JSON.parse(readPlainFile(this.#place(folder, "run.json")));
      return found.run === run && typeof found.head?.seq === "number" ? found.head : undefined;
    } catch {
      return undefined;
    }
  }

  async remove(folder: string): Promise<void> {
    const place = this.#place(folder);
    try {
      await rm(place, { recursive: true, force: true });
    } catch (cause) {
      const why = (cause as NodeJS.ErrnoException).code;
      const message = `${place} cannot be deleted (${why}); check its permissions, and that it is not mounted read-only`;
      throw new LoopwrightError("FOLDER_READ_ONLY", message, { cause });
    }
  }

  /** Where something lies. A journal may hold any name, and a folder that came from elsewhere any link. `runs` may be one. */
  #place(folder: string, name = ""): string {
    const [root, own] = [this.#root, resolve(this.#root, folder)];
    const place = resolve(own, name);
    const isInside = own.startsWith(root + sep) && (place === own || place.startsWith(own + sep));
    if (isInside && !leadsOut(root, dirname(place))) return place;
    throw new LoopwrightError("FOLDER_OUTSIDE", `'${join(folder, name)}' would not lie in the run's folder`);
  }

  async #writeJson(folder: string, name: string, value: Json): Promise<void> {
    await this.write(folder, name, `${JSON.stringify(value, null, 2)}\n`);
  }

  async #write(folder: string, name: string, fill: (draft: string) => Promise<void>): Promise<void> {
    // What a killed process has left is written over.
    const draft = join(this.#drafts, sha256(join(folder, name)).slice(0, 32));
    try {
      const path = this.#place(folder, name);
      for (const place of [path, draft]) await mkdir(dirname(place), { recursive: true });
      // A link of that name may have come with the folder.
      await rm(draft, { force: true });
      await fill(draft);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      process.emitWarning(
        `${join(this.#root, folder, name)} could not be written (${(error as Error).message}); the run's record is not affected`,
      );
    }
  }
}

/** `run.json`: what the run is, and the head of its chain (L10). */
export function runToJson(record: RunRecord, input: Json): Json {
  const { run, loop, version, config, seed, ceilings, parent, startedAt, seq, link } = record;
  return plainJson({
    run,
    loop,
    version,
    startedAt: new Date(startedAt).toISOString(),
    seed,
    ceilings,
    config,
    input,
    parent,
    head: { seq, link },
  });
}

/** `summary.json`: how it stands or ended, and what it cost. */
export function recordToSummary(record: RunRecord): Json {
  const waiting = record.waitingOn?.gate ?? openGateOf(record)?.gate;
  return plainJson({
    run: record.run,
    outcome: record.ended?.outcome ?? (waiting ? "waiting" : null),
    reason: record.ended?.reason ?? waiting?.question ?? record.error?.message ?? null,
    iterations: iterationsHad(record),
    score: lastScore(record),
    scores: record.scores,
    retries: record.retries,
    restarts: record.restarts,
    tokens: record.usage.tokens,
    usd: record.usage.usd,
    notes: record.lastNotes,
    seconds: seconds(record.active),
    secondsByPhase: Object.fromEntries(Object.entries(record.phaseTimes).map(([phase, ms]) => [phase, seconds(ms)])),
  });
}

function seconds(ms: number): number {
  return Math.round(ms / 10) / 100;
}

// The store: files by content, under `.loopwright/files`. A file is on disk, under its final name, before `put` returns.

/** Files by the digest of their bytes, in a folder. */
export class FileStore implements Store {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  path(digest: string): string {
    if (!/^[0-9a-f]{64}$/.test(digest))
      throw new LoopwrightError("ARTIFACT_MISSING", `${JSON.stringify(digest)} is no digest of an artifact`);
    return join(this.#root, digest.slice(0, 2), digest.slice(2));
  }

  async put(bytes: Uint8Array): Promise<string> {
    const digest = sha256(bytes);
    const path = this.path(digest);
    try {
      if (await this.get(digest).catch(() => undefined)) return digest;
      await mkdir(dirname(path), { recursive: true });
      await writeSafely(path, bytes);
      return digest;
    } catch (error) {
      throw journalError(error, path);
    }
  }

  async get(digest: string): Promise<Uint8Array> {
    const path = this.path(digest);
    const bytes = await readFile(path).catch((cause) => {
      const message = `the artifact ${digest.slice(0, 12)} is missing: ${path}`;
      throw new LoopwrightError("ARTIFACT_MISSING", message, { cause });
    });
    if (sha256(bytes) === digest) return bytes;
    const message = `the artifact ${digest.slice(0, 12)} was changed after it was stored: ${path}`;
    throw new LoopwrightError("ARTIFACT_CHANGED", message);
  }

  delete(digest: string): void {
    rmSync(this.path(digest), { force: true });
  }
}

/** Writes a file so that it is either there whole, also after a crash, or not at all. */
async function writeSafely(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  try {
    await writeFile(draft, bytes, { flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
  await using folder = await open(dirname(path), "r");
  await folder.sync();
}
