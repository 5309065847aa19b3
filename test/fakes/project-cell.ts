// A project workcell in memory. Its tests are Python in looks only: a test passes if every text that it asks for with
// has("…") stands somewhere in the program. Nothing is ever run.

import { createHash } from "node:crypto";
import type { WorkcellStart } from "@loopwright/core";
import {
  type BlockResult,
  type CommandOutcome,
  type FileBlock,
  isTestFile,
  type Patch,
  type ProjectCell,
  type TestOptions,
  type TestReport,
  type TestResult,
} from "@loopwright/workspace";

/** What outlives every workcell: the workspace, its snapshots, and what was done. */
export interface FakeProject {
  files: Map<string, string>;
  /** The user's files, as the run found them. */
  original: ReadonlyMap<string, string>;
  heldOut: string;
  /** The texts of given tests, which lie outside the workspace. */
  given: string[];
  /** What the user has made of them since. */
  corrected?: string;
  log: string[];
  /** What goes on in the workspace while the tests are about to run. */
  beforeTests?: () => void;
  cells: WorkcellStart<ProjectCell>;
}

const FOLDER = "/somewhere/on/this/machine/workspace";

/** A project whose workcells share one workspace. */
export function fakeProject(
  files: Readonly<Record<string, string>> = {},
  heldOut = "",
  snapshots = new Map<string, ReadonlyMap<string, string>>(),
): FakeProject {
  const project: FakeProject = {
    files: new Map(Object.entries(files)),
    original: new Map(Object.entries(files)),
    heldOut,
    given: [],
    log: [],
    cells: async ({ snapshot }) => {
      const cell = new FakeCell(project, snapshots);
      if (snapshot !== undefined) await cell.restore(snapshot);
      return cell;
    },
  };
  return project;
}

class FakeCell implements ProjectCell {
  readonly folder = FOLDER;
  readonly inside = FOLDER;
  at: string | undefined;
  readonly #project: FakeProject;
  readonly #snapshots: Map<string, ReadonlyMap<string, string>>;

  constructor(project: FakeProject, snapshots: Map<string, ReadonlyMap<string, string>>) {
    this.#project = project;
    this.#snapshots = snapshots;
  }

  async check(): Promise<void> {}

  async apply({ isDry = false } = {}): Promise<{ written: string[]; conflicts: string[] }> {
    if (!isDry) this.#project.log.push("apply");
    return { written: [...this.#project.files.keys()].sort(), conflicts: [] };
  }

  async patch(): Promise<Patch> {
    const { files, original } = this.#project;
    const changed = [...files].filter(([path, text]) => original.get(path) !== text).sort();
    const text = changed.map(([path, content]) => `+++ b/${path}\n${content.replace(/^/gm, "+")}\n`).join("");
    return {
      files: changed.map(([path, content]) => ({ path, added: content.split("\n").length, removed: 0 })),
      ...(text !== "" && { text }),
    };
  }

  async stop(): Promise<void> {}

  async snapshot(): Promise<string> {
    const text = JSON.stringify([...this.#project.files].sort());
    this.at = createHash("sha256").update(text).digest("hex").slice(0, 12);
    this.#snapshots.set(this.at, new Map(this.#project.files));
    return this.at;
  }

  async restore(snapshot: string): Promise<void> {
    this.#project.files = new Map(this.#snapshots.get(snapshot));
    this.#project.log.push(`restore ${snapshot}`);
    this.at = snapshot;
  }

  async writeFiles(blocks: readonly FileBlock[]): Promise<BlockResult<FileBlock>[]> {
    this.at = undefined;
    return blocks.map((block) => {
      if (isTestFile(block.path)) return { refused: "it is a test file" };
      if (block.path.startsWith("..")) return { refused: "it leaves the workspace" };
      this.#project.files.set(block.path, block.content);
      return { done: block };
    });
  }

  async writeTests(files: readonly FileBlock[]): Promise<void> {
    for (const { path, content } of files) {
      if (this.#project.files.get(path) === content) continue;
      this.at = undefined;
      this.#project.files.set(path, content);
    }
  }

  async setUp(more: readonly string[]) {
    if (more.length === 0) return undefined;
    for (const command of more) this.#project.log.push(`install ${command}`);
    return { commands: [...more], ms: 0, isKept: false };
  }

  async takeTests(): Promise<FileBlock[] | undefined> {
    const { corrected } = this.#project;
    if (!corrected) return undefined;
    delete this.#project.corrected;
    this.#project.given = [corrected];
    return [{ path: "test_given.py", content: corrected }];
  }

  async runCommands(commands: readonly string[]): Promise<BlockResult<CommandOutcome>[]> {
    this.at = undefined;
    return commands.map((command) => {
      if (command.startsWith("sudo")) return { refused: "sudo is not allowed" };
      if (command.startsWith("sleep"))
        return { done: { command, code: null, stopped: "it was stopped after 60 s", output: "" } };
      return { done: { command, code: 0, output: `ran in ${FOLDER}/src` } };
    });
  }

  async changes(): Promise<{ path: string; after: string }[]> {
    const { files, original } = this.#project;
    const changed = [...files].filter(([path, text]) => original.get(path) !== text && !isTestFile(path));
    return changed.map(([path, after]) => ({ path, after }));
  }

  async base() {
    return { prefix: "", before: "", after: "" };
  }

  async note(): Promise<void> {}

  async runTests({ heldOut = false, instead = [], reads }: TestOptions): Promise<TestReport> {
    const { files, heldOut: hidden, given } = this.#project;
    this.at = undefined;
    this.#project.beforeTests?.();
    files.set("left-by-tests.tmp", "x");
    this.#project.log.push(heldOut ? "run hidden" : "run tests");
    const tests = [...files].filter(([path]) => isTestFile(path)).map(([path, content]) => ({ path, content }));
    const named = given.map((content, index) => ({ path: `given-${index}`, content }));
    const run = heldOut ? [{ path: "hidden", content: hidden }] : [...tests, ...named];
    const program = [...files].filter(([path]) => /\.py$/.test(path) && !isTestFile(path));
    const told = report(run, program.map(([, content]) => content).join("\n"));
    return reads === undefined ? told : { ...told, left: everyMark(instead) };
  }

  async readFiles(paths?: readonly string[]): Promise<FileBlock[]> {
    const wanted = paths ?? [...this.#project.files.keys()];
    return wanted.flatMap((path) => {
      const content = this.#project.files.get(path);
      return content === undefined ? [] : [{ path, content }];
    });
  }

  async listFiles(): Promise<string[]> {
    return [...this.#project.files.keys()].sort();
  }

  async history(): Promise<undefined> {}
}

/** What the tests say of a program: one that holds `SYNTAX ERROR`, or is not there at all, cannot be loaded. */
function report(files: readonly FileBlock[], program: string): TestReport {
  const plain = { runner: "fake", ms: Math.random() };
  const why =
    program === "" ? "no module named calc" : program.includes("SYNTAX ERROR") ? "SyntaxError in calc.py" : "";
  if (why !== "")
    return { ...plain, tests: [], failureLines: "", fault: `ImportError: ${why}\n  in ${FOLDER}/calc.py, line 1` };
  const tests = files.flatMap(({ content }) => testsIn(content, program));
  const failing = tests.filter(({ state }) => state === "failed");
  return { ...plain, tests, failureLines: failing.map(({ failure }) => failure).join("\n") };
}

function testsIn(content: string, program: string): TestResult[] {
  return content.split(/^(?=@|def )/m).flatMap((text, index, all): TestResult[] => {
    const name = /^def (test_\w+)/.exec(text)?.[1];
    if (name === undefined) return [];
    const mark = all[index - 1] ?? "";
    if (mark.startsWith("@pytest.mark.skip")) return [{ name, state: "skipped" }];
    if (mark.startsWith("@pytest.mark.xfail")) return [{ name, state: "xfailed" }];
    const wanted = [...text.matchAll(/has\("(.*?)"\)/g)].map((match) => match[1]!);
    const missing = wanted.find((each) => !program.includes(each));
    if (missing === undefined) return [{ name, state: "passed" }];
    const failure = `FAILED ${name}\nE   assert has("${missing}") in ${FOLDER}/calc.py`;
    return [{ name, state: "failed", failure }];
  });
}

/** A run of marked files that has passed every mark. */
function everyMark(files: readonly FileBlock[]): string {
  return files
    .flatMap(({ content }) => [...content.matchAll(/_loopwright_seen_\((\d+)\)/g)].map(([, id]) => id))
    .join("\n");
}
