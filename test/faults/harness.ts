// What the fault tests share: folders that go away, programs that can be killed, and errors that must have a name.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { LoopwrightError, openProject, type Project, type ProjectOptions } from "loopwright";
import { afterAll, expect, onTestFinished } from "vitest";

/** A folder of this test's own. */
export async function tempFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "loopwright-faults-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** A project that is closed with its test. */
export async function openTemp(options: ProjectOptions = {}): Promise<Project> {
  const project = await openProject({ dir: options.dir ?? (await tempFolder()), ...options });
  onTestFinished(() => project.close());
  return project;
}

/** Where a project keeps its journal. */
export function journalOf(dir: string): string {
  return join(dir, ".loopwright", "journal.db");
}

/** The error that an act fails with, which must be one of Loopwright's own. */
export async function failure(act: Promise<unknown>): Promise<LoopwrightError> {
  const error = await act.then(
    (value) => new Error(`it did not fail, but gave ${JSON.stringify(value)?.slice(0, 300)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof LoopwrightError) return error;
  expect.fail(`not one of Loopwright's own errors: ${error instanceof Error ? error.stack : String(error)}`);
}

/** A program under test/faults/programs that is under way. */
export interface Program {
  child: ChildProcess;
  /** The lines that it has printed so far. */
  lines: string[];
  /** The next line that it prints, or has printed and no one has asked for. */
  line(): Promise<string>;
  kill(): Promise<void>;
  ended: Promise<Ended>;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  lines: string[];
  stderr: string;
}

const children = new Set<ChildProcess>();
const killAll = () => {
  for (const child of children) child.kill("SIGKILL");
};
afterAll(killAll);
process.once("exit", killAll);

/** Starts a program, which does not outlive its test file. A prefix such as setpriv comes before Node. */
export function start(
  name: string,
  args: readonly string[],
  options: SpawnOptions & { prefix?: readonly string[] } = {},
): Program {
  const { prefix = [], ...rest } = options;
  const file = join(import.meta.dirname, "programs", `${name}.ts`);
  const [command, ...words] = [...prefix, process.execPath, "--conditions=loopwright-source", file, ...args] as [
    string,
    ...string[],
  ];
  const child = spawn(command, words, { ...rest, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  child.once("exit", () => children.delete(child));
  const lines: string[] = [];
  let stderr = "";
  child.stderr!.on("data", (data) => {
    stderr += data;
  });
  const reader = createInterface({ input: child.stdout! });
  let wake = () => {};
  let read = 0;
  let isOver = false;
  reader.on("line", (line) => {
    lines.push(line);
    wake();
  });
  const ended = (async () => {
    const [[code, signal]] = await Promise.all([once(child, "close"), once(reader, "close")]);
    isOver = true;
    wake();
    return { code, signal, lines, stderr } as Ended;
  })();
  const line = async () => {
    while (read >= lines.length) {
      if (isOver) throw new Error(`the program ended without another line:\n${stderr}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return lines[read++]!;
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { child, lines, line, kill, ended };
}

/** Waits until a program prints a line that fits. */
export async function lineThat(program: Program, fits: (line: string) => boolean): Promise<string> {
  for (;;) {
    const line = await program.line();
    if (fits(line)) return line;
  }
}
