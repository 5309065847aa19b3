// Protected files: the tests, and what configures the runner that judges by them. No block and no command may change them,
// and before each test run they are put back as they were. A runner file that was absent at the start is removed then.

import { basename, dirname } from "node:path";
import { foldPath } from "@loopwright/git";
import { isConfiguredTest, isTestFile, isTestSource, mayBeTest } from "../tests/names.ts";
import { blockerOf, lookIn, placeFile, readPlain, removePath } from "./files.ts";
import { isWithin, walk } from "./walk.ts";

/** What tells a runner or an interpreter how to behave, in any folder. At its root a project is not given one that it does not have. */
export const ROOT_RUNNER_FILES: readonly string[] = [
  "conftest.py",
  "pytest.ini",
  ".pytest.ini",
  "pytest.toml",
  ".pytest.toml",
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "sitecustomize.py",
  "usercustomize.py",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
  "vitest.config.js",
  "vitest.config.mjs",
  "vite.config.ts",
  "vite.config.js",
];
const RUNNER_FILE =
  /^(?:pyvenv\.cfg|package-lock\.json|[jt]sconfig(?:\..+)?\.json|(?:vitest|vite|jest|babel|ava|node)\.(?:config|workspace|setup)\.(?:[cm]?[jt]s|json)|(?:postcss|svelte)\.config\.(?:[cm]?[jt]s|json)|\.(?:postcssrc|mocharc|babelrc|npmrc|swcrc|nycrc)(?:\..+)?)$/;

/** Folders of installed packages: a project that has none at the start is not given one. */
export const PACKAGE_FOLDERS: readonly string[] = ["node_modules", ".venv"];

/** Whether a path names what configures a runner. */
export function isRunnerFile(path: string): boolean {
  const name = foldPath(basename(path));
  return ROOT_RUNNER_FILES.includes(name) || RUNNER_FILE.test(name);
}

/** What is kept of the protected files, so that a snapshot can bring it back. */
export interface ProtectedNote {
  files: readonly string[];
  packageFolders: readonly string[];
}

export class ProtectedFiles {
  readonly #folder: string;
  /** Paths of tests that were given: all in them is protected. */
  readonly #given: readonly string[];
  readonly #kept = new Map<string, { bytes: Buffer; isExecutable: boolean }>();
  /** The folders of installed packages that the user has. */
  #packageFolders: readonly string[];
  /** What a command that judges is run by. */
  readonly #run: readonly string[];

  constructor(
    folder: string,
    given: readonly string[],
    packageFolders: readonly string[] = [],
    run: readonly string[] = [],
  ) {
    this.#folder = folder;
    this.#given = given;
    this.#packageFolders = packageFolders;
    this.#run = run;
  }

  /** Takes what stands in the workspace now for what it must stay. */
  async keepPresent(): Promise<void> {
    const entries = await walk(this.#folder);
    const files = entries.flatMap(({ kind, path }) => (kind === "file" ? [path] : []));
    const textOf = (path: string) => readPlain(this.#folder, path)?.toString("utf8") ?? "";
    const configuration = Object.fromEntries(files.filter(isRunnerFile).map((path) => [path, textOf(path)]));
    const isTest = (path: string) =>
      isTestFile(path) ||
      isConfiguredTest(path, configuration) ||
      (mayBeTest(path) && isTestSource(path, textOf(path)));
    const isOurs = (path: string) =>
      this.#run.includes(path) || isRunnerFile(path) || this.#given.some((given) => isWithin(path, given));
    this.keep({ files: files.filter((path) => isOurs(path) || isTest(path)), packageFolders: this.#packageFolders });
  }

  /** Takes the named files, as they stand in the workspace now, for what they must stay. */
  keep({ files, packageFolders }: ProtectedNote): void {
    this.#kept.clear();
    for (const path of files) this.#keepOne(path);
    this.#packageFolders = packageFolders;
  }

  /** Writes a file that is protected from now on. */
  write(path: string, content: string | Uint8Array): void {
    this.#unblock(path);
    placeFile(this.#folder, path, Buffer.from(content));
    this.#keepOne(path);
  }

  /** Removes a file that was protected. */
  remove(path: string): void {
    removePath(this.#folder, path);
    this.#kept.delete(path);
  }

  get note(): ProtectedNote {
    return { files: this.paths, packageFolders: this.#packageFolders };
  }

  get paths(): string[] {
    return [...this.#kept.keys()].sort();
  }

  /** The content of a protected file as it must be. */
  content(path: string): string | undefined {
    return this.bytes(path)?.toString("utf8");
  }

  bytes(path: string): Buffer | undefined {
    return this.#kept.get(path)?.bytes;
  }

  /** Why a path may not be written, if it may not. */
  refusal(path: string): string | undefined {
    const folded = foldPath(path);
    const isKept = [...this.#kept.keys()].some((kept) => isWithin(folded, foldPath(kept)));
    if (isTestFile(path) || this.#given.some((given) => isWithin(folded, foldPath(given)))) {
      return "is a test file: tests are not yours to write, make the program pass them";
    }
    if (isRunnerFile(path)) return "configures the test runner, and is kept as it was at the start";
    if (this.#run.some((each) => foldPath(each) === folded))
      return "is what the tests are run by, and is kept as it was at the start";
    return isKept ? "is protected, and is kept as it was at the start" : undefined;
  }

  /** What the sandbox must not let a program change, the folders above given tests among it. */
  get readOnly(): string[] {
    const given = this.#given.filter((path) => lookIn(this.#folder, path));
    return [...new Set([...this.readOnlyFiles, ...given])].sort();
  }

  /** What it must not let tests change: files, beside which they may write. */
  get readOnlyFiles(): string[] {
    return [...new Set([...this.#kept.keys(), ...ROOT_RUNNER_FILES, ...PACKAGE_FOLDERS, ...this.#conftests])].sort();
  }

  /** Where pytest would look for one on behalf of a test file. */
  get #conftests(): string[] {
    const tests = [...this.#kept.keys()].filter((path) => isTestFile(path) && path.endsWith(".py"));
    return tests.flatMap((path) => foldersAbove(path).map((folder) => `${folder}/conftest.py`));
  }

  /** Puts every protected file back, removes runner files that were not there, and says what it had to fix. */
  async putBack(): Promise<string[]> {
    const fixed: string[] = [];
    for (const [path, { bytes, isExecutable }] of this.#kept) {
      if (lookIn(this.#folder, path)?.isFile() && readPlain(this.#folder, path)?.equals(bytes)) continue;
      this.#unblock(path);
      placeFile(this.#folder, path, bytes, isExecutable);
      fixed.push(path);
    }
    const strange = (await walk(this.#folder)).filter(({ path }) => isRunnerFile(path) && !this.#kept.has(path));
    const packages = PACKAGE_FOLDERS.filter((name) => !this.#packageFolders.includes(name));
    for (const path of [...strange.map((each) => each.path), ...packages]) {
      // A dangling link is there too.
      if (!lookIn(this.#folder, path)) continue;
      removePath(this.#folder, path);
      fixed.push(path);
    }
    return fixed;
  }

  #keepOne(path: string): void {
    const found = lookIn(this.#folder, path);
    const bytes = found?.isFile() ? readPlain(this.#folder, path) : undefined;
    if (found && bytes) this.#kept.set(path, { bytes, isExecutable: (found.mode & 0o100) !== 0 });
  }

  /** Takes a link or a file out of the way that stands where a protected file's folder belongs. */
  #unblock(path: string): void {
    for (let blocker = blockerOf(this.#folder, path); blocker; blocker = blockerOf(this.#folder, path)) {
      removePath(this.#folder, blocker);
    }
  }
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}
