// The graph of issues: ways and circles. Pure.

import { UsageError } from "@loopwright/core";
import { type Edge, type EdgeKind, edgeKinds } from "./issue.ts";

type Arrow = Pick<Edge, "kind" | "from" | "to">;

/** The arrows from one issue to another, the shortest way; undefined where there is none. */
export function wayBetween(from: string, to: string, leaving: (id: string) => readonly Arrow[]): Arrow[] | undefined {
  const by = new Map<string, Arrow | undefined>([[from, undefined]]);
  for (const id of by.keys()) {
    if (id === to) return wayTo(to, by);
    for (const arrow of leaving(id)) if (!by.has(arrow.to)) by.set(arrow.to, arrow);
  }
  return undefined;
}

function wayTo(id: string, by: ReadonlyMap<string, Arrow | undefined>): Arrow[] {
  const way: Arrow[] = [];
  for (let arrow = by.get(id); arrow; arrow = by.get(arrow.from)) way.unshift(arrow);
  return way;
}

/** A circle in a graph, or undefined. Issues without an unfinished one before them are taken away until none is left. */
export function findCircle(arrows: readonly Arrow[]): Arrow[] | undefined {
  const before = new Map<string, number>();
  const leaving = new Map<string, Arrow[]>();
  for (const arrow of arrows) {
    before.set(arrow.from, before.get(arrow.from) ?? 0);
    before.set(arrow.to, (before.get(arrow.to) ?? 0) + 1);
    const others = leaving.get(arrow.from);
    if (others) others.push(arrow);
    else leaving.set(arrow.from, [arrow]);
  }
  const free = [...before].filter(([, count]) => count === 0).map(([id]) => id);
  for (const id of free) {
    before.delete(id);
    for (const { to } of leaving.get(id) ?? []) {
      before.set(to, before.get(to)! - 1);
      if (before.get(to) === 0) free.push(to);
    }
  }
  // What is left lies on a circle or behind one: going backwards from any of it leads round.
  const left = arrows.filter(({ from, to }) => before.has(from) && before.has(to));
  if (left.length === 0) return undefined;
  const into = new Map(left.map((arrow) => [arrow.to, arrow]));
  const seen = new Set<string>();
  let at = left[0]!.to;
  for (; !seen.has(at); at = into.get(at)!.from) seen.add(at);
  const circle: Arrow[] = [];
  do {
    circle.unshift(into.get(at)!);
    at = circle[0]!.from;
  } while (at !== circle.at(-1)!.to);
  return circle;
}

const verbs: Record<EdgeKind, string> = { blocks: "blocks", "fix-for": "is a fix for", parent: "is a part of" };

/** An edge as a sentence. */
export function edgeToWords({ kind, from, to }: Arrow): string {
  return `${from} ${verbs[kind]} ${to}`;
}

/** A circle as a sentence. */
export function circleToWords([first, ...others]: readonly Arrow[]): string {
  const rest = others.map(({ kind, to }) => `which ${verbs[kind]} ${to}`);
  return `that would go round in a circle: ${[edgeToWords(first!), ...rest].join(", ")}`;
}

/** The error for an edge that would close a circle: it comes first, and the others are there. */
export function circleError(circle: readonly Arrow[]): UsageError {
  const known = circle[1];
  const hint = known ? ` (take one away: \`loopwright issue unlink ${known.from} ${known.kind} ${known.to}\`)` : "";
  return new UsageError("ISSUE_CIRCLE", `${circleToWords(circle)}${hint}`);
}

/** Whether a word is a kind of edge. */
export function isEdgeKind(word: string): word is EdgeKind {
  return (edgeKinds as readonly string[]).includes(word);
}
