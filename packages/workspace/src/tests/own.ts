// A repository's own tests: those that its runner would find where it is called without a path. Pure.

import { pytestSetting } from "./names.ts";

/** Folders that pytest does not look into by itself; node and vitest leave out the same ones that matter. */
const LEFT_OUT = /(?:^|\/)(?:\.[^/]*|_darcs|build|CVS|dist|node_modules|venv|site-packages|[^/]*\.egg)\//;

/** Of a repository's test files, those that are its own suite. */
export function ownTests(paths: readonly string[], configuration: Readonly<Record<string, string>>): string[] {
  const own = paths.filter((path) => !LEFT_OUT.test(path));
  const folders = pytestSetting(configuration, "testpaths").map(plain);
  const named = own.filter((path) => folders.some((folder) => isIn(path, folder)));
  return named.length > 0 ? named : own;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function plain(path: string): string {
  return path.replace(/^\.\//, "").replace(/\/+$/, "");
}
