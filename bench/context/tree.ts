// A program of 600 files, the same each time: 400 of Python and 200 of TypeScript, some 120 lines each, which import one another.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileBlock } from "@loopwright/workspace";
import { grammarOf } from "@loopwright/workspace/grammar";

const WORDS = "parse render cache route token batch queue frame layer graph index merge split round quote limit".split(
  " ",
);
const FUNCTIONS = 16;

/** Writes the tree into a folder. */
export function writeTree(folder: string, files = 600): void {
  for (let n = 0; n < files; n++) {
    const isPython = n % 3 !== 2;
    const path = join(folder, "src", word(n), word(n >> 4), `${word(n * 7)}_${n}.${isPython ? "py" : "ts"}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, isPython ? python(n) : script(n));
  }
}

function word(n: number): string {
  return WORDS[n % WORDS.length]!;
}

function python(n: number): string {
  const imports = [1, 2, 3].map(
    (k) => `from src.${word(n + k)}.${word((n + k) >> 4)} import ${word((n + k) * 7)}_${n + k}`,
  );
  const functions = Array.from({ length: FUNCTIONS }, (_, k) => {
    const name = `${word(n + k)}_${word(k * 3 + n)}_${k}`;
    return `def ${name}(value, ${word(k)}=${k}):\n    """Gives the ${word(k)} of a ${word(n)}."""\n    if value is None:\n        return ${k}\n    found = [each for each in value if each != ${n}]\n    return found or ${word(k)}\n`;
  });
  return `import os\n${imports.join("\n")}\n\n\n${functions.join("\n\n")}`;
}

function script(n: number): string {
  const functions = Array.from({ length: FUNCTIONS }, (_, k) => {
    const name = `${word(n + k)}${word(k * 3 + n).replace(/^./, (first) => first.toUpperCase())}${k}`;
    return `/** Gives the ${word(k)} of a ${word(n)}. */\nexport function ${name}(value: readonly number[], ${word(k)} = ${k}): number {\n  if (value.length === 0) return ${word(k)};\n  const found = value.filter((each) => each !== ${n});\n  return found.length;\n}\n`;
  });
  return `import { join } from "node:path";\n\n${functions.join("\n")}`;
}

const LARGEST = 200_000;

/** What the workcell would read of a folder: sources that are not too large, and what git is told to ignore. */
export function readTree(tree: string): FileBlock[] {
  const paths = readdirSync(tree, { recursive: true, encoding: "utf8" });
  return paths.sort().flatMap((path) => {
    if (/(?:^|\/)(?:\.git|node_modules|\.pc)(?:\/|$)/.test(path)) return [];
    const isWanted = grammarOf(path) !== undefined || /(?:^|\/)\.gitignore$/.test(path);
    const found = isWanted ? statSync(join(tree, path), { throwIfNoEntry: false }) : undefined;
    if (!found?.isFile() || found.size > LARGEST) return [];
    return [{ path, content: readFileSync(join(tree, path), "utf8") }];
  });
}
