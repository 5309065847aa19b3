// A folder with a novel in it and an endpoint behind it, for tests that drive the REPL through a pipe.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type CliOptions, type Ended, Folder, type Started } from "./cli.ts";
import { type NovelServer, startNovelServer } from "./novel-server.ts";
import { git, type NovelParts, writeNovel } from "./novel-texts.ts";

/** Questions as they are asked on a pipe. */
export const ACTION = "Action: (cull-all/keep-all/cancel): ";
export const ACCEPT = "Accept these changes? (yes/no/diff): ";
/** The same where several files changed. */
export const ACCEPT_SOME = "Accept these changes? (yes/no/some/diff): ";

/** What a reader says of feedback: the chapters that it reaches, each with why. */
export function reads(chapters: Readonly<Record<number, string>>): string {
  const files = Object.entries(chapters).map(([number, why]) => ({
    file: `chapter-${number}`,
    kind: "heart",
    why,
    does: why,
  }));
  return JSON.stringify({ files });
}

/** A short book with all its levels. */
export const whole = { premise: true, treatment: true, beats: 3, prose: 3 };

/** The lines in this order, with others between them. */
export function expectStory(stdout: string, ...texts: string[]): void {
  let from = 0;
  for (const text of texts) {
    const at = stdout.indexOf(text, from);
    expect(
      at,
      `'${text}' is missing after:\n${stdout.slice(0, from)}\n---\n${stdout.slice(from)}`,
    ).toBeGreaterThanOrEqual(0);
    from = at + text.length;
  }
}

export class NovelFolder implements AsyncDisposable {
  readonly folder = new Folder();
  readonly server: NovelServer;

  private constructor(server: NovelServer) {
    this.server = server;
  }

  /** A folder with the project `my-novel`, whose models are the endpoint's unless another configuration is given. */
  static async make(parts: NovelParts, configuration?: string): Promise<NovelFolder> {
    const made = new NovelFolder(await startNovelServer());
    mkdirSync(made.novel);
    writeFileSync(join(made.novel, "loopwright.yaml"), configuration ?? made.server.configuration());
    writeNovel(made.novel, parts);
    const home = join(made.folder.dir, "no-home");
    mkdirSync(home);
    writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = A Writer\n\temail = writer@example.org\n");
    return made;
  }

  get novel(): string {
    return join(this.folder.dir, "my-novel");
  }

  /** Runs a session whose input is these lines; stdout as a whole and in lines. */
  session(lines: readonly string[], options: { flags?: string; env?: CliOptions["env"] } = {}): Promise<Ended> {
    const input = lines.map((line) => `${line}\n`).join("");
    const { flags = "", env = {} } = options;
    return this.folder.cli(`novel my-novel ${flags}`, { input, env });
  }

  /** Starts a session that can be typed into. */
  start(flags = ""): Typed {
    return new Typed(this.folder.start(`novel my-novel ${flags}`));
  }

  git(...args: string[]): string {
    return git(this.novel, ...args);
  }

  read(path: string): string {
    return this.folder.read(`my-novel/${path}`);
  }

  has(path: string): boolean {
    return this.folder.has(`my-novel/${path}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    this.folder[Symbol.dispose]();
  }
}

/** A session under way on a pipe. */
export class Typed {
  readonly started: Started;
  #printed = "";
  #seen = 0;

  constructor(started: Started) {
    this.started = started;
    started.child.stdout.on("data", (text) => {
      this.#printed += text;
    });
  }

  say(line: string): void {
    this.started.child.stdin.write(`${line}\n`);
  }

  /** Waits until a text was printed, after what was seen before. */
  async sees(text: string): Promise<void> {
    const deadline = performance.now() + 20_000;
    for (;;) {
      const at = this.#printed.indexOf(text, this.#seen);
      if (at >= 0) {
        this.#seen = at + text.length;
        return;
      }
      if (performance.now() > deadline) throw new Error(`'${text}' never came:\n${this.#printed}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async answers(question: string, answer: string): Promise<void> {
    await this.sees(question);
    this.say(answer);
  }

  /** Kills it without a chance to tidy up. */
  async kill(): Promise<void> {
    this.started.send("SIGKILL");
    await this.started.ended;
  }
}
