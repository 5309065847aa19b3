// Edits made real: the changed files, every other byte as it was.

import type { FileBlock } from "@loopwright/workspace";
import type { Edit } from "./candidate.ts";

/** The files that the edits change, in the order of `files`. Edits of one file must not overlap. */
export function applyEdits(files: readonly FileBlock[], edits: readonly Edit[]): FileBlock[] {
  const changed: FileBlock[] = [];
  for (const { path, content } of files) {
    const own = edits.filter((edit) => edit.path === path);
    if (own.length > 0) changed.push({ path, content: editText(content, own) });
  }
  return changed;
}

/** A text with stretches of it replaced. */
export function editText(text: string, edits: readonly Omit<Edit, "path">[]): string {
  let result = "";
  let at = 0;
  for (const edit of inOrder(edits)) {
    if (edit.start < at) throw new RangeError("edits overlap");
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** Whether two edits cannot be made together. */
export function overlaps(one: Edit, other: Edit): boolean {
  return one.path === other.path && overlapsSpan(one, other);
}

/** Whether two stretches of one text cannot be replaced together. */
export function overlapsSpan(one: Omit<Edit, "path">, other: Omit<Edit, "path">): boolean {
  // Two insertions at one place have no certain order.
  if (one.start === other.start) return true;
  return one.start < other.end && other.start < one.end;
}

function inOrder<E extends Omit<Edit, "path">>(edits: readonly E[]): E[] {
  return edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
}
