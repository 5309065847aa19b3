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
import { countTokens } from "../prompt/fit.ts";
import { type Life, watchLife } from "./connection.ts";
import { clean, placeOf, stallError } from "./sdk-errors.ts";
import type { Exchange } from "./sdk-wire.ts";
import { failed } from "./transport.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";

const LONGEST_COMPLAINT = 8_000;
/** A program that writes more characters has run away. */
const LONGEST = 2_000_000;
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
  const folder = await mkdtemp(join(tmpdir(), "loopwright-images-"));
  try {
    const input = await inputOf(request, folder);
    const begun = performance.now();
    const { text, firstAt, complaint, end } = await run(endpoint.url, request.model, input, life, call.onText);
    const ms = performance.now() - begun;
    call.signal.throwIfAborted();
    if (life.hasStalled) throw stallError(timeout, { endpoint, model: request.model, redact }, countTokens(text));
    const tokens = countTokens(text);
    if (text.length > LONGEST) {
      const message = `${where} answered with more than ${LONGEST.toLocaleString("en")} characters, and was stopped`;
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
    await rm(folder, { recursive: true, force: true });
  }
}

/** What it wrote, when it began to, what it complained of, and its exit code or the signal that ended it. */
async function run(line: string, model: string, input: string, life: Life, onText: (text: string) => void) {
  const child: Child = spawn("sh", ["-c", line], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, LOOPWRIGHT_MODEL: model },
  });
  const closed = (once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>).catch((error: Error) => {
    throw failed("not reached", `no shell could be started for the command: ${error.message}`);
  });
  closed.catch(() => {});
  const kill = () => signalGroup(child, "SIGKILL");
  const stop = () => {
    signalGroup(child, "SIGTERM");
    const timer = setTimeout(kill, GRACE);
    child.once("close", () => clearTimeout(timer));
  };
  process.once("exit", kill);
  life.signal.addEventListener("abort", stop);
  if (life.signal.aborted) stop();
  // A program that stays behind in the group would hold the output open, and the call with it.
  child.once("exit", kill);
  // A program need not read what it is given.
  child.stdin.on("error", () => {}).end(input);
  const ran = { text: "", firstAt: undefined as number | undefined, complaint: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    life.beat();
    ran.complaint = (ran.complaint + text).slice(-LONGEST_COMPLAINT);
  });
  try {
    for await (const text of child.stdout.setEncoding("utf8")) {
      life.beat();
      ran.firstAt ??= performance.now();
      ran.text += text as string;
      if (ran.text.length > LONGEST) break;
      onText(ran.text);
    }
    if (ran.text.length > LONGEST) kill();
    const [code, signal] = await closed;
    return { ...ran, end: signal ?? code! };
  } finally {
    kill();
    process.off("exit", kill);
    life.signal.removeEventListener("abort", stop);
  }
}

function signalGroup({ pid }: Child, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

/** What the program reads: the system text, the prompt, and where the pictures are, which are written into a folder. */
async function inputOf({ system, prompt, images }: WireRequest, folder: string): Promise<string> {
  const written = images.map(async ({ bytes, mediaType }, index) => {
    const file = join(folder, `${index + 1}.${mediaType.slice("image/".length)}`);
    await writeFile(file, bytes, { mode: 0o600 });
    return file;
  });
  const files = await Promise.all(written);
  const pictures = files.length > 0 ? `The pictures are in these files, in order:\n${files.join("\n")}` : undefined;
  return `${[system, prompt, pictures].filter((part) => part !== undefined).join("\n\n")}\n`;
}
