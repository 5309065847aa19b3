// Telling a person elsewhere: that a run has ended, or waits at a gate. Child runs speak through the run above.
//
// A message is written in one commit with its event, and sent in the background by whichever command comes by: at least once,
// under one key, later and later where it fails. It never breaks a command, and holds its end up for a moment at most.

import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type DraftMessages,
  type GateRecord,
  type LoopPackage,
  lastScore,
  type Message,
  type RunRecord,
  SqliteJournal,
  type StampedEvent,
  waitingGateOf,
} from "@loopwright/core/look";
import { plainLine } from "@loopwright/terminal";
import type { Looked } from "./configuration/configuration.ts";
import type { ConfigurationValues, Standing } from "./configuration/schema.ts";

/** Whom to tell, and of what; `secret` is what the variable of `secretEnv` holds. */
export type Notify = NonNullable<ConfigurationValues["notify"]> & { secret?: string | undefined };

type IsAnswered = (gate: GateRecord) => boolean;
type Webhooks = NonNullable<LoopPackage["webhooks"]>;

/** The messages of a run's events; a gate is passed over where someone at hand is asked, or the answer is known. */
export function draftMessages(notify: Notify, isAnswered: IsAnswered, webhooks: Webhooks = {}): DraftMessages {
  const isWanted = (outcome: Standing) => notify.events?.includes(outcome) ?? outcome !== "superseded";
  return (event, record, input) => {
    const told = event.type === "loop-noted" && webhooks[event.name]?.(event.data as never, input as never);
    if (told) return [{ to: "address", body: JSON.stringify(told) }];
    const news = record.parent ? undefined : newsOf(event, record, isAnswered);
    if (!news || !isWanted(news.outcome)) return [];
    const { run, loop } = record;
    const text = plainLine(`${news.outcome}: ${news.reason} (${run})`);
    const body = JSON.stringify({ text, run, loop, at: new Date(event.at).toISOString(), ...news });
    const ways = ["webhook", "command"] as const;
    return ways.filter((way) => notify[way] !== undefined).map((to) => ({ to, body }));
  };
}

function newsOf(event: StampedEvent, record: RunRecord, isAnswered: IsAnswered) {
  const asked = ({ name, question, choices, default: usual }: GateRecord) => ({
    gate: { name, question, choices, default: usual },
  });
  if (event.type === "run-ended") {
    const { outcome, reason, iterations, score } = event;
    const open = outcome === "escalated" ? waitingGateOf(record) : undefined;
    return { outcome, reason, iterations, score, ...(open && asked(open)) };
  }
  // An ending's own gate is told of with the ending.
  const isAsked = event.type === "gate-opened" && !event.gate.leadsTo && !isAnswered(event.gate);
  if (!isAsked && event.type !== "child-waiting") return undefined;
  const { gate } = event;
  const standing = { iterations: record.iterations, score: lastScore(record) };
  return { outcome: "waiting" as const, reason: gate.question, ...standing, ...asked(gate) };
}

/** A receiver has so many milliseconds for its answer. */
const TRY_MS = 10_000;
const CLAIM_MS = 3 * TRY_MS;
const MOST_TRIES = 20;
const LONGEST_WAIT_MS = 3_600_000;
/** How long a command waits at its end for what is under way: one that has something to tell, and any other. */
const OWN_MS = 5_000;
const OTHERS_MS = 1_000;
const LOOK_AGAIN_MS = 2_000;

interface SenderOptions {
  dir: string;
  look: () => Promise<Looked>;
  warn: (line: string) => void;
}

/** Sends what waits while a command is at its own work; what is left at its end is the next command's. */
export class BackgroundSender implements AsyncDisposable {
  readonly #options: SenderOptions;
  readonly #stop = new AbortController();
  #journal: SqliteJournal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #rounds = Promise.resolve();
  #isOwn = false;
  #warning: string | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Looks for what waits, now and from time to time. */
  start(): void {
    this.#timer ??= setInterval(() => this.start(), LOOK_AGAIN_MS).unref();
    this.#rounds = this.#rounds.then(() => this.#sendDue()).catch(() => {});
  }

  /** An event of a run of this command's may have something to tell. */
  take({ type }: { type: string }): void {
    if (type !== "run-ended" && type !== "gate-opened" && type !== "child-waiting") return;
    this.#isOwn = true;
    this.start();
  }

  async #sendDue(): Promise<void> {
    const { dir, look } = this.#options;
    const path = join(dir, ".loopwright", "journal.db");
    if (this.#stop.signal.aborted || !(this.#journal || existsSync(path))) return;
    // By a connection of its own, for the command's is closed before the command ends.
    this.#journal ??= await SqliteJournal.open(path);
    if (await this.#journal.outbox.isEmpty()) return;
    const looked = await look();
    if (looked.untrusted().length > 0) return;
    const { webhook, secret, secretEnv, command } = looked.configuration().notify;
    const isSigned = secretEnv === undefined || secret;
    if (!isSigned) this.#warning = `nobody was told yet: $${secretEnv}, which notify.secretEnv names, is not set`;
    await Promise.all([
      webhook && isSigned && this.#sendBy("webhook", (message, signal) => post(message, webhook, secret, signal)),
      isSigned &&
        this.#sendBy("address", (message, signal) => {
          const { url, body } = JSON.parse(message.body);
          return post({ ...message, body: JSON.stringify(body) }, url, secret, signal);
        }),
      command && this.#sendBy("command", (message, signal) => runCommand(message, command, signal)),
    ]);
  }

  async #sendBy(way: string, send: (message: Message, signal: AbortSignal) => Promise<Failure | undefined>) {
    const { outbox } = this.#journal!;
    while (!this.#stop.signal.aborted) {
      const message = await outbox.claim([way], Date.now(), Date.now() + CLAIM_MS);
      if (!message) return;
      const { id, tries } = message;
      const failure = await send(message, AbortSignal.any([this.#stop.signal, AbortSignal.timeout(TRY_MS)]));
      const isOver = tries >= MOST_TRIES;
      if (!failure || isOver) await outbox.remove(id);
      else {
        const wait = Math.max(1_000 * 2 ** (tries - 1), failure.wait ?? 0);
        await outbox.postpone(id, Date.now() + Math.min(wait, LONGEST_WAIT_MS));
      }
      if (failure && isOver) this.#warning = `a message was given up after ${tries} tries: ${failure.error}`;
      else if (failure && this.#isOwn)
        this.#warning = `nobody was told yet: ${failure.error} (the next command tries again)`;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    const limit = setTimeout(this.#isOwn ? OWN_MS : OTHERS_MS, undefined, { ref: false });
    await Promise.race([this.#rounds, limit]);
    this.#stop.abort();
    await this.#rounds;
    if (this.#warning !== undefined) this.#options.warn(`loopwright: ${plainLine(this.#warning)}`);
    this.#warning = undefined;
    await this.#journal?.close();
    this.#journal = undefined;
  }
}

/** Why a try failed; `wait` is what the receiver asks for, in milliseconds. */
interface Failure {
  error: string;
  wait?: number;
}

/** Posts a message with the headers of Standard Webhooks, signed where there is a secret. Redirects are not followed. What is
 * said of a failure holds no more of the address than its host. */
export async function post(
  { id, body }: Message,
  url: string,
  secret: string | undefined,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const address = new URL(url);
  const { host, username, password } = address;
  address.username = address.password = "";
  const time = String(Math.floor(Date.now() / 1000));
  const key = secret?.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : secret;
  const headers = {
    "content-type": "application/json",
    "idempotency-key": id,
    "webhook-id": id,
    "webhook-timestamp": time,
    ...(username !== "" && { authorization: `Basic ${btoa(`${username}:${password}`)}` }),
    ...(key !== undefined && {
      "webhook-signature": `v1,${createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")}`,
    }),
  };
  try {
    const response = await fetch(address, { method: "POST", headers, body, signal, redirect: "manual" });
    await response.body?.cancel();
    if (response.ok) return undefined;
    const more = response.status < 400 ? ", and redirects are not followed" : "";
    const error = `${host} answered ${response.status}${more}`;
    const seconds = Number(response.headers.get("retry-after"));
    return { error, ...(seconds > 0 && { wait: seconds * 1000 }) };
  } catch (error) {
    if (signal.aborted) return { error: `${host} did not answer in time` };
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    return { error: `${host} could not be reached (${code ?? "no answer that is HTTP"})` };
  }
}

/** Runs the user's command with the message's text. What is said of it does not hold the command, which may hold a key. */
export function runCommand({ body, id }: Message, command: string, signal: AbortSignal): Promise<Failure | undefined> {
  const { text } = JSON.parse(body) as { text: string };
  return new Promise((resolve) => {
    // The message is an argument of its own: nothing in it is read by the shell.
    const env = { ...process.env, LOOPWRIGHT_MESSAGE_ID: id };
    const child = spawn("sh", ["-c", `${command} "$1"`, "sh", text], { stdio: "ignore", signal, env });
    child.on("error", ({ name, message }) =>
      resolve({ error: name === "AbortError" ? "notify.command did not end in time" : `notify.command: ${message}` }),
    );
    child.on("exit", (code, killed) =>
      resolve(code === 0 ? undefined : { error: `notify.command exited with ${code ?? killed}` }),
    );
  });
}
