// Whoever comes with loops knows none of them: what finds loops by their names in package.json names none in its source.

import { readFileSync } from "node:fs";
import { type Finding, loopsOf, type Tree } from "./tree.ts";

/** Names that are words of their own in any program: these count only where a loop is meant. */
const ordinary = new Set(["code", "workspace"]);

/** Each line of a command line's source that names a loop. */
export function loopNameFindings({ packages, files }: Tree): Finding[] {
  return packages.flatMap((owner) => {
    const names = Object.keys(loopsOf(owner.manifest));
    const sources = files.filter((file) => file.owner === owner && file.role === "source");
    return sources.flatMap(({ path }) => [
      ...names.filter((name) => path.split(/[/.]/).includes(name)).map((name) => finding(`${path}:1`, name)),
      ...readFileSync(path, "utf8")
        .split("\n")
        .flatMap((line, at) =>
          names.filter((name) => isNamed(name, line)).map((name) => finding(`${path}:${at + 1}`, name)),
        ),
    ]);
  });
}

function isNamed(name: string, line: string): boolean {
  const pattern = ordinary.has(name)
    ? `["'\`/]${name}["'\`/](?! in )|(loopwright|demo|graph|--loop|@loopwright/) ?${name}\\b|\\b${name} loop\\b`
    : `\\b${name}\\b`;
  return new RegExp(pattern, "i").test(line);
}

function finding(place: string, name: string): Finding {
  return { place, message: `the loop '${name}' is named here; its own package must bring this along` };
}
