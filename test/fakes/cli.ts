// The real program in a folder of its own: run to its end, or started, watched line by line and sent signals.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, lchownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { afterAll } from "vitest";

export const BIN = join(import.meta.dirname, "../../packages/loopwright/bin/loopwright.js");
const FIXTURE = join(import.meta.dirname, "../fixtures/project");

/** Where trust is remembered: outside every folder that a test looks through. */
export const STATE_HOME = mkdtempSync(join(tmpdir(), "loopwright-state-"));
process.once("exit", () => rmSync(STATE_HOME, { recursive: true, force: true }));

export interface CliOptions {
  cwd: string;
  env?: Readonly<Record<string, string | undefined>>;
  /** What stands on stdin; it ends after that. Without, stdin is at its end from the start. */
  input?: string;
  /** What comes before the program: flags of Node, or another command. */
  node?: readonly string[];
  bin?: string;
  /** False for a folder that is not to be trusted; else `--trust` is given with every command. */
  isTrusted?: boolean;
  /** Whose process it is, where root runs the tests. */
  user?: { uid: number; gid: number };
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** The lines of stdout. */
  lines: string[];
}

/** A program that is under way. */
export interface Started {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  pid: number;
  /** Waits for a line of stdout that fits, from the first one on. */
  line(fits: string | RegExp): Promise<string>;
  send(signal: NodeJS.Signals): void;
  ended: Promise<Ended>;
}

/** Who a test is run for: an ordinary user too, where root runs it. */
export const users: { name: string; user?: { uid: number; gid: number } }[] = [
  { name: "whoever runs this" },
  ...(process.getuid?.() === 0 ? [{ name: "an ordinary user", user: { uid: 65534, gid: 65534 } }] : []),
];

/** Words as they would be typed, split at spaces; a list where one of them holds a space. */
export type Words = string | readonly string[];

const children = new Set<Started["child"]>();
const killAll = () => {
  for (const child of children) child.kill("SIGKILL");
};
afterAll(killAll);
process.once("exit", killAll);

/** Runs the program to its end. */
export function cli(args: Words, options: CliOptions): Promise<Ended> {
  const { child, ended } = startCli(args, options);
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  return ended;
}

/** Starts the program; it does not outlive its test file. */
export function startCli(args: Words, { cwd, env, node = [], bin = BIN, isTrusted = true, user }: CliOptions): Started {
  const typed = typeof args === "string" ? args.split(" ").filter((word) => word !== "") : args;
  const words = isTrusted ? withTrust(typed) : typed;
  const child = spawn(process.execPath, [...node, bin, ...words], { cwd, env: environment(cwd, env), ...user });
  children.add(child);
  const seen = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text) => {
      seen[name] += text;
    });
  }
  const ended = once(child, "close").then(([code, signal]): Ended => {
    children.delete(child);
    return { code, signal, ...seen, lines: linesOf(seen.stdout) };
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const line = async (fits: string | RegExp) => {
    const isFit = (text: string) => (typeof fits === "string" ? text.includes(fits) : fits.test(text));
    for (;;) {
      const found = lines.find(isFit);
      if (found !== undefined) return found;
      const next = await Promise.race([once(reader, "line"), ended]);
      if (!Array.isArray(next) && !lines.some(isFit))
        throw new Error(`it ended without a line that fits ${fits}:\n${next.stdout}${next.stderr}`);
    }
  };
  return { child, pid: child.pid!, line, send: (signal) => child.kill(signal), ended };
}

/** The same words with `--trust` behind the command, where there is one. */
function withTrust([command, ...rest]: readonly string[]): readonly string[] {
  if (command === undefined) return [];
  return command === "help" || command.startsWith("-") ? [command, ...rest] : [command, "--trust", ...rest];
}

/** Nothing of this machine's own settings reaches the program. */
function environment(cwd: string, more: CliOptions["env"] = {}): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return { PATH, TMPDIR, HOME: join(cwd, "no-home"), TERM: "xterm-256color", XDG_STATE_HOME: STATE_HOME, ...more };
}

/** A folder for one test, gone with it. */
export class Folder implements Disposable {
  readonly dir: string;

  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), "loopwright-cli-"));
  }

  cli(args: Words, options: Partial<CliOptions> = {}): Promise<Ended> {
    return cli(args, { cwd: this.dir, ...options });
  }

  start(args: Words, options: Partial<CliOptions> = {}): Started {
    return startCli(args, { cwd: this.dir, ...options });
  }

  /** Runs the fixture's loop `steer` with an input. */
  steer(input: object, flags = "", options: Partial<CliOptions> = {}): Promise<Ended> {
    return this.cli(steerWords(input, flags), options);
  }

  /** Starts the fixture's loop `steer` with an input. */
  startSteer(input: object, flags = "", options: Partial<CliOptions> = {}): Started {
    return this.start(steerWords(input, flags), options);
  }

  /** The one document of a command that looks. */
  async document(args: string): Promise<Record<string, never>> {
    const { stdout, stderr } = await this.cli(`${args} --json`);
    if (stdout === "") throw new Error(`no document: ${stderr}`);
    return JSON.parse(stdout);
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.dir, path)), { recursive: true });
    await writeFile(join(this.dir, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.dir, path));
  }

  /** Makes all of it a user's own. */
  giveTo(user: CliOptions["user"]): void {
    if (!user) return;
    for (const name of ["", ...(readdirSync(this.dir, { recursive: true }) as string[])])
      lchownSync(join(this.dir, name), user.uid, user.gid);
  }

  /** Every file and folder, with the digest of what the files hold. */
  listing(under = ""): Record<string, string> {
    const root = join(this.dir, under);
    const names = (readdirSync(root, { recursive: true }) as string[]).toSorted();
    const shown = (path: string) => (statSync(path).isFile() ? hash("sha256", readFileSync(path)) : "folder");
    return Object.fromEntries(names.map((name) => [name, shown(join(root, name))]));
  }

  /** The ids of the runs that have a folder, oldest first. */
  runs(): string[] {
    if (!this.has("runs")) return [];
    return readdirSync(join(this.dir, "runs"))
      .filter((name) => name !== ".gitignore")
      .sort();
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** A folder with a copy of the fixture project. */
export function fixtureProject(): Folder {
  const folder = new Folder();
  cpSync(FIXTURE, folder.dir, { recursive: true });
  return folder;
}

/** The id of the run in what a command printed. */
export function runIn({ stdout, stderr }: Pick<Ended, "stdout" | "stderr">): string {
  const found = /\b\d{8}-\d{6}_[a-z0-9-]+/.exec(stdout);
  if (!found) throw new Error(`no run in:\n${stdout}${stderr}`);
  return found[0];
}

/** The last line of `--json`. */
export function lastLine({ lines, stderr }: Pick<Ended, "lines" | "stderr">): Record<string, unknown> {
  if (lines.length === 0) throw new Error(`nothing was printed: ${stderr}`);
  return JSON.parse(lines.at(-1)!);
}

function steerWords(input: object, flags: string): string[] {
  return ["run", "steer", "--input", JSON.stringify(input), ...flags.split(" ").filter((word) => word !== "")];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
