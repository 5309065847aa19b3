// Whether the model lies the wrong way: turned in its own place, it fits much better.

import type { Finding } from "@loopwright/core";
import { type Extent, extentOf, type Mask, overlap } from "@loopwright/mesh";
import { showScore } from "@loopwright/terminal";
import { type Evidence, soft } from "./findings.ts";

/** How much better a turned view must fit. */
const MARGIN = 0.1;

const turns = [
  {
    code: "ORIENTATION_BACKWARDS",
    views: ["side", "top"],
    how: "lengthwise",
    words: "with its bow at the stern",
    fix: "turn it round by 180° about z",
  },
  {
    code: "ORIENTATION_UPSIDE_DOWN",
    views: ["side", "front"],
    how: "upright",
    words: "upside down",
    fix: "turn it over by 180° about x",
  },
] as const;

/** That it lies the wrong way; each way is said once. */
export function orientationFindings({ masks, references }: Evidence): Finding[] {
  const found: Finding[] = turns.flatMap(({ code, views, how, words, fix }) => {
    const view = views.find((name) => references[name]);
    const [seen, reference] = [view && masks[view], view && references[view]];
    if (!seen || !reference || !extentOf(seen)) return [];
    const [is, turned] = [overlap(seen, reference), overlap(mirror(seen, how), reference)];
    if (turned < is + MARGIN) return [];
    const message = `the hull lies ${words}: turned, its ${view} view would overlap by ${showScore(turned)} instead of ${showScore(is)}`;
    return [soft(1, code, message, fix)];
  });
  return [...found, ...sideways(masks, references)];
}

/** Whether its side is where its front should be. */
function sideways(masks: Evidence["masks"], { front, side }: Evidence["references"]): Finding[] {
  if (!front || !side || !extentOf(masks.front) || !extentOf(masks.side)) return [];
  const fit = (mask: Mask, reference: Mask) =>
    Math.max(
      ...[mask, mirror(mask, "lengthwise")].map((each) => overlap(moveOnto(each, extentOf(reference)), reference)),
    );
  const is = fit(masks.front, front) + fit(masks.side, side);
  const turned = fit(masks.front, side) + fit(masks.side, front);
  if (turned < is + 2 * MARGIN) return [];
  const message = `the model faces sideways: its side view fits the front reference, and turned its views would overlap by ${showScore(turned / 2)} instead of ${showScore(is / 2)}`;
  return [soft(1, "ORIENTATION_SIDEWAYS", message, "turn it by 90° about z, to face +x")];
}

/** A mask whose object is moved so that its middle is that of an extent. */
export function moveOnto(mask: Mask, to: Extent | undefined): Mask {
  const from = extentOf(mask);
  if (!from || !to) return mask;
  const { width, height, data } = mask;
  const right = Math.round((to.left + to.right - from.left - from.right) / 2);
  const down = Math.round((to.top + to.bottom - from.top - from.bottom) / 2);
  const moved = new Uint8Array(data.length);
  for (let y = Math.max(0, -down); y < Math.min(height, height - down); y++)
    for (let x = Math.max(0, -right); x < Math.min(width, width - right); x++)
      moved[(y + down) * width + x + right] = data[y * width + x]!;
  return { width, height, data: moved };
}

/** A mask whose object is mirrored within its own extent. */
function mirror(mask: Mask, how: "lengthwise" | "upright"): Mask {
  const extent = extentOf(mask);
  if (!extent) return mask;
  const { left, right, top, bottom } = extent;
  const { width, data } = mask;
  const mirrored = new Uint8Array(data.length);
  for (let y = top; y <= bottom; y++) {
    const row = data.subarray(y * width + left, y * width + right + 1);
    if (how === "upright") mirrored.set(row, (top + bottom - y) * width + left);
    else mirrored.set(row.toReversed(), y * width + left);
  }
  return { ...mask, data: mirrored };
}
