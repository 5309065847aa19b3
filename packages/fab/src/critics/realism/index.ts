// The realism check: statistics of the beauty renders, and how many materials there are to see. It claims no taste.

import type { Finding } from "@loopwright/core";
import type { Material, Model } from "@loopwright/mesh";
import { pngToPicture } from "@loopwright/mesh";
import { found } from "../../playbook/found.ts";
import type { MeasuredCritic } from "../critic.ts";
import { counted } from "../words.ts";
import { measurePicture, type PictureFigures } from "./picture.ts";

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
export function judgeRealism(
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
