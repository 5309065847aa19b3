// Plans of chapters merged and split, heading by heading, in whatever language the headings are.

import { beatParts } from "../manuscript/format/chapters.ts";
import { type Section, sectionsOf } from "../manuscript/headings.ts";
import { namesOfPart } from "../manuscript/language/words.ts";
import { bodyOf } from "./titles.ts";

type BeatPart = (typeof beatParts)[number];

/** Two plans as one: what both say under a heading stands there one after the other, once where it is the same. How the first one
 * ended is an event now. */
export function mergePlans(first: string, second: string): string {
  let merged = hasPart(second, "Hook") ? hookAsEvent(first) : first;
  const left: string[] = [];
  for (const section of sectionsOf(second).filter(({ depth }) => depth > 1)) {
    const own = sectionsOf(merged).find((each) => isSame(each, section));
    if (!own) left.push(`${"#".repeat(section.depth)} ${section.title}\n\n${section.body}`);
    else merged = replaceBody(merged, own, joinBodies(section, own.body, section.body));
  }
  const isSectioned = sectionsOf(second).some(({ depth }) => depth > 1);
  const rest = isSectioned ? left : [bodyOf(second)];
  return `${[merged.trimEnd(), ...rest.filter((text) => text.trim() !== "")].join("\n\n")}\n`;
}

/** A chapter ends as its second half does. */
function joinBodies(section: Section, first: string, second: string): string {
  if (second === "" || first === second) return first;
  if (partOf(section) === "Hook" || first === "") return second;
  const isList = /^\s*(?:[-*+]|\d+[.)])\s/;
  if (isList.test(first) && isList.test(second)) return `${first}\n${renumber(second, lastNumber(first))}`;
  const isShort = !first.includes("\n") && !second.includes("\n") && first.length < 20 && second.length < 20;
  return isShort ? `${first}, ${second}` : `${first}\n\n${second}`;
}

/** A plan whose hook stands among its events, at their end. */
function hookAsEvent(plan: string): string {
  const [events, hook] = [partIn(plan, "Key Events"), partIn(plan, "Hook")];
  if (!events || !hook || hook.body.trim() === "" || events.body.includes(hook.body.trim())) return plan;
  const isList = /^\s*(?:[-*+]|\d+[.)])\s/.test(events.body);
  const body = isList
    ? `${events.body}\n${lastNumber(events.body) > 0 ? `${lastNumber(events.body) + 1}.` : "-"} ${hook.body.replace(/\s+/g, " ").trim()}`
    : `${events.body}\n\n${hook.body}`;
  return replaceBody(plan, events, body.trim());
}

function hasPart(plan: string, part: BeatPart): boolean {
  return (partIn(plan, part)?.body.trim() ?? "") !== "";
}

function partIn(plan: string, part: BeatPart): Section | undefined {
  return sectionsOf(plan).find((section) => partOf(section) === part);
}

/** The last number of a list that is counted; 0 where it is not. */
function lastNumber(list: string): number {
  return Number([...list.matchAll(/^\s{0,3}(\d+)[.)]\s/gm)].at(-1)?.[1] ?? 0);
}

/** A counted list that goes on after another. */
function renumber(list: string, last: number): string {
  let number = last;
  return last === 0 ? list : list.replace(/^(\s{0,3})\d+(?=[.)]\s)/gm, (_, indent) => `${indent}${++number}`);
}

/** A plan in two: its events are parted where its text is, everything else holds for both. */
export function splitPlan(plan: string, share: number): [first: string, second: string] {
  const events = partIn(plan, "Key Events");
  const items = events ? itemsOf(events.body) : [];
  if (!events || items.length < 2) return [plan, plan];
  const at = Math.min(items.length - 1, Math.max(1, Math.round(items.length * share)));
  const join = (list: readonly string[]) => list.join(/^\s*(?:[-*+]|\d+[.)])\s/.test(items[0]!) ? "\n" : "\n\n");
  const [before, after] = [join(items.slice(0, at)), join(items.slice(at))];
  const first = replaceBody(plan, events, before);
  const hook = partIn(first, "Hook");
  const leadsTo = items[at]!.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "");
  return [hook ? replaceBody(first, hook, leadsTo) : first, replaceBody(plan, events, after)];
}

/** Events are the items of a list, or paragraphs. */
function itemsOf(body: string): string[] {
  const items = body.split(/\n(?=\s{0,3}(?:[-*+]|\d+[.)])\s)/).filter((item) => item.trim() !== "");
  return items.length > 1 ? items : body.split(/\n\s*\n/).filter((item) => item.trim() !== "");
}

function isSame(a: Section, b: Section): boolean {
  const part = partOf(a);
  return part === undefined ? a.title.toLowerCase() === b.title.toLowerCase() : part === partOf(b);
}

function partOf({ title, depth }: Section): BeatPart | undefined {
  if (depth === 1) return undefined;
  const plain = title.toLowerCase().replace(/[:：]$/, "");
  return beatParts.find((part) => namesOfPart(part).some((name) => name.toLowerCase() === plain));
}

function replaceBody(text: string, { line }: Section, body: string): string {
  const lines = text.split("\n");
  const next = sectionsOf(text).find((section) => section.line > line)?.line ?? lines.length + 1;
  const after = lines.slice(next - 1);
  return [...lines.slice(0, line), "", body, ...(after.length > 0 ? ["", ...after] : [""])].join("\n");
}
