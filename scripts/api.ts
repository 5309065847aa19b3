// docs/api: what each package exports, from the compiler's declarations (dist/**/*.d.ts), which it prints from the first column, so
// that no parser is needed. It is made at release (`npm run docs -- --api`), and git does not keep it.

import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readPackages } from "./packages.ts";

interface Export {
  name: string;
  text: string;
  comment: string;
}

/** A page for each package, by its path. */
export function apiPages(): Record<string, string> {
  return Object.fromEntries(
    readPackages().map(({ folder, manifest }) => {
      const entries = Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
        const { types } = target as { types?: string };
        return types === undefined ? [] : [entryText(`${manifest.name}${path.slice(1)}`, join(folder, types))];
      });
      return [
        `docs/api/${basename(folder)}.md`,
        [`# ${manifest.name}`, `${manifest.description}`, ...entries, ""].join("\n\n"),
      ];
    }),
  );
}

function entryText(specifier: string, types: string): string {
  const texts = exportsOf(types).map(({ name, text, comment }) =>
    [`### ${name}`, comment, `\`\`\`ts\n${text}\n\`\`\``].filter(Boolean).join("\n\n"),
  );
  return [`## ${specifier}`, ...texts].join("\n\n");
}

/** Everything that a declaration file exports, through the files that it exports from. */
function exportsOf(path: string): Export[] {
  const found: Export[] = [];
  for (const { text, comment } of statementsIn(readFileSync(path, "utf8"))) {
    const name = /^export (?:declare )?(?:abstract )?(?:function|class|const|interface|type|enum) (\w+)/.exec(
      text,
    )?.[1];
    const [, some, from] = /^export (?:type )?(?:\*|\{([\s\S]*?)\}) from "(.+)"/.exec(text) ?? [];
    if (name !== undefined) found.push({ name, text: text.replaceAll(/^\s+#?private.*;\n/gm, ""), comment });
    else if (from?.startsWith(".")) {
      const names = some?.split(",").map((each) => each.trim().replace(/^type /, ""));
      const inner = exportsOf(join(dirname(path), from.replace(/\.[jt]s$/, ".d.ts")));
      found.push(...inner.filter((each) => names?.includes(each.name) ?? true));
    } else if (from !== undefined) found.push({ name: `from ${from}`, text, comment });
  }
  return found;
}

/** Each statement begins in the first column, and so does the comment above it. */
function statementsIn(text: string): { text: string; comment: string }[] {
  const statements: { text: string; comment: string }[] = [];
  let comment = "";
  for (const line of text.replaceAll(/^\/\*\*[\s\S]*?\*\/$/gm, (found) => found.replaceAll("\n", "\0")).split("\n")) {
    if (line.startsWith("/**"))
      comment = line
        .replaceAll(/^\/\*\* ?|\0 \*\/$|\*\/$/g, "")
        .replaceAll(/\0 \* ?/g, "\n")
        .trim();
    else if (/^[ })\]]/.test(line) && statements.length > 0) statements.at(-1)!.text += `\n${line}`;
    else if (line !== "") {
      statements.push({ text: line, comment });
      comment = "";
    }
  }
  return statements;
}
