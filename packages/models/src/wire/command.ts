// The `command` endpoint: a program of the user's choice answers, with the user's rights and outside any sandbox.
//
// The command line is run by `sh -c`, so that quotes, pipes and variables work as the user knows them. Nothing of a request
// is ever put into it: the system text and the prompt go to standard input, the model's name into LOOPWRIGHT_MODEL. The
// answer is what the program writes to standard output before it exits with 0. It runs in a process group of its own, and
// when the call is over, nothing of that group is left.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { countTokens } from "../prompt/tokens.ts";
import { type Life, LONGEST_ANSWER, watchLife } from "./connection.ts";
import { clean, placeOf, stallError } from "./sdk-errors.ts";
import type { Exchange } from "./sdk-wire.ts";
import { failed } from "./transport.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";

const LONGEST_COMPLAINT = 8_000;
/** Signs for each token that was asked for, and signs that any program may write: past both it has run away. */
const SIGNS_PER_TOKEN = 16;
const ALWAYS_TAKEN = 2_000_000;
/** Milliseconds between asking a program to end and ending it. */
const GRACE = 1_000;
/** What a shell exits with for a program that it cannot run or find. */
const NOT_RUN: readonly unknown[] = [126, 127];

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Asks the program once. */
export async function callCommand({ endpoint, request, call, timeout, redact }: Exchange): Promise<WireAnswer> {
  // A command that stands in the model's place is named whole by whoever tells of it.
  const isNamed = endpoint.name.startsWith("command:");
  const where = isNamed ? "it" : `${placeOf(endpoint)}, asked for ${request.model},`;
  const life = watchLife(timeout, call.signal);
  const folder = request.images.length > 0 ? await mkdtemp(join(tmpdir(), "loopwright-images-")) : undefined;
  try {
    const input = promptToInput(request, folder ? await writeImages(request, folder) : []);
    const begun = performance.now();
    const longest = Math.min(LONGEST_ANSWER, Math.max(ALWAYS_TAKEN, SIGNS_PER_TOKEN * request.maxTokens));
    const { text, firstAt, complaint, end } = await run(endpoint.url, { request, input, longest }, life, call.onText);
    const ms = performance.now() - begun;
    call.signal.throwIfAborted();
    if (life.hasStalled) throw stallError(timeout, { endpoint, model: request.model, redact }, countTokens(text));
    const tokens = countTokens(text);
    if (text.length > longest) {
      const message = `${where} answered with more than ${longest.toLocaleString("en")} characters, and was stopped`;
      throw failed("too long", message, { tokens });
    }
    if (end !== 0) {
      const said = clean(complaint, redact);
      const how = typeof end === "number" ? `exited with ${end}` : `was ended by ${end}`;
      const message = `${where} ${how}${said === "" ? " and wrote nothing to stderr" : `: ${said}`}`;
      const failure = NOT_RUN.includes(end) ? "program not run" : "program failed";
      throw failed(typeof end === "number" ? failure : "program ended", message, { tokens });
    }
    return {
      text,
      model: request.model,
      finishReason: "stop",
      firstMs: Math.round((firstAt ?? begun + ms) - begun),
      ms: Math.round(ms),
      ...(request.schema !== undefined && { structured: "prompt" }),
    };
  } finally {
    life.end();
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}

interface Ran {
  text: string;
  firstAt: number | undefined;
  complaint: string;
  /** The exit code, or the signal that ended it. */
  end: number | NodeJS.Signals;
}

async function run(
  line: string,
  { request: { model }, input, longest }: { request: WireRequest; input: string; longest: number },
  life: Life,
  onText: (text: string) => void,
): Promise<Ran> {
  const child: Child = spawn("sh", ["-c", line], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    // The journal's key is for the one who keeps the journal: a program behind a model may read and write files.
    env: { ...process.env, LOOPWRIGHT_MODEL: model },
  });
  const closed = (once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>).catch((error: Error) => {
    throw failed("not reached", `no shell could be started for the command: ${error.message}`);
  });
  closed.catch(() => {});
  const stop = () => endGroup(child);
  const kill = () => signalGroup(child, "SIGKILL");
  process.once("exit", kill);
  life.signal.addEventListener("abort", stop);
  if (life.signal.aborted) stop();
  // A program that stays behind in the group would hold the output open, and the call with it.
  child.once("exit", kill);
  // A program need not read what it is given.
  child.stdin.on("error", () => {}).end(input);
  const ran: Omit<Ran, "end"> = { text: "", firstAt: undefined, complaint: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    life.beat();
    ran.complaint = (ran.complaint + text).slice(-LONGEST_COMPLAINT);
  });
  try {
    for await (const text of child.stdout.setEncoding("utf8")) {
      life.beat();
      ran.firstAt ??= performance.now();
      ran.text += text as string;
      if (ran.text.length > longest) break;
      onText(ran.text);
    }
    if (ran.text.length > longest) kill();
    const [code, signal] = await closed;
    return { ...ran, end: signal ?? code! };
  } finally {
    kill();
    process.off("exit", kill);
    life.signal.removeEventListener("abort", stop);
  }
}

function endGroup(child: Child): void {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), GRACE);
  child.once("close", () => clearTimeout(timer));
}

function signalGroup({ pid }: Child, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

/** What the program reads: the system text, the prompt, and where the pictures are. */
function promptToInput({ system, prompt }: WireRequest, files: readonly string[]): string {
  const pictures = files.length > 0 ? [`The pictures are in these files, in order:\n${files.join("\n")}`] : [];
  return `${[...(system === undefined ? [] : [system]), prompt, ...pictures].join("\n\n")}\n`;
}

async function writeImages({ images }: WireRequest, folder: string): Promise<string[]> {
  return Promise.all(
    images.map(async ({ bytes, mediaType }, index) => {
      const extension = /^image\/([a-z0-9]+)/.exec(mediaType)?.[1] ?? "bin";
      const file = join(folder, `${index + 1}.${extension}`);
      await writeFile(file, bytes, { mode: 0o600 });
      return file;
    }),
  );
}
