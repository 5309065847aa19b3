// Which files of a workspace are tests: by their names alone, by the patterns of its configuration, or by what stands in them where
// the name leaves it open. Pure.

import { basename } from "node:path";
import { foldPath } from "@loopwright/git";

const TEST_FILE = /^(?:test_.*\.py|.*_test\.py|.*\.(?:test|spec)\.[cm]?[jt]sx?)$/;

/** Whether every runner would take a path for a test file. */
export function isTestFile(path: string): boolean {
  return TEST_FILE.test(foldPath(basename(path)));
}

/** Where a name leaves it open: unittest's and node's own names, and folders of tests. */
const OPEN =
  /(?:^|\/)(?:test[^/]*|[^/]*tests?)\.py$|(?:^|\/)(?:__tests__|tests?)\/(?:.*\/)?[^/]+\.[cm]?[jt]sx?$|(?:^|\/)(?:test|test-[^/]+|[^/]+[-_]test)\.[cm]?[jt]sx?$/;

/** What stands in a test that is known by nothing else. */
const PYTHON_TEST = /^class\s+\w+\s*\([^)]*TestCase[^)]*\)[\s\S]*^\s+(?:async\s+)?def\s+test|^def\s+load_tests\b/m;
const SCRIPT_TEST = /["'](?:node:test|vitest|@jest\/globals)["']|^(?:describe|test|it|suite)(?:\.\w+)*\(/m;

/** Whether a path may be a test's, so that its source decides. */
export function mayBeTest(path: string): boolean {
  return !isTestFile(path) && OPEN.test(foldPath(path)) && !/\.d\.[cm]?ts$/.test(path);
}

/** Whether a file that may be a test is one. */
export function isTestSource(path: string, source: string): boolean {
  return mayBeTest(path) && (path.endsWith(".py") ? PYTHON_TEST : SCRIPT_TEST).test(source);
}

/** The files that may configure pytest, in its own order. */
export const PYTEST_FILES = [
  "pytest.toml",
  ".pytest.toml",
  "pytest.ini",
  ".pytest.ini",
  "pyproject.toml",
  "tox.ini",
  "setup.cfg",
];

/** What pytest's configuration says under a key, by the first file that says it. */
export function pytestSetting(configuration: Readonly<Record<string, string>>, key: string): string[] {
  for (const name of PYTEST_FILES) {
    const text = configuration[name] ?? "";
    const list = new RegExp(`^\\s*${key}\\s*=\\s*\\[([^\\]]*)\\]`, "m").exec(text)?.[1];
    if (list !== undefined) return [...list.matchAll(/["']([^"']+)["']/g)].map(([, value]) => value!);
    const words = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*(.*(?:\\n[ \\t]+\\S.*)*)`, "m").exec(text)?.[1];
    if (words === undefined) continue;
    const values = words.split(/\s+/).filter(Boolean);
    return values.map((value) => value.replace(/^["']|["']$/g, ""));
  }
  return [];
}

/** Whether a path is a test by pytest's configuration. */
export function isConfiguredTest(path: string, configuration: Readonly<Record<string, string>>): boolean {
  if (!path.endsWith(".py")) return false;
  return pytestSetting(configuration, "python_files").some((pattern) =>
    globToRegExp(pattern).test(pattern.includes("/") ? path : basename(path)),
  );
}

function globToRegExp(pattern: string): RegExp {
  const parts = pattern
    .replace(/[\\^$.+()|{}]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${parts.replace(/\[!/g, "[^")}$`);
}

/** Folders that pytest does not look into by itself; node and vitest leave out the same ones that matter. */
const LEFT_OUT = /(?:^|\/)(?:\.[^/]*|_darcs|build|CVS|dist|node_modules|venv|site-packages|[^/]*\.egg)\//;

/** Of a repository's test files, those that are its own suite: what its runner would find where it is called without a path. */
export function ownTests(paths: readonly string[], configuration: Readonly<Record<string, string>>): string[] {
  const own = paths.filter((path) => !LEFT_OUT.test(path));
  const folders = pytestSetting(configuration, "testpaths").map((path) => path.replace(/^\.\/|\/+$/g, ""));
  const named = own.filter((path) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`)));
  return named.length > 0 ? named : own;
}
