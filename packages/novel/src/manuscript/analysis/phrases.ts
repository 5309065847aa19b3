// Banned phrases: those that project.yaml names, and what models leave behind when they speak of themselves.

import type { FileBlock } from "../../types.ts";
import type { AnalysisFinding } from "./finding.ts";
import { lineFinder } from "./text.ts";

/** Nobody wants these in a novel. */
export const alwaysBanned: readonly string[] = [
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
  const phrases = [
    ...new Set([...banned, ...alwaysBanned].map((phrase) => phrase.trim()).filter((phrase) => phrase !== "")),
  ];
  const patterns = phrases.map((phrase) => ({ phrase, pattern: patternOf(phrase) }));
  return files.flatMap(({ path, content }) => {
    const lineOf = lineFinder(content);
    return patterns.flatMap(({ phrase, pattern }) =>
      Array.from(content.matchAll(pattern), ({ index }): AnalysisFinding => {
        const line = lineOf(index);
        const message = `${path}:${line} has '${phrase}'.`;
        return { code: "BANNED_PHRASE", severity: "hard", priority: 1, message, path, line };
      }),
    );
  });
}

/** Whole words where the phrase begins or ends with one. */
function patternOf(phrase: string): RegExp {
  const words = phrase
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replace(/['’]/g, "['’]"));
  const before = /^[\p{L}\p{N}]/u.test(phrase) ? "(?<![\\p{L}\\p{N}])" : "";
  const after = /[\p{L}\p{N}]$/u.test(phrase) ? "(?![\\p{L}\\p{N}])" : "";
  return new RegExp(`${before}${words.join("\\s+")}${after}`, "giu");
}
