// The text of an answer that is one file: without a fence round it, and without what a model says before it begins.

import { fencesOf, pairFences } from "@loopwright/models";
import { sectionsOf } from "../headings.ts";

const CHAT =
  /^(?:sure|certainly|of course|absolutely|okay|ok|understood|here(?:'s|’s| is| are)|below is|i(?:'ve|’ve| have) (?:re|up))/i;
const LONGEST_CHAT = 400;

/** The text itself, with a line feed at its end. */
export function unwrapText(answer: string): string {
  return `${withoutChat(onlyBlock(answer)).trim()}\n`;
}

/** Where a model talks round one fenced block that holds all headings, the block is the text. */
function onlyBlock(answer: string): string {
  const pairs = pairFences(fencesOf(answer), answer.length);
  const [pair] = pairs;
  if (pairs.length !== 1 || !pair?.close) return answer;
  const inside = answer.slice(pair.open.end + 1, pair.close.start);
  const outside = `${answer.slice(0, pair.open.start)}\n${answer.slice(pair.close.end)}`;
  const isText = sectionsOf(inside).length > 0 && sectionsOf(outside).length === 0;
  return isText && inside.length > outside.length ? inside : answer;
}

/** A few words to the person before the title are not part of the text. */
function withoutChat(text: string): string {
  const first = sectionsOf(text)[0];
  if (!first || first.line === 1) return text;
  const lines = text.split("\n");
  const before = lines
    .slice(0, first.line - 1)
    .join("\n")
    .trim();
  const isChat = before.length <= LONGEST_CHAT && CHAT.test(before) && !before.includes("<!--");
  return isChat || before === "" ? lines.slice(first.line - 1).join("\n") : text;
}
