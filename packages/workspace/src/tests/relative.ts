// What a test file imports by a path or by dots: that means another file wherever the test lies. Tests outside the workspace are run
// from copies, so such an import works only where it is known to lead into the workspace or stays among the tests.

import { dirname, join, resolve } from "node:path";
import { UsageError } from "@loopwright/core";
import { isWithin } from "../folder/walk.ts";

export interface RelativeImport {
  /** As the source says it. */
  said: string;
  /** The path that it leads to, without its ending. */
  target: string;
  /** Whether it goes by packages and their dots. */
  isByDots: boolean;
}

const SCRIPT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]*)["']/g;
const PYTHON = /^[ \t]*from[ \t]+(\.+)([\w.]*)[ \t]+import\b/gm;

/** The relative imports of a test file. */
export function relativeImports(file: string, source: string): RelativeImport[] {
  if (!file.endsWith(".py"))
    return [...source.matchAll(SCRIPT)].map(([, said = ""]) => {
      return { said, target: resolve(dirname(file), said), isByDots: false };
    });
  return [...source.matchAll(PYTHON)].map(([, dots = "", name = ""]) => {
    const above = resolve(dirname(file), ...Array.from({ length: dots.length - 1 }, () => ".."));
    return { said: dots + name, target: join(above, ...name.split(".")), isByDots: true };
  });
}

/** Where given tests lie: what was given, the test file in it, and the workspace. */
export interface TestPlace {
  given: string;
  file: string;
  workspace: string;
}

/** Whether a test file outside the workspace imports something of it by a path. */
export function reachesWorkspace({ given, file, workspace }: TestPlace, source: string): boolean {
  return leaving(given, file, source).some(({ target, isByDots }) => !isByDots && isWithin(target, workspace));
}

/** Refuses a test file whose imports lead where a copy of it could not follow. */
export function refuseLeaving({ given, file, workspace }: TestPlace, source: string, { isCopied = false } = {}): void {
  for (const { said, target, isByDots } of leaving(given, file, source)) {
    const both = `or give --workspace a folder that holds both, such as ${commonFolder(workspace, target)}`;
    if (isByDots)
      throw new UsageError(
        "TESTS_LEAVE",
        `${file} imports '${said}' by dots, which lead out of the given tests: import it by its name, as the workspace is on Python's path, ${both}`,
      );
    if (isCopied || !isWithin(target, workspace))
      throw new UsageError(
        "TESTS_LEAVE",
        `${file} imports '${said}', which is neither in the workspace ${workspace} nor among the given tests: name it with --tests too, ${both}`,
      );
  }
}

function leaving(given: string, file: string, source: string): RelativeImport[] {
  return relativeImports(file, source).filter(({ target }) => !isWithin(target, given));
}

function commonFolder(one: string, other: string): string {
  return isWithin(other, one) ? one : commonFolder(dirname(one), other);
}
