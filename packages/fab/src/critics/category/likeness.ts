// How well figures fit what is known of a kind of thing.

/** A figure and the range that real things of the kind have. */
export interface Trait {
  readonly name: string;
  readonly is: number;
  readonly range: readonly [least: number, most: number];
}

/** What a look at an asset as one kind of thing comes to. */
export interface Likeness {
  /** 0 to 1. */
  readonly score: number;
  readonly isUpsideDown: boolean;
  /** The traits that do not fit, in words. */
  readonly against: readonly string[];
}

/** From this score on, something is taken for its kind. */
export const DETECTED = 0.5;
/** How far outside of its range a trait counts for nothing, as a part of the range's end. */
const BEYOND = 0.25;

/** 1 for a trait in its range, less outside, 0 far outside. */
export function fits({ is, range: [least, most] }: Trait): number {
  const off = is < least ? (least - is) / (least * BEYOND) : is > most ? (is - most) / (most * BEYOND) : 0;
  return Number.isFinite(off) ? Math.max(0, 1 - off) : 0;
}

/** How well all traits fit together. */
export function fitAll(traits: readonly Trait[]): { score: number; against: string[] } {
  const wrong = traits.filter((trait) => fits(trait) < 1);
  return {
    score: traits.reduce((product, trait) => product * fits(trait), 1),
    against: wrong.map(({ name, is, range: [least, most] }) => `${name} ${short(is)}; expected ${least}–${most}`),
  };
}

/** The better of looks, the first of equals. */
export function best<L extends { score: number }>(looks: readonly L[]): L {
  return looks.reduce((one, other) => (other.score > one.score ? other : one));
}

function short(value: number): number {
  return Number(value.toPrecision(2));
}
