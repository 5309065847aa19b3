// A repository's own tests: those that its runner would find where it is called without a path. Pure.

/** Folders that pytest does not look into by itself; node and vitest leave out the same ones that matter. */
const LEFT_OUT = /(?:^|\/)(?:\.[^/]*|_darcs|build|CVS|dist|node_modules|venv|site-packages|[^/]*\.egg)\//;
const CONFIGURATIONS = ["pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];

/** Of a repository's test files, those that are its own suite. */
export function ownTests(paths: readonly string[], configuration: Readonly<Record<string, string>>): string[] {
  const own = paths.filter((path) => !LEFT_OUT.test(path));
  const folders = testPaths(configuration);
  const named = own.filter((path) => folders.some((folder) => isIn(path, folder)));
  return named.length > 0 ? named : own;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Where pytest is told to look, by the first configuration that says so. */
function testPaths(configuration: Readonly<Record<string, string>>): string[] {
  for (const name of CONFIGURATIONS) {
    const text = configuration[name] ?? "";
    const list = /^\s*testpaths\s*=\s*\[([^\]]*)\]/m.exec(text)?.[1];
    if (list !== undefined) return [...list.matchAll(/["']([^"']+)["']/g)].map(([, path]) => plain(path!));
    const words = /^[ \t]*testpaths[ \t]*=[ \t]*(.*(?:\n[ \t]+\S.*)*)/m.exec(text)?.[1];
    if (words !== undefined)
      return words
        .split(/\s+/)
        .filter(Boolean)
        .map((path) => plain(path.replace(/^["']|["']$/g, "")));
  }
  return [];
}

function plain(path: string): string {
  return path.replace(/^\.\//, "").replace(/\/+$/, "");
}
