// Banned phrases: those that project.yaml names, and what models leave behind when they speak of themselves.

import type { FileBlock } from "../../types.ts";
import { type AnalysisFinding, hard, placeAt } from "./text.ts";

/** Nobody wants these in a novel. */
const alwaysBanned: readonly string[] = [
  "as an ai",
  "as a language model",
  "i cannot fulfill",
  "i can't assist with",
  "lorem ipsum",
  "[insert",
  "===file:",
  "===end file===",
];

/** Where phrases stand that should not: case and kind of space do not matter. */
export function findBannedPhrases(files: readonly FileBlock[], banned: readonly string[]): AnalysisFinding[] {
  const patterns = [...new Set([...banned, ...alwaysBanned])].map((phrase) => ({ phrase, pattern: patternOf(phrase) }));
  return files.flatMap(({ path, content }) =>
    patterns.flatMap(({ phrase, pattern }) =>
      Array.from(content.matchAll(pattern), ({ index }) => hard(`${placeAt(path, content, index)} has '${phrase}'.`)),
    ),
  );
}

/** Whole words where the phrase begins or ends with one. */
function patternOf(phrase: string): RegExp {
  const words = phrase
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replace(/['’]/g, "['’]"));
  const before = /^\s*[\p{L}\p{N}]/u.test(phrase) ? "(?<![\\p{L}\\p{N}])" : "";
  const after = /[\p{L}\p{N}]\s*$/u.test(phrase) ? "(?![\\p{L}\\p{N}])" : "";
  return new RegExp(`${before}${words.join("\\s+")}${after}`, "giu");
}
