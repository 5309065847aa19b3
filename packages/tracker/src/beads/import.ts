// Lines in the shape of beads, read whole and checked whole before anything is written: every line by itself, then what they
// say together with what is there already.

import { UsageError } from "@loopwright/core";
import { ZodError } from "zod";
import { differences } from "../change.ts";
import { circleToWords, edgeToWords, findCircle } from "../graph.ts";
import type { Edge, Issue } from "../issue.ts";
import type { Rows } from "../sqlite/rows.ts";
import { recordToIssue } from "./shape.ts";

/** What an import says was done: to how many issues, and what was left out. */
export interface Imported {
  created: number;
  updated: number;
  /** Those that are here as they are there, or newer. */
  kept: number;
  /** Lines about something else, or about an issue that was deleted. */
  skipped: number;
}

/** Lines that were read, each sound by itself. */
interface Lines {
  found: { issue: Issue; number: number }[];
  skipped: number;
}

/** How many lines are told that are wrong. */
const MOST_TOLD = 20;

/** Every issue of these lines; throws where one is wrong, with its number. */
export async function readLines(lines: AsyncIterable<string> | Iterable<string>): Promise<Lines> {
  const now = new Date().toISOString();
  const found: Lines["found"] = [];
  const wrong: string[] = [];
  const places = new Map<string, number>();
  const deleted = new Set<string>();
  let [number, skipped] = [0, 0];
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    try {
      const record: unknown = JSON.parse(number === 1 ? line.replace(/^\uFEFF/, "") : line);
      const issue = recordToIssue(record, now);
      if (issue === "left out") {
        skipped += 1;
        deleted.add(String((record as { id?: unknown }).id));
        continue;
      }
      const before = places.get(issue.id);
      if (before !== undefined) wrong.push(`line ${number}: ${issue.id} stands in line ${before} already`);
      places.set(issue.id, number);
      found.push({ issue, number });
    } catch (error) {
      wrong.push(`line ${number}: ${reasonOf(error)}`);
    }
  }
  refuse(wrong);
  return { found: withoutDeleted(found, deleted), skipped };
}

/** An edge to an issue that was deleted went with it. */
function withoutDeleted(found: Lines["found"], deleted: ReadonlySet<string>): Lines["found"] {
  if (deleted.size === 0) return found;
  const isThere = ({ from, to }: Edge) => !deleted.has(from) && !deleted.has(to);
  return found.map(({ issue, number }) => ({ issue: { ...issue, edges: issue.edges.filter(isThere) }, number }));
}

/** What is there already, as far as an import must know. */
type Known = Pick<Rows, "find" | "withKey" | "edges">;

/** What these lines create and change; throws where they do not fit together with what is there. */
export function planImport({ found, skipped }: Lines, known: Known) {
  const fresh: (Lines["found"][number] & { before: Issue | undefined })[] = [];
  for (const each of found) {
    const before = known.find(each.issue.id);
    if (before && Date.parse(each.issue.updatedAt) <= Date.parse(before.updatedAt)) continue;
    fresh.push({ ...each, before });
  }
  const edges = fresh.flatMap(({ issue }) => issue.edges);
  const ids = new Set(found.map(({ issue }) => issue.id));
  refuse([...strangers(fresh, (id) => ids.has(id) || known.find(id) !== undefined), ...sharedKeys(fresh, known)]);
  const circle = edges.length > 0 ? findCircle([...known.edges(), ...edges]) : undefined;
  if (circle) refuse([circleToWords(circle)]);
  const created = fresh.filter(({ before }) => !before).map(({ issue }) => issue);
  const updated = fresh.flatMap(({ issue, before }) => (before ? [{ issue, fields: differences(before, issue) }] : []));
  const counts: Imported = {
    created: created.length,
    updated: updated.length,
    kept: found.length - fresh.length,
    skipped,
  };
  return { created, updated, edges, counts };
}

/** Edges to issues that are nowhere. */
function strangers(fresh: Lines["found"], isThere: (id: string) => boolean): string[] {
  return fresh.flatMap(({ issue, number }) =>
    issue.edges
      .filter(({ from, to }) => !isThere(from) || !isThere(to))
      .map((edge) => `line ${number}: ${edgeToWords(edge)}, and one of them is neither in the file nor here`),
  );
}

/** Two issues with one key. */
function sharedKeys(fresh: Lines["found"], known: Known): string[] {
  const owners = new Map<string, string>();
  return fresh.flatMap(({ issue: { id, key }, number }) => {
    if (key === undefined) return [];
    const owner = owners.get(key) ?? known.withKey(key)?.id ?? id;
    owners.set(key, id);
    return owner === id ? [] : [`line ${number}: ${id} has the key of ${owner}`];
  });
}

function refuse(wrong: readonly string[]): void {
  if (wrong.length === 0) return;
  const told = wrong.slice(0, MOST_TOLD).join("\n");
  const more = wrong.length > MOST_TOLD ? `\nand ${wrong.length - MOST_TOLD} more` : "";
  throw new UsageError("IMPORT_INVALID", `nothing was imported:\n${told}${more}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ZodError)) return "this is no JSON";
  return error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`).join("; ");
}
