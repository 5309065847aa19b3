// Links: each row has one, made over the link before it and the row's own text, so that a changed, missing or reordered event
// is found (L10).
//
// The first is made over the run's id and its loop, so that no run's rows can stand for another's. With a key every link is an
// HMAC, which only who has the key can make. A run keeps the form that it began with: its first event says which, and one that
// says nothing comes from before there were forms.

import { createHmac } from "node:crypto";
import { UsageError } from "../errors.ts";
import type { Row } from "../ports.ts";
import { sha256 } from "./json.ts";

/** What chains began with before they covered the run. */
export const GENESIS = "0".repeat(64);

/** How a run's links are made, as its first event says. */
export interface ChainForm {
  form: 2;
  /** What the key of the links is known by; none where they are plain hashes. */
  key?: string;
}

/** Where a chain stands. */
export interface ChainEnd {
  link: string;
  chain?: ChainForm;
}

/** Makes the link of a row: it changes with the row's body and with everything before it. */
export type MakeLink = (previous: string, body: string) => string;

/** The link of a row in a chain without a key. */
export function linkOf(previous: string, body: string): string {
  return sha256(previous + body);
}

/** How the links of a run are made. Throws where they need a key and there is none, or another one. */
export function linkMaker(run: string, chain: ChainForm | undefined, key: string | undefined): MakeLink {
  if (chain?.key === undefined) return linkOf;
  if (key === undefined)
    throw new UsageError("JOURNAL_KEY_MISSING", `run ${run} was begun with a key; set ${VARIABLE} to that key`);
  if (chain.key !== nameOf(key))
    throw new UsageError(
      "JOURNAL_KEY_WRONG",
      `run ${run} was begun with another key than the one in ${VARIABLE}; set it to that other one`,
    );
  return (previous, body) => hmac(key, previous + body);
}

/** Refuses a run without a key where there is one: whoever could write the journal could have made its links. */
export function refuseKeyless(run: string, chain: ChainForm | undefined, key: string | undefined): void {
  if (key === undefined || chain?.key !== undefined) return;
  const message = `run ${run} was begun without a key, so ${VARIABLE} cannot vouch for it; unset it to use the run all the same`;
  throw new UsageError("JOURNAL_KEY_UNUSED", message);
}

const VARIABLE = "LOOPWRIGHT_JOURNAL_KEY";

/** What a key is known by, in place of itself. */
function nameOf(key: string): string {
  return hmac(key, "the name of a key").slice(0, 16);
}

function hmac(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

/** A text with the seal of a key after it; without a key the text alone. It must be one line, as JSON is. */
export function seal(text: string, key: string | undefined): string {
  return key === undefined ? text : `${text}\n${hmac(key, `sealed ${text}`)}`;
}

/** The text that was sealed; undefined where there is a key, and the seal is not the key's. */
export function unseal(sealed: string, key: string | undefined): string | undefined {
  const text = sealed.split("\n", 1)[0]!;
  return key === undefined || sealed === seal(text, key) ? text : undefined;
}

/** Where the chain of a new run begins. */
export function newChain(run: string, loop: string, key?: string): Required<ChainEnd> {
  const chain: ChainForm = { form: 2, ...(key !== undefined && { key: nameOf(key) }) };
  return { link: sha256(JSON.stringify(["loopwright run", run, loop])), chain };
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
export function brokenLink(run: string, rows: readonly Row[], key?: string): string | undefined {
  let { link: previous, chain } = chainOf(run, rows[0]);
  const makeLink = linkMaker(run, chain, key);
  for (const [index, row] of rows.entries()) {
    if (row.seq !== index + 1) return `event ${index + 1} is missing`;
    if (row.link !== makeLink(previous, row.body)) return `event ${row.seq} was changed, or does not belong here`;
    previous = row.link;
  }
  return undefined;
}

/** The rows of a run as those of another: the same events, in a chain of its own. */
export function relink(rows: readonly Row[], run: string, key?: string): Row[] {
  const first = JSON.parse(rows[0]!.body) as { loop: string };
  let { link, chain } = newChain(run, first.loop, key);
  const makeLink = linkMaker(run, chain, key);
  return rows.map(({ seq, body: text }) => {
    const body = seq === 1 ? JSON.stringify({ ...first, chain }) : text;
    link = makeLink(link, body);
    return { seq, body, link };
  });
}
