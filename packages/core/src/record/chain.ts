// The chain: events as rows, without their large values, each linked to the one before it (L10).
//
// A row's link is made over the link before it and the row's own text, so that a changed, missing or reordered event is found;
// the first over the run's id, so that no run's rows can stand for another's.
//
// A key of the state or an entry of a list of more than 1 KB becomes a blob, named by the digest of its text; the row keeps the
// name. So does an input, a result or a note of more than 2.5 KB: what is wanted once need not be small in every fold. Links run over rows, so a blob can be released and the chain still be
// verified. A value that itself speaks of "$blob" always becomes a blob, so that no value can pose as a name.

import { LoopwrightError } from "../errors.ts";
import type { BlobState, Journal, Row } from "../ports.ts";
import type { DurableEvent, PatchRecord } from "./events.ts";
import { type Json, jsonText, sha256 } from "./json.ts";
import type { State } from "./patch.ts";

const STATE_LIMIT = 1024;
const VALUE_LIMIT = 2560;
const BLOB = "$blob";
const VALUES = new Set(["input", "result", "config", "data"]);

/** The name of a blob, in the place of its value; with spread, in a list, in the place of its entries. */
interface BlobName {
  readonly [BLOB]: string;
  readonly spread?: true;
}

/** An event with its large values taken out, and those values by digest. */
export function outline<E extends DurableEvent>(event: E): { raw: E; blobs: Map<string, string> } {
  const blobs = new Map<string, string>();
  const value = (item: Json, limit: number): Json => {
    if (typeof item === "string" ? item.length <= limit / 6 : typeof item !== "object" || item === null) return item;
    const text = jsonText(item);
    if (text.length <= limit && !text.includes(`"${BLOB}"`)) return item;
    const digest = sha256(text);
    blobs.set(digest, text);
    return { [BLOB]: digest };
  };
  return { raw: mapEvent(event, value), blobs };
}

/** An event with each of its values exchanged. */
function mapEvent<E extends DurableEvent>(event: E, value: (item: Json, limit: number) => Json): E {
  const mapped: Record<string, unknown> = {};
  const ofState = (item: Json) => value(item, STATE_LIMIT);
  for (const [key, item] of Object.entries(event as object)) {
    if (key === "state") mapped[key] = mapValues(item, ofState);
    else if (key === "patch") mapped[key] = mapPatch(item, ofState);
    else if (VALUES.has(key)) mapped[key] = value(item, VALUE_LIMIT);
    else if (item !== undefined) mapped[key] = item;
  }
  return mapped as E;
}

function mapPatch({ set, append, drop }: PatchRecord, value: (item: Json) => Json): PatchRecord {
  return {
    ...(set && { set: mapValues(set, value) }),
    ...(append && { append: mapValues(append, (added) => added.map(value)) }),
    ...(drop && { drop }),
  };
}

/** The digests that an outlined event names: only its values can, whatever else in it looks like a name. */
export function blobsOf(raw: DurableEvent): Set<string> {
  const found = new Set<string>();
  mapEvent(raw, (item) => {
    blobsIn(item, found);
    return item;
  });
  return found;
}

/** The digests that an outlined value names. */
export function blobsIn(raw: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof raw !== "object" || raw === null) return found;
  if (isBlobName(raw)) found.add(raw[BLOB]);
  else for (const item of Object.values(raw)) blobsIn(item, found);
  return found;
}

/** An outlined value made whole again, frozen. */
export async function inline<T>(raw: T, journal: Journal, read = readBlob): Promise<T> {
  return rebuild(raw as Json, await valuesOf(blobsIn(raw), journal, read)) as T;
}

async function valuesOf(digests: ReadonlySet<string>, journal: Journal, read: typeof readBlob) {
  const values = new Map<string, Json>();
  for (const digest of digests) values.set(digest, await read(journal, digest));
  return values;
}

/** An outlined state made whole again; its keys may have any name. */
export async function inlineState(raw: State, journal: Journal, read = readBlob): Promise<State> {
  const whole = Object.entries(raw).map(async ([key, item]) => [key, await inline(item, journal, read)]);
  return Object.freeze(Object.fromEntries(await Promise.all(whole)));
}

/** An outlined event made whole again; a value that is no longer there says so. */
export async function inlineEvent<E extends DurableEvent>(raw: E, journal: Journal): Promise<E> {
  const values = await valuesOf(blobsOf(raw), journal, readOrTell);
  return mapEvent(raw, (item) => rebuild(item, values));
}

/** A large value that is no longer there, in the place where it stood: its name, and what became of it. */
export interface GoneValue {
  readonly [BLOB]: string;
  readonly gone: Exclude<BlobState["state"], "here">;
}

/** Whether a value of an event is one that is no longer there. */
export function isGone(value: unknown): value is GoneValue {
  return isBlobName(value as Json) && "gone" in (value as object);
}

/** A large value, or what became of it. */
export async function readOrTell(journal: Journal, digest: string): Promise<Json> {
  const blob = await journal.blob(digest);
  return blob.state === "here" ? (JSON.parse(blob.text) as Json) : { [BLOB]: digest, gone: blob.state };
}

async function readBlob(journal: Journal, digest: string): Promise<Json> {
  const blob = await journal.blob(digest);
  if (blob.state === "here") return JSON.parse(blob.text) as Json;
  const value = `the value ${digest.slice(0, 12)}`;
  if (blob.state === "released")
    throw new LoopwrightError("VALUE_RELEASED", `${value} is gone for good: the run was pruned to free disk`);
  const what = { missing: "is missing from", unreadable: "is damaged in", changed: "was changed in" }[blob.state];
  throw new LoopwrightError("JOURNAL_DAMAGED", `${value} ${what} the journal; 'verify' names what is damaged`);
}

/** The error for a file of the store that was given up. */
export function fileReleased(name: string): LoopwrightError {
  return new LoopwrightError("ARTIFACT_RELEASED", `the file ${name} is gone for good: the run was pruned to free disk`);
}

function rebuild(raw: Json, values: ReadonlyMap<string, Json>): Json {
  if (typeof raw !== "object" || raw === null) return raw;
  if (isBlobName(raw)) return freeze(values.get(raw[BLOB]) as Json);
  if (Array.isArray(raw)) {
    const isSpread = (item: Json) => isBlobName(item) && item.spread === true;
    return Object.freeze(
      raw.flatMap((item: Json) => (isSpread(item) ? rebuild(item, values) : [rebuild(item, values)])),
    );
  }
  return Object.freeze(mapValues(raw as Record<string, Json>, (item) => rebuild(item, values)));
}

function freeze(value: Json): Json {
  if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) freeze(item);
    Object.freeze(value);
  }
  return value;
}

function isBlobName(raw: Json | object): raw is BlobName {
  return typeof raw === "object" && raw !== null && BLOB in raw;
}

/** Extends an outlined list, in place where it is a list already. */
export function extendList(list: Json | undefined, added: readonly Json[]): Json {
  const grown = Array.isArray(list) && !Object.isFrozen(list) ? (list as Json[]) : entriesOf(list);
  for (const item of added) grown.push(item);
  return grown;
}

function entriesOf(list: Json | undefined): Json[] {
  if (list === undefined || list === null) return [];
  return isBlobName(list) ? [{ [BLOB]: list[BLOB], spread: true }] : [...(list as readonly Json[])];
}

function mapValues<A, B>(object: Readonly<Record<string, A>>, change: (item: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, change(item)]));
}

/** The link of a row: it changes with the row's body and with everything before it. */
export function linkOf(previous: string, body: string): string {
  return sha256(previous + body);
}

/** What the chain of a run begins with. */
export function firstLink(run: string): string {
  return sha256(JSON.stringify(["loopwright run", run]));
}

/** The first row that does not follow from the one before it, in words; undefined if all do. */
export function brokenLink(run: string, rows: readonly Row[]): string | undefined {
  let previous = firstLink(run);
  for (const [index, row] of rows.entries()) {
    if (row.seq !== index + 1) return `event ${index + 1} is missing`;
    if (row.link !== linkOf(previous, row.body)) return `event ${row.seq} was changed, or does not belong here`;
    previous = row.link;
  }
  return undefined;
}

/** The rows of a run as those of another: the same events, in a chain of its own. */
export function relink(rows: readonly Row[], run: string): Row[] {
  let link = firstLink(run);
  return rows.map(({ seq, body }) => {
    link = linkOf(link, body);
    return { seq, body, link };
  });
}
