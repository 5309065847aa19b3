// Python's runners, started so that nothing in the workspace decides how tests are judged. pytest runs unittest's classes too; what it
// would not do is unittest's own: a file with `load_tests`, and all of them where it is not installed.
//
//   P1  Python runs isolated: no PYTHON* variables, no user site. The workspace comes onto the path only after pytest and its
//       plugins are loaded, so nothing in it can stand in for them; from then on no bytecode is read or written.
//   P2  The configuration is a file that was there at the start, or none.

import { randomBytes } from "node:crypto";
import { lookIn, readPlain } from "../folder/files.ts";
import { PYTEST_FILES } from "../tests/names.ts";
import type { RunnerRun, TestFile } from "./types.ts";

/** The command that runs test files, each in the way of a runner. */
export function pythonCommand(runner: string, facts: object, run: RunnerRun): string[] {
  const { configuration, packageFolders, guards, workspace } = run;
  const config = PYTEST_FILES.find((name) => name in configuration);
  const all = {
    ...facts,
    files: run.files.map((file) => [file.inside, runner === "pytest" && loadsTests(file) ? "unittest" : runner]),
    roots: rootsOf(run),
    config: config ? `${workspace}/${config}` : null,
    plugins: run.loadsPlugins,
    nowhere: `/nonexistent/${randomBytes(4).toString("hex")}`,
  };
  const interpreter = packageFolders.includes(".venv") ? `${workspace}/.venv/bin/python` : "python3";
  return [interpreter, "-I", "-B", `${guards}/run.py`, JSON.stringify(all)];
}

/** Whether a file chooses its tests by itself, which pytest would not hear of. */
export function loadsTests({ source }: TestFile): boolean {
  return /^def load_tests\b/m.test(source) && !/\bpytest\b/.test(source);
}

/** Where Python looks for the workspace's modules before any that is installed: the folder itself, and those in it that hold
 * packages, by their usual names or by what the project says of itself. */
function rootsOf({ workspace, folder }: RunnerRun): string[] {
  const texts = DECLARING.map((name) => readPlain(folder, name)?.toString("utf8") ?? "");
  const named = [...new Set(["src", "lib", "python", ...texts.flatMap(declaredRoots)])];
  const holds = named.filter((name) => lookIn(folder, name)?.isDirectory() && !lookIn(folder, `${name}/__init__.py`));
  return [...holds.map((name) => `${workspace}/${name}`), workspace];
}

const DECLARING = ["pyproject.toml", "setup.cfg", "setup.py"];

/** The folders that setuptools, poetry and pdm are told to find packages in. */
export function declaredRoots(text: string): string[] {
  const forms = [
    /^\s*where\s*=\s*\[?\s*["']?([\w./-]+)/gm,
    /^\s*(?:package-dir|package_dir)\s*=\s*\{\s*["']{2}\s*[=:]\s*["']([\w./-]+)/gm,
    /^\s*["']{2}\s*=\s*["']([\w./-]+)["']/gm,
    /^\s*package_dir\s*=\s*\n\s+=\s*([\w./-]+)/gm,
    /\bfrom\s*=\s*["']([\w./-]+)["']/g,
  ];
  const found = forms.flatMap((form) => [...text.matchAll(form)].map(([, path]) => path!.replace(/^\.\/|\/+$/g, "")));
  return found.filter((path) => !/^\.?$|^\/|(?:^|\/)\.\.(?:\/|$)/.test(path));
}
