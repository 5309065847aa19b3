// docs/errors.md against the codes that the sources throw: the row of a code that is gone goes, and one that is new gets a row with the
// message as the source has it. The words of the other rows are a person's, and stay.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesAt, isTest, readPackages } from "../packages.ts";

/** How errors are made: by their class, by a class of our own, by a file of YAML that is opened, or on a plain error. */
const made = [
  /\b(?:\w*Error|TooLarge|super)\(\s*(?:[^"`(),;{}]{0,60} \? )?"([A-Z][A-Z0-9_]+)"(?: : "([A-Z0-9_]+)")?(?:,\s*(["`])([\s\S]*?)\3)?/g,
  /openYaml\([^;]*?code: "([A-Z0-9_]+)"/g,
  /new Error\(\w+\), \{ code: "([A-Z0-9_]+)"/g,
];

/** The page as it should be. */
export function errorsPage(root = "."): string {
  const [opening = "", ...sections] = readFileSync(join(root, "docs/errors.md"), "utf8").split(/^(?=## )/m);
  const thrown = new Map(
    readPackages(root).map(({ folder, manifest }) => [manifest.name, messagesIn(folder)] as const),
  );
  const everywhere = new Set([...thrown.values()].flatMap((codes) => [...codes.keys()]));
  const codeOf = (row: string) => /^\| `([A-Z0-9_]+)` \|/.exec(row)?.[1];
  const listed = new Set(sections.flatMap((section) => section.split("\n").flatMap((row) => codeOf(row) ?? [])));
  const kept = sections.flatMap((section) => {
    const codes = thrown.get(section.slice(3, section.indexOf("\n")));
    if (codes === undefined) return [];
    const lines = section.split("\n").filter((row) => everywhere.has(codeOf(row) ?? [...everywhere][0]!));
    const more = [...codes].filter(([code]) => !listed.has(code));
    const rows = [
      ...lines.filter(codeOf),
      ...more.map(([code, said]) => `| \`${code}\` | ${said} | the message says it |`),
    ];
    const at = lines.findIndex(codeOf);
    return [...lines.slice(0, at), ...rows.sort(), ...lines.slice(at).filter((row) => !codeOf(row))].join("\n");
  });
  return [opening, ...kept].join("");
}

/** Each code that a package throws, with what it says. */
function messagesIn(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of filesAt(`${folder}/src/**/*.ts`).filter((each) => !isTest(each))) {
    const text = readFileSync(path, "utf8");
    for (const [, code, other, , message = ""] of made.flatMap((pattern) => [...text.matchAll(pattern)])) {
      const said = message.replaceAll(/\$\{[^}]*\}/g, "…").replaceAll("|", "\\|");
      for (const each of [code, other]) if (each !== undefined && !found.has(each)) found.set(each, said);
    }
  }
  return found;
}
