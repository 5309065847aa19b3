// Files given as ordinary fenced blocks that name a path: ```python path/name.py

import { shownPath } from "@loopwright/git";
import { fencesOf, pairFences } from "@loopwright/models";

export interface FencedFile {
  path: string;
  content: string;
}

const looksLikePath = (word: string) => /[^/.][./]/.test(word) && !/[\s`'"=]/.test(word);

/** The fenced blocks of a text that name a path; one that is never closed is a problem. */
export function fencedFiles(text: string): { files: FencedFile[]; problems: string[] } {
  const files: FencedFile[] = [];
  const problems: string[] = [];
  for (const { open, close } of pairFences(fencesOf(text), text.length)) {
    const path = pathOf(text.slice(open.start, open.end));
    if (path === undefined) continue;
    if (!close) {
      problems.push(`The fenced block for the file '${shownPath(path)}' is never closed, so nothing of it was used.`);
      continue;
    }
    const body = text.slice(open.end + 1, Math.max(open.end + 1, close.start));
    files.push({ path, content: outdent(body, open.indent) });
  }
  return { files, problems };
}

/** The lines of a file whose block holds one fenced block and nothing else: models fence what is marked already. */
export function outermostFence(path: string, lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const mark = /^(`{3,}|~{3,})[^`]*$/.exec(lines[first] ?? "")?.[1];
  const isWrapped = mark !== undefined && last > first && lines[last]!.trimEnd() === mark;
  if (!isWrapped || /\.(?:md|mdx|markdown)$/i.test(path)) return [...lines];
  const inner = lines.slice(first + 1, last);
  return inner.some((line) => line.startsWith(mark)) ? [...lines] : inner;
}

/** What follows the language on a fence's line, or a lone word that can only be a path. */
function pathOf(line: string): string | undefined {
  const words = line
    .trim()
    .replace(/^(?:`{3,}|~{3,})/, "")
    .trim()
    .split(/\s+/);
  const [language = "", ...rest] = words;
  if (rest.length > 0) {
    const named = /^(?:file|filename|path|title)[=:]["']?([^"']+)["']?$/.exec(rest[0]!)?.[1] ?? rest[0]!;
    return looksLikePath(named) ? named : undefined;
  }
  const lone = /^[a-z0-9+#-]+:(.+)$/i.exec(language)?.[1] ?? (language.includes("/") ? language : "");
  return looksLikePath(lone) ? lone : undefined;
}

function outdent(body: string, indent: string): string {
  if (indent === "") return body;
  return body
    .split("\n")
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join("\n");
}
