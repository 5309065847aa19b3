// The test files of a run: those that were given, those that the run has written, held-out ones, and the repository's own.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "@loopwright/core";
import type { Sandbox } from "@loopwright/sandbox";
import { readPlain } from "../folder/files.ts";
import { isRunnerFile, type ProtectedFiles } from "../folder/protected.ts";
import { isIgnored, isWithin, walk } from "../folder/walk.ts";
import type { ProjectCellOptions, TestOptions } from "../options.ts";
import { isFor } from "../runners/choose.ts";
import type { TestCopy } from "../runners/run.ts";
import { seenAt } from "../runners/run.ts";
import type { TestFile } from "../runners/types.ts";
import { copyTests, fileAt, filesOf, type GivenTests, pathsInside, takeTests } from "./files.ts";
import { isConfiguredTest, isTestFile, isTestSource, ownTests } from "./names.ts";

/** Where tests lie: in the user's folder, in the run's checkout of it, and as copies in the run's state. */
export interface TestPlaces {
  user: string;
  checkout: string;
  state: string;
  sandbox: Sandbox;
}

export class TestSet {
  readonly #options: Pick<ProjectCellOptions, "tests" | "heldOut" | "runner">;
  readonly #places: TestPlaces;
  #given: GivenTests;
  readonly #heldOut: GivenTests;
  /** Test files that the run has written. */
  written: string[] = [];

  constructor(options: Pick<ProjectCellOptions, "tests" | "heldOut" | "runner">, places: TestPlaces) {
    const { tests = [], heldOut = [] } = options;
    this.#options = options;
    this.#places = places;
    // What is held out is no given test, though it lie in a folder of them.
    this.#given = takeTests(tests, places.user, join(places.state, "tests"), heldOut);
    this.#heldOut = takeTests(heldOut, places.user, join(places.state, "held-out"));
  }

  /** Given and held-out tests that lie in the workspace. */
  get inside(): string[] {
    return [...this.#given.inside, ...this.#heldOut.inside];
  }

  get hidden(): readonly string[] {
    return this.#heldOut.inside;
  }

  /** Whether tests were given, visible or held out. */
  get areGiven(): boolean {
    const { tests = [], heldOut = [] } = this.#options;
    return tests.length + heldOut.length > 0;
  }

  /** The tests of the run, and the repository's own where its suite is asked for, or where there are no others. */
  async files(kept: ProtectedFiles, suite?: TestOptions["suite"]): Promise<TestFile[]> {
    const given = await this.#files();
    const isAlone = !this.#options.tests?.length && this.written.length === 0;
    const own = suite !== undefined || isAlone ? this.#found(kept) : [];
    const more = [...new Set([...this.written, ...own])].filter((path) => !given.some((file) => file.path === path));
    const all = [...given, ...more.map((path) => fileAt(this.#seen(), path))];
    return suite === undefined || suite === true ? all : all.filter(({ path }) => suite.includes(path));
  }

  /** Takes given tests as the user has them now; their test files, where anything among them is not what it was, or not what is
   * known of them. What is not there any more stays as it was. */
  async takeAgain(kept: ProtectedFiles, known: readonly string[]): Promise<TestFile[] | undefined> {
    const { user } = this.#places;
    const { tests = [], heldOut = [] } = this.#options;
    const { copies, places } = this.#given;
    const others = tests.filter((path) => existsSync(path) && pathsInside([path], user).length === 0);
    const before = contentOf(copies);
    if (others.length > 0 && others.length === Object.keys(places).length)
      this.#given = { ...this.#given, places: copyTests(others, copies, user, heldOut) };
    const isOutside = contentOf(copies) !== before;
    const isInside = await this.#takeInside(kept);
    const files = await this.#files();
    const texts = files.map(({ source }) => source);
    const isKnown = JSON.stringify(texts.sort()) === JSON.stringify([...known].sort());
    return isOutside || isInside || !isKnown ? files : undefined;
  }

  /** Files of given tests in the workspace that the user has changed, added or removed. */
  async #takeInside(kept: ProtectedFiles): Promise<boolean> {
    const { user } = this.#places;
    const { inside } = this.#given;
    const isGiven = (path: string) =>
      inside.some((given) => isWithin(path, given)) && !this.hidden.some((held) => isWithin(path, held));
    const entries = inside.length > 0 ? await walk(user, [], "user") : [];
    const now = entries.filter(({ kind, path }) => kind === "file" && isGiven(path)).map(({ path }) => path);
    const changed = now.filter((path) => {
      const text = readPlain(user, path, "user");
      if (!text || kept.bytes(path)?.equals(text)) return false;
      kept.write(path, text);
      return true;
    });
    const gone = now.length > 0 ? kept.paths.filter((path) => isGiven(path) && !now.includes(path)) : [];
    for (const path of gone) kept.remove(path);
    return changed.length + gone.length > 0;
  }

  /** Held-out tests of the workspace are read where the user has them: the checkout has none. */
  heldOutFiles(): Promise<TestFile[]> {
    const seen = { folder: this.#places.user, inside: this.#seen().inside, owner: "user" as const };
    return filesOf(this.#heldOut, seen, this.#placeOf(this.#heldOut));
  }

  /** Copies of tests, and where a job sees them; held-out ones for their own run alone. */
  copies(heldOut: boolean): TestCopy[] {
    const { inside, copies, places } = heldOut ? this.#heldOut : this.#given;
    const { user, sandbox } = this.#places;
    const hidden = heldOut && sandbox.kind !== "none" ? inside.map((path) => join(user, path)) : [];
    return [
      ...Object.entries(places).map(([name, place]) => ({ from: join(copies, name), place })),
      ...hidden.map((path) => ({ from: path, place: path })),
    ];
  }

  /** Copies of given tests as any other job sees them, by path. */
  get seen(): Record<string, string> {
    return Object.fromEntries(this.copies(false).map(({ from, place }) => [place, from]));
  }

  /** Test files that stood in the workspace at the start, held-out ones left out. */
  #found(kept: ProtectedFiles): string[] {
    const configuration = configurationOf(kept);
    const isTest = (path: string) =>
      isTestFile(path) || isConfiguredTest(path, configuration) || isTestSource(path, kept.content(path) ?? "");
    const found = kept.paths.filter((path) => isTest(path) && !isIgnored(path, this.hidden));
    return ownTests(found, configuration).filter((path) => isFor(this.#options.runner, path));
  }

  async #files(): Promise<TestFile[]> {
    const files = await filesOf(this.#given, this.#seen(), this.#placeOf(this.#given));
    return files.filter(({ path }) => !this.hidden.some((held) => isWithin(path, held)));
  }

  #seen(): { folder: string; inside: string } {
    const { sandbox, user, checkout } = this.#places;
    return { folder: checkout, inside: seenAt(sandbox, user, checkout) };
  }

  /** Where a job sees a copy. */
  #placeOf({ copies, places }: GivenTests): (name: string) => string {
    return (name) => seenAt(this.#places.sandbox, places[name]!, join(copies, name));
  }
}

/** Everything in a folder of copies, as one text. */
function contentOf(folder: string): string {
  if (!existsSync(folder)) return "";
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return JSON.stringify(files.map((path) => [path, sha256(readFileSync(join(folder, path)))]));
}

/** What configures runners, by path. */
export function configurationOf(kept: ProtectedFiles): Record<string, string> {
  const paths = kept.paths.filter(isRunnerFile);
  return Object.fromEntries(paths.map((path) => [path, kept.content(path) ?? ""]));
}
