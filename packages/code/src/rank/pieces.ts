// A file in pieces that can be shown apart: definitions whole where they are not too long, what stands between them, and long ones in
// parts. Every line is in one piece. Pure.

import type { FileBlock } from "@loopwright/workspace";
import { factsOf } from "./facts.ts";
import { bodyEnd } from "./places.ts";

/** Lines of a file, from 1, both included. */
export interface Piece {
  from: number;
  to: number;
}

const LONG = 60;
const PART = 30;
const LEAST = 3;

/** The pieces of a file, in order. */
export function piecesOf(file: FileBlock): Piece[] {
  const lines = file.content.replace(/\n$/, "").split("\n");
  if (lines.length <= LONG) return [{ from: 1, to: lines.length }];
  const starts = new Set([1]);
  let covered = 0;
  const { definitions } = factsOf(file);
  if (definitions.length === 0) for (const line of headingsIn(lines)) starts.add(line);
  for (const { line } of definitions) {
    const end = bodyEnd(lines, line);
    if (line <= covered || end - line < LEAST) continue;
    starts.add(startAbove(lines, line, covered));
    if (end - line > LONG) continue;
    covered = end;
    starts.add(end + 1);
  }
  const sorted = [...starts].filter((line) => line <= lines.length).sort((a, b) => a - b);
  return sorted.flatMap((from, at) => inParts({ from, to: (sorted[at + 1] ?? lines.length + 1) - 1 }));
}

/** Where parts of a documentation begin. */
function headingsIn(lines: readonly string[]): number[] {
  const isHeading = (line: string, at: number) =>
    /^#{1,6} /.test(line) || (/^[-=~^]{3,}\s*$/.test(lines[at + 1] ?? "") && /^\S/.test(line));
  return lines.flatMap((line, at) => (isHeading(line, at) ? [at + 1] : []));
}

function inParts({ from, to }: Piece): Piece[] {
  const count = to - from < LONG ? 1 : Math.ceil((to - from + 1) / PART);
  const size = Math.ceil((to - from + 1) / count);
  return Array.from({ length: count }, (_, n) => ({
    from: from + n * size,
    to: Math.min(to, from + (n + 1) * size - 1),
  }));
}

/** Where a definition begins with its decorators and the comment above it. */
function startAbove(lines: readonly string[], line: number, after: number): number {
  let from = line;
  while (from - 1 > after && /^\s*(?:@|#|\/\/|\/?\*)/.test(lines[from - 2]!)) from--;
  return from;
}
