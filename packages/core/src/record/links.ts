// Links: each row has one, made over the link before it and the row's own text, so that a changed, missing or reordered event
// is found (L10). The first is made over the run's id and its loop, so that no run's rows can stand for another's.

import type { Row } from "../ports.ts";
import { sha256 } from "./json.ts";

/** The link of a row: it changes with the row's body and with everything before it. */
export function linkOf(previous: string, body: string): string {
  return sha256(previous + body);
}

/** What the chain of a run begins with. */
export function firstLink(run: string, loop: string): string {
  return sha256(JSON.stringify(["loopwright run", run, loop]));
}

/** What the chain of these rows begins with, by the first of them. */
export function firstLinkOf(run: string, rows: readonly Row[]): string {
  return firstLink(run, loopOf(rows));
}

/** The first row that does not follow from the one before it, in words; undefined if all do. */
export function brokenLink(run: string, rows: readonly Row[]): string | undefined {
  let previous = firstLinkOf(run, rows);
  for (const [index, row] of rows.entries()) {
    if (row.seq !== index + 1) return `event ${index + 1} is missing`;
    if (row.link !== linkOf(previous, row.body)) return `event ${row.seq} was changed, or does not belong here`;
    previous = row.link;
  }
  return undefined;
}

/** The rows of a run as those of another: the same events, in a chain of its own. */
export function relink(rows: readonly Row[], run: string): Row[] {
  let link = firstLinkOf(run, rows);
  return rows.map(({ seq, body }) => {
    link = linkOf(link, body);
    return { seq, body, link };
  });
}

function loopOf([first]: readonly Row[]): string {
  try {
    return String((JSON.parse(first!.body) as { loop: unknown }).loop);
  } catch {
    return "";
  }
}
