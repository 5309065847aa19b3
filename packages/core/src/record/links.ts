// Links: each row has one, made over the link before it and the row's own text, so that a changed, missing or reordered event
// is found (L10).
//
// The first is made over the run's id and its loop, so that no run's rows can stand for another's. A run keeps the form that it
// began with: its first event says so, and one that says nothing comes from before there were forms.

import type { Row } from "../ports.ts";
import { sha256 } from "./json.ts";

/** What chains began with before they covered the run. */
export const GENESIS = "0".repeat(64);

/** How a run's links are made, as its first event says. */
export interface ChainForm {
  form: 2;
}

/** Where a chain stands. */
export interface ChainEnd {
  link: string;
  chain?: ChainForm;
}

/** The link of a row: it changes with its body and with everything before it. */
export function linkOf(previous: string, body: string): string {
  return sha256(previous + body);
}

/** Where the chain of a new run begins. */
export function newChain(run: string, loop: string): Required<ChainEnd> {
  return { link: sha256(JSON.stringify(["loopwright run", run, loop])), chain: { form: 2 } };
}

/** Where the chain of a run begins, by its first row. */
export function chainOf(run: string, first: Row | undefined): ChainEnd {
  const event = first && parse(first.body);
  return event?.chain?.form === 2 ? { ...newChain(run, String(event.loop)), chain: event.chain } : { link: GENESIS };
}

function parse(body: string): { loop?: unknown; chain?: ChainForm } | null | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The first row that does not follow from the one before it, in words; undefined if all do. */
export function brokenLink(run: string, rows: readonly Row[]): string | undefined {
  let previous = chainOf(run, rows[0]).link;
  for (const [index, row] of rows.entries()) {
    if (row.seq !== index + 1) return `event ${index + 1} is missing`;
    if (row.link !== linkOf(previous, row.body)) return `event ${row.seq} was changed, or does not belong here`;
    previous = row.link;
  }
  return undefined;
}

/** The rows of a run as those of another: the same events, in a chain of its own. */
export function relink(rows: readonly Row[], run: string): Row[] {
  const first = JSON.parse(rows[0]!.body) as { loop: string };
  let { link, chain } = newChain(run, first.loop);
  return rows.map(({ seq, body: text }) => {
    const body = seq === 1 ? JSON.stringify({ ...first, chain }) : text;
    link = linkOf(link, body);
    return { seq, body, link };
  });
}
