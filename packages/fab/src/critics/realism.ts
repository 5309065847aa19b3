// The realism check: statistics of the beauty renders, and how many materials there are to see. It claims no taste.

import type { Finding } from "@loopwright/core";
import { type Material, type Model, type Picture, pngToPicture } from "@loopwright/mesh";
import { found } from "../playbook.ts";
import { counted, type MeasuredCritic } from "./critic.ts";

export const realism: MeasuredCritic = {
  name: "realism",
  missing: ({ renders }) =>
    renders.some(({ style }) => style === "beauty") ? undefined : "there is no beauty render to measure",
  look: ({ renders, model }) => {
    const pictures = renders
      .filter(({ style }) => style === "beauty")
      .map(({ png }) => measurePicture(pngToPicture(png)))
      .filter(({ pixels }) => pixels >= FEWEST);
    if (pictures.length === 0)
      return {
        score: 0,
        findings: [found("REAL_LOW_ENTROPY", "nothing is to be seen in any render")],
        reason: "nothing is to be seen",
      };
    return judgeRealism(meanOf(pictures), varietyOf(model), model);
  },
};

/** A picture with fewer pixels of the object shows nothing. */
const FEWEST = 200;
/** From which figures on something is found. */
const limits = { grain: 12, white: 0.35, black: 0.6, entropy: 2.2, magenta: 0.01 };
/** What is left of the score after a finding. */
const COST = 0.55;
/** Under this score the whole is said to look unreal. */
const LOW = 0.5;

/** What the figures of the renders come to. */
function judgeRealism(
  figures: Omit<PictureFigures, "pixels">,
  materials: number,
  { materials: all }: Pick<Model, "materials">,
) {
  const { grain, white, black, entropy, magenta } = figures;
  const findings: Finding[] = [];
  if (grain > limits.grain)
    findings.push(found("REAL_NOISY_RENDER", `grain ${short(grain)} gray levels; at most ${limits.grain} expected`));
  if (white > limits.white || black > limits.black)
    findings.push(
      found(
        "REAL_CLIPPING",
        `${percent(white)} burned out and ${percent(black)} pitch black; at most ${percent(limits.white)} and ${percent(limits.black)} expected`,
      ),
    );
  if (entropy < limits.entropy)
    findings.push(
      found("REAL_LOW_ENTROPY", `${short(entropy)} bits of brightness; at least ${limits.entropy} expected`),
    );
  if (magenta > limits.magenta && !all.some(isMagentaPaint))
    findings.push(found("REAL_MISSING_TEXTURE", `${percent(magenta)} in the magenta of missing textures`));
  const score = COST ** findings.length * (materials >= 3 ? 1 : materials === 2 ? 0.9 : 0.75);
  if (score < LOW)
    findings.push(
      found(
        "REAL_LOW_AESTHETIC",
        `realism ${short(score)} of 1, with ${counted(materials, "material")} to be told apart`,
      ),
    );
  const reason =
    findings.length > 0
      ? findings.map(({ message }) => message).join("; ")
      : `${counted(materials, "material")} to be told apart, ${short(entropy)} bits of brightness, little grain`;
  return { score, findings, reason };
}

/** The mean of the pictures; the most of grain and magenta, which one view alone may show. */
function meanOf(pictures: readonly PictureFigures[]): PictureFigures {
  const mean = (key: keyof PictureFigures) => pictures.reduce((sum, each) => sum + each[key], 0) / pictures.length;
  return {
    pixels: mean("pixels"),
    grain: mean("grain"),
    white: mean("white"),
    black: mean("black"),
    entropy: mean("entropy"),
    magenta: Math.max(...pictures.map(({ magenta }) => magenta)),
  };
}

/** How many of the materials in use can be told apart. */
export function varietyOf({ materials, parts }: Pick<Model, "materials" | "parts">): number {
  const used = new Set(parts.flatMap(({ material }) => (material === undefined ? [] : [material])));
  const looks = [...used].map((number) => lookOf(materials[number]!));
  return new Set(looks).size;
}

function lookOf({ color, metallic, roughness, texture }: Material): string {
  const step = (value: number, by: number) => Math.round(value / by);
  return [
    ...color.map((value) => step(Math.sqrt(value), 0.1)),
    step(metallic, 0.25),
    step(roughness, 0.25),
    texture?.name ?? "",
  ].join(" ");
}

function isMagentaPaint({ color: [red, green, blue] }: Material): boolean {
  return red > 0.2 && blue > 0.5 * red && red > 0.5 * blue && green < 0.2 * red;
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

function short(value: number): number {
  return Number(value.toPrecision(3));
}

interface PictureFigures {
  /** How many pixels the object has. */
  readonly pixels: number;
  /** The middle one of all differences between a pixel and its four neighbors, in gray levels: edges do not count, grain does. */
  readonly grain: number;
  /** The parts of its pixels that are as bright as can be, and as dark. */
  readonly white: number;
  readonly black: number;
  /** Bits of its brightness, in 64 steps: 0 for one flat tone, 6 at most. */
  readonly entropy: number;
  /** The part of its pixels in the magenta that renderers draw for a missing texture. */
  readonly magenta: number;
}

export function measurePicture(picture: Picture): PictureFigures {
  const { width, height } = picture;
  const mask = objectOf(picture);
  const gray = grayOf(picture);
  const steps = new Float64Array(64);
  const grains = new Float64Array(256);
  let [pixels, inner, white, black, magenta] = [0, 0, 0, 0, 0];
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      if (!mask[at]) continue;
      pixels += 1;
      steps[gray[at]! >> 2]! += 1;
      if (gray[at]! >= 254) white += 1;
      if (gray[at]! <= 1) black += 1;
      if (isMagenta(picture, at)) magenta += 1;
      if (!(mask[at - 1] && mask[at + 1] && mask[at - width] && mask[at + width])) continue;
      inner += 1;
      const around = (gray[at - 1]! + gray[at + 1]! + gray[at - width]! + gray[at + width]!) / 4;
      grains[Math.min(255, Math.round(Math.abs(gray[at]! - around)))]! += 1;
    }
  const share = (count: number) => (pixels === 0 ? 0 : count / pixels);
  const entropy = steps.reduce((sum, count) => (count > 0 ? sum - share(count) * Math.log2(share(count)) : sum), 0);
  return {
    pixels,
    grain: middleOf(grains, inner),
    white: share(white),
    black: share(black),
    entropy,
    magenta: share(magenta),
  };
}

/** Where the object is: what is not transparent, or, in a picture without alpha, what differs from the corners. */
function objectOf({ width, height, channels, data }: Picture): Uint8Array {
  const mask = new Uint8Array(width * height);
  const hasAlpha = channels === 2 || channels === 4;
  for (let at = 0; at < mask.length && hasAlpha; at += 1) mask[at] = data[at * channels + channels - 1]! > 127 ? 1 : 0;
  if (hasAlpha && mask.includes(0)) return mask;
  const corners = [0, width - 1, (height - 1) * width, height * width - 1];
  const colors = hasAlpha ? channels - 1 : channels;
  for (let at = 0; at < mask.length; at += 1) {
    const isGround = corners.some((corner) => {
      for (let each = 0; each < colors; each += 1)
        if (Math.abs(data[at * channels + each]! - data[corner * channels + each]!) > BACKGROUND) return false;
      return true;
    });
    mask[at] = isGround ? 0 : 1;
  }
  return mask;
}

/** How far a background's levels may be from a corner's. */
const BACKGROUND = 6;

function grayOf({ width, height, channels, data }: Picture): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, at) => {
    const from = at * channels;
    return channels < 3
      ? data[from]!
      : Math.round(0.2126 * data[from]! + 0.7152 * data[from + 1]! + 0.0722 * data[from + 2]!);
  });
}

function isMagenta({ channels, data }: Picture, at: number): boolean {
  if (channels < 3) return false;
  const [red, green, blue] = [data[at * channels]!, data[at * channels + 1]!, data[at * channels + 2]!];
  return red > 150 && blue > 0.8 * red && red > 0.8 * blue && green < 0.2 * red;
}

/** The middle of values that were counted by their size. */
function middleOf(counts: Float64Array, total: number): number {
  let seen = 0;
  const at = counts.findIndex((count) => {
    seen += count;
    return seen >= total / 2;
  });
  return Math.max(0, at);
}
