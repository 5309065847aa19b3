// Feedback in plain words: its items, and what it is about.

import { germanKinds } from "./german-kinds.ts";

const ITEM = /^[ \t]*(?:[-*+•][ \t]+|\(?(?:\d{1,2}|[a-z])[.)][ \t]+)(.*)$/i;
const MOST_ITEMS = 50;

/** The items of feedback: those of a list, where it is one and nothing else; a first line with a colon goes with each. */
export function parseFeedback(text: string): string[] {
  const whole = text.replace(/\r\n?/g, "\n").trim();
  if (whole === "") return [];
  const lines = whole.split("\n");
  const intro = /:\s*$/.test(lines[0]!) && !ITEM.test(lines[0]!) ? lines.shift()!.trim() : undefined;
  const items: string[] = [];
  let isAfterBlank = false;
  for (const line of lines) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) items.push(item.trim());
    else if (line.trim() === "") {
      isAfterBlank = true;
      continue;
    } else {
      // A paragraph of its own beside the list: the list is a part of what is said, and not all of it.
      const continues = items.length > 0 && (/^\s/.test(line) || !isAfterBlank);
      if (!continues) return [whole];
      items[items.length - 1] += `\n${line.trim()}`;
    }
    isAfterBlank = false;
  }
  const kept = items.map((item) => item.trim()).filter((item) => item !== "");
  if (kept.length < 2 || kept.length > MOST_ITEMS) return [whole];
  return intro === undefined ? kept : kept.map((item) => `${intro} ${item}`);
}

const kinds: Readonly<Record<string, RegExp>> = {
  ending: /\b(?:endings?|epilogue|climax|conclu\w+|resolution|last chapter|final (?:chapter|scene))\b/gi,
  dialogue: /\b(?:dialogues?|conversations?|banter|speech|spoken|talk\w*)\b/gi,
  pacing: /\b(?:pac(?:e|ing)|slow\w*|fast\w*|drag\w*|rush\w*|tempo|momentum|tension)\b/gi,
  length: /\b(?:long\w*|short\w*|expand\w*|condens\w+|trim\w*|words?|length\w*|concise|brief\w*)\b/gi,
  structure:
    /\b(?:split\w*|merg\w+|reorder\w*|structur\w+|acts?|(?:add|remove|cut|insert|new) (?:a |an |the )?chapters?|restructur\w+|timeline|order)\b/gi,
  tone: /\b(?:dark\w*|light\w*|tones?|mood\w*|funn\w+|humou?r\w*|grim\w*|hopeful|tragic|atmospher\w+|bleak\w*|warm\w*|gritt\w+|ambiguous|emotional)\b/gi,
  character:
    /\b(?:characters?|protagonists?|antagonists?|hero(?:es|ine)?|villains?|motivat\w+|flaw\w*|arcs?|backstor\w+|relationships?|sympathetic)\b/gi,
  plot: /\b(?:plots?|subplots?|twists?|betray\w*|events?|conflicts?|stakes|scenes?|reveals?|foreshadow\w*|mystery|motive)\b/gi,
  world: /\b(?:worlds?|settings?|places?|city|magic\w*|histor\w+|cultur\w+|landscap\w+|technolog\w+)\b/gi,
  style:
    /\b(?:styl\w+|voices?|prose|sentences?|metaphors?|adverbs?|show,? don'?t tell|descripti\w+|imagery|tense|pov|point of view|clich\w+)\b/gi,
};

/** What feedback is about: the kind that most of its words speak of, `other` where none does. */
export function kindOfFeedback(text: string): string {
  // German first: "fast" is a word of both languages, and means "almost" in it.
  return kindIn(germanKinds, text) ?? kindIn(kinds, text) ?? "other";
}

function kindIn(kinds: Readonly<Record<string, RegExp>>, text: string): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const [kind, pattern] of Object.entries(kinds)) {
    const hits = text.match(pattern)?.length ?? 0;
    if (hits > most) [best, most] = [kind, hits];
  }
  return best;
}
