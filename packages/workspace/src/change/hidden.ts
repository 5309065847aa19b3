// Files of a change that are not what they are taken for: sources that cannot be read, and modules under the name of a library
// that tests judge by. Pure.

import type { Finding } from "@loopwright/core";
import { grammarOf } from "../tests/grammar.ts";
import type { Change } from "./functions.ts";

/** Libraries by which Python's tests judge, or are run. */
const LIBRARIES = new Set([
  ...["pytest", "_pytest", "pluggy", "iniconfig", "xdist", "unittest", "doctest", "nose", "nose2", "hypothesis"],
  ...["numpy", "pandas", "scipy", "mock", "parameterized", "ddt", "freezegun", "time_machine", "responses", "respx"],
  ...["requests_mock", "faker", "factory", "testfixtures", "hamcrest", "sure", "expects", "syrupy", "snapshottest"],
  ...["approvaltests", "deepdiff", "dirty_equals", "pytest_mock", "pytest_asyncio"],
]);

/** Hard findings on a change's files by what they are; `all` names every file of the workspace. */
export function findHidden(changes: readonly Change[], all: readonly string[]): Finding[] {
  const unread = changes.filter(({ path, isHidden }) => isHidden && isProgram(path));
  const added = new Set(changes.filter(({ before }) => before === undefined).map(({ path }) => path));
  const inPlace = [...added].filter((path) => isInPlace(path, all, added));
  return [
    ...unread.map(({ path }) => hard("SOURCE_HIDDEN", `${path} is a link or no text: nobody can read what it does`)),
    ...inPlace.map((path) => hard("SHADOWS_LIBRARY", `${path} stands in the place of a library that tests judge by`)),
  ];
}

function isProgram(path: string): boolean {
  return grammarOf(path) !== undefined || /\.py[co]$/i.test(path);
}

/** Whether a new module is found before the library of its name. One that was there before may go on growing. */
function isInPlace(path: string, all: readonly string[], added: ReadonlySet<string>): boolean {
  const [, root = "", name = "", rest] = /^((?:src|tests?)\/)?([^/.]+)(\.py$|\/)/.exec(path) ?? [];
  if (!LIBRARIES.has(name)) return false;
  return rest !== "/" || !all.some((each) => each.startsWith(`${root}${name}/`) && !added.has(each));
}

function hard(code: string, message: string): Finding {
  const fix = "write it as a plain source under a name of its own";
  return { code, severity: "hard", priority: 1, message, fix };
}
