// Sends what waits in the outbox while a command is at its own work. It never breaks a command, and holds its end up for a
// moment at most: what is left then is the next command's.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Posted, SqliteJournal, sendDue, thisProcess } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import type { Looked } from "../configuration/configuration.ts";

/** How long a command waits at its end for what is under way: one that has something to tell, and any other. */
const OWN_MS = 5_000;
const OTHERS_MS = 1_000;
const LOOK_AGAIN_MS = 2_000;

export interface BackgroundOptions {
  dir: string;
  look: () => Promise<Looked>;
  warn: (line: string) => void;
  /** A command of ours as it is typed for the folder. */
  typed: (command: string) => string;
}

export class BackgroundSender implements AsyncDisposable {
  readonly #options: BackgroundOptions;
  readonly #stop = new AbortController();
  readonly #rounds = new Set<Promise<void>>();
  /** What to say at the end of messages that were not sent, by their ids. */
  readonly #warnings = new Map<string, string>();
  #journal: Promise<SqliteJournal | undefined> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #limit = OTHERS_MS;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** Looks for what waits, now and from time to time. */
  start(): void {
    if (this.#stop.signal.aborted) return;
    this.#timer ??= setInterval(() => this.start(), LOOK_AGAIN_MS).unref();
    const round = this.#round()
      .catch(() => {})
      .finally(() => this.#rounds.delete(round));
    this.#rounds.add(round);
  }

  /** The command has written something that is to be told. */
  wake(): void {
    this.#limit = OWN_MS;
    this.start();
  }

  async #round(): Promise<void> {
    const journal = await this.#open();
    if (!journal || (await journal.outbox.list("waiting")).length === 0) return;
    const looked = await this.#options.look();
    if (looked.untrusted().length > 0) return;
    const { notify } = looked.configuration();
    const { hindrance, send } = await import("./ways.ts");
    const fits = (posted: Posted) => {
      const why = hindrance(posted, notify);
      if (why !== undefined && this.#isOwn) this.#warnings.set(posted.id, this.#notYet(why));
      return why === undefined;
    };
    const { signal } = this.#stop;
    const sender = { outbox: journal.outbox, clock: Date, process: thisProcess(), signal };
    const tried = await sendDue({ ...sender, send: (message, stop) => send(message, notify, stop) }, fits);
    for (const posted of tried) this.#note(posted);
  }

  #note({ id, state, tries, error = "" }: Posted): void {
    this.#warnings.delete(id);
    const resend = this.#options.typed(`loopwright outbox --resend ${id}`);
    const dead = `a message was given up after ${tries} tries: ${error} (send it: ${resend})`;
    if (state === "dead") this.#warnings.set(id, dead);
    else if (state === "waiting" && this.#isOwn) this.#warnings.set(id, this.#notYet(error));
  }

  #notYet(why: string): string {
    const see = this.#options.typed("loopwright outbox");
    return `nobody was told yet: ${why} (the next command tries again; see: ${see})`;
  }

  get #isOwn(): boolean {
    return this.#limit === OWN_MS;
  }

  /** The journal by a connection of its own, for the command's is closed before the command ends. */
  async #open(): Promise<SqliteJournal | undefined> {
    const path = join(this.#options.dir, ".loopwright", "journal.db");
    if (!this.#journal && !lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
    this.#journal ??= SqliteJournal.open(path);
    return this.#journal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, this.#limit);
    });
    await Promise.race([Promise.all(this.#rounds), limit]);
    clearTimeout(timer);
    this.#stop.abort();
    await Promise.all(this.#rounds);
    for (const line of new Set(this.#warnings.values())) this.#options.warn(`loopwright: ${plainLine(line)}`);
    this.#warnings.clear();
    await (await this.#journal?.catch(() => undefined))?.close();
  }
}
