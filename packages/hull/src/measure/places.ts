// Findings about places: the hull's size and position, its sheer and keel along the side view, its deck along the top
// view, its sections over the height of the front view. In meters.

import type { Finding } from "@loopwright/core";
import { type Extent, extentOf, type Mask } from "@loopwright/mesh";
import { type Evidence, shareToPriority, soft } from "./findings.ts";

/** What is not worth a word: this share of the size in question, and this many pixels. */
const SMALL_SHARE = 0.015;
const SMALL_PIXELS = 1.5;

type Say = (code: string, pixels: number, against: number, words: (meters: string) => Words) => Finding[];
type Words = [message: string, fix: string];

/** What is wrong where, the whole first; of each view that has a reference. */
export function placeFindings({ masks, references, frame }: Evidence): Finding[] {
  const perPixel = frame.meters / masks.side.width;
  const say: Say = (code, pixels, against, words) => {
    const share = Math.abs(pixels) / against;
    if (Math.abs(pixels) < SMALL_PIXELS || share < SMALL_SHARE) return [];
    const [message, fix] = words(`${(Math.abs(pixels) * perPixel).toFixed(2)} m`);
    return [soft(shareToPriority(share), code, message, fix)];
  };
  const { front, side, top } = references;
  return [
    ...proportionFindings({ masks, references }, perPixel, say),
    ...(side ? profileFindings(masks.side, side, say) : []),
    ...(top ? widthFindings(masks.top, top, "columns", deckWords, say) : []),
    ...(front ? widthFindings(masks.front, front, "rows", sectionWords, say) : []),
  ];
}

/** Each size, the views that show it, and what to say where there is too little or too much of it. */
const sizes = [
  {
    code: "LENGTH",
    shown: [
      ["side", "width"],
      ["top", "width"],
    ],
    less: ["short", "lengthen"],
    more: ["long", "shorten"],
  },
  {
    code: "BEAM",
    shown: [
      ["front", "width"],
      ["top", "height"],
    ],
    less: ["narrow", "widen"],
    more: ["wide", "narrow"],
  },
  {
    code: "HEIGHT",
    shown: [
      ["front", "height"],
      ["side", "height"],
    ],
    less: ["low", "heighten"],
    more: ["high", "lower"],
  },
] as const;

function proportionFindings(
  { masks, references }: Pick<Evidence, "masks" | "references">,
  perPixel: number,
  say: Say,
): Finding[] {
  const extents = Object.fromEntries(
    Object.entries(references).map(([view, mask]) => [view, { is: extentOf(masks[view]!), should: extentOf(mask) }]),
  );
  if (Object.values(extents).some(({ is, should }) => !is || !should)) return [];
  const found = sizes.flatMap(({ code, shown, less, more }) => {
    const seen = shown.flatMap(([view, side]) => {
      const extent = extents[view];
      return extent ? [{ is: extent.is![side], should: extent.should![side] }] : [];
    });
    if (seen.length === 0) return [];
    const mean = (pick: (each: { is: number; should: number }) => number) =>
      seen.reduce((sum, each) => sum + pick(each), 0) / seen.length;
    const [is, should] = [mean((each) => each.is), mean((each) => each.should)];
    return say(`PROPORTION_${code}`, is - should, should, (meters) => {
      const [adjective, verb] = is < should ? less : more;
      const off = ((Math.abs(is - should) / should) * 100).toFixed(1);
      const message = `the hull's ${code.toLowerCase()} is ${(is * perPixel).toFixed(2)} m: ${meters} (${off} %) too ${adjective}`;
      return [message, `${verb} the hull by about ${meters}`];
    });
  });
  const side = extents.side ?? extents.top;
  if (!side) return found;
  const offset = middle(side.is!) - middle(side.should!);
  return [
    ...found,
    ...say("POSITION_LENGTHWISE", offset, side.should!.width, (meters) => {
      const [is, should] = offset > 0 ? ["forward", "aft"] : ["aft", "forward"];
      return [`the hull lies ${meters} too far ${is}`, `move the hull ${should} by about ${meters}`];
    }),
  ];
}

function middle({ left, right }: Extent): number {
  return (left + right) / 2;
}

const along = [
  { code: "STERN", words: "at the stern" },
  { code: "MIDSHIPS", words: "amidships" },
  { code: "BOW", words: "at the bow" },
];

/** The sheer and the keel, third by third along the side view. */
function profileFindings(seen: Mask, reference: Mask, say: Say): Finding[] {
  const extent = extentOf(reference);
  if (!extent) return [];
  return along.flatMap(({ code, words }, third) => {
    const gap = meanGap(seen, reference, thirdOf(extent.left, extent.width, third), "columns");
    if (!gap) return [];
    const edge = (name: string, pixels: number) =>
      say(`${name.toUpperCase()}_${code}`, pixels, extent.height, (meters) => {
        const [is, verb] = pixels > 0 ? ["low", "raise"] : ["high", "lower"];
        return [`the ${name} ${words} is ${meters} too ${is}`, `${verb} the ${name} ${words} by about ${meters}`];
      });
    return [...edge("sheer", gap.first), ...edge("keel", gap.last)];
  });
}

interface Place {
  code: string;
  message: (meters: string, adjective: string) => string;
  fix: (meters: string, verb: string) => string;
}

const deckWords: readonly Place[] = along.map(({ code, words }) => ({
  code: `DECK_${code}`,
  message: (meters, adjective) => `the deck ${words} is ${meters} too ${adjective}`,
  fix: (meters, verb) => `${verb} the deck ${words} by about ${meters}`,
}));

const sectionWords: readonly Place[] = [
  { code: "TOP", words: "in its upper third" },
  { code: "MIDDLE", words: "at half its height" },
  { code: "BOTTOM", words: "in its lower third" },
].map(({ code, words }) => ({
  code: `SECTION_${code}`,
  message: (meters, adjective) => `seen from ahead, the hull ${words} is ${meters} too ${adjective}`,
  fix: (meters, verb) => `${verb} the sections ${words} by about ${meters}`,
}));

/** The width, third by third: of the deck along the top view, of the hull down the front view. */
function widthFindings(seen: Mask, reference: Mask, lines: Lines, places: readonly Place[], say: Say): Finding[] {
  const extent = extentOf(reference);
  if (!extent) return [];
  const [start, length] = lines === "columns" ? [extent.left, extent.width] : [extent.top, extent.height];
  return places.flatMap(({ code, message, fix }, third) => {
    const gap = meanGap(seen, reference, thirdOf(start, length, third), lines);
    if (!gap) return [];
    const wider = gap.last - gap.first;
    return say(code, wider, lines === "columns" ? extent.height : extent.width, (meters) =>
      wider < 0 ? [message(meters, "narrow"), fix(meters, "widen")] : [message(meters, "wide"), fix(meters, "narrow")],
    );
  });
}

function thirdOf(start: number, length: number, third: number): [from: number, to: number] {
  return [start + Math.round((length * third) / 3), start + Math.round((length * (third + 1)) / 3)];
}

export type Lines = "columns" | "rows";

/** How far the first and the last pixel of each line lie behind the reference's, on average; lines that both have. */
function meanGap(
  seen: Mask,
  reference: Mask,
  [from, to]: [number, number],
  lines: Lines,
): { first: number; last: number } | undefined {
  let [first, last, count] = [0, 0, 0];
  for (let line = from; line < to; line++) {
    const [is, should] = [span(seen, line, lines), span(reference, line, lines)];
    if (!is || !should) continue;
    first += is.first - should.first;
    last += is.last - should.last;
    count += 1;
  }
  return count > 0 ? { first: first / count, last: last / count } : undefined;
}

/** The first and the last pixel of the object in a line; undefined where it has none there. */
export function span(
  { width, height, data }: Mask,
  line: number,
  lines: Lines,
): { first: number; last: number } | undefined {
  const [start, step, length] = lines === "columns" ? [line, width, height] : [line * width, 1, width];
  let first = 0;
  while (first < length && !data[start + first * step]) first += 1;
  if (first === length) return undefined;
  let last = length - 1;
  while (!data[start + last * step]) last -= 1;
  return { first, last };
}
