// Nelder–Mead with restarts, over the unit cube, upwards. Pure: its whole state is plain JSON, so a search that was
// stopped goes on from it exactly as one that was not.
//
// In many dimensions a simplex soon collapses. So it is given little patience: when it has become small, or brings
// nothing new for a while, a fresh one is put up around the best point.

import { randomStream } from "@loopwright/core";
import { z } from "zod";

const Vertex = z.object({ point: z.array(z.number()), score: z.number() });
export type Vertex = z.infer<typeof Vertex>;

/** A search as it stands. */
export const SearchState = z.object({
  seed: z.number(),
  evaluations: z.number().int(),
  restarts: z.number().int(),
  /** Sorted, the best first. */
  simplex: z.array(Vertex),
  /** Points that the simplex still lacks. */
  pending: z.array(z.array(z.number())),
  best: Vertex.optional(),
  /** Evaluations when the best point was last improved by much, or the simplex put up. */
  since: z.number().int(),
});
export type SearchState = z.infer<typeof SearchState>;

export type Objective = (point: readonly number[]) => number;

const FIRST_SIZE = 0.2;
const SMALLEST_SIZE = 0.05;
const LARGEST_SIZE = 0.2;
const TINY = 0.008;
const NEWS = 0.0005;
const PATIENCE_PER_DIMENSION = 4;
const CONSIDERED_SIZE = 0.08;
const STRETCH = 2;
const DRAW_IN = 0.5;

/** A search that begins at a point. */
export function startSearch(start: readonly number[], seed: number): SearchState {
  return {
    seed,
    evaluations: 0,
    restarts: 0,
    simplex: [],
    pending: [clamp(start), ...cornersAround(start, FIRST_SIZE, randomStream("hull-search", seed, 0))],
    since: 0,
  };
}

/** The same search with other chances from here on: a fresh simplex around the best point, drawn by another seed. */
export function reseedSearch(state: SearchState, seed: number): SearchState {
  return state.best ? restart({ ...state, seed }) : startSearch(state.pending[0]!, seed);
}

/** Looks at points that somebody proposes; where one is better than all before, the search goes on around it. */
export function considerPoints(
  state: SearchState,
  points: readonly (readonly number[])[],
  objective: Objective,
): SearchState {
  const vertices = points.map((point) => ({ point: clamp(point), score: objective(clamp(point)) }));
  const after = vertices.reduce((search, vertex) => count(search, 1, vertex), state);
  const best = after.best!;
  if (best === state.best) return after;
  const random = randomStream("hull-search", state.seed, `considered-${after.evaluations}`);
  return { ...after, simplex: [best], pending: cornersAround(best.point, CONSIDERED_SIZE, random) };
}

/** One step further: one evaluation, or two. */
export function stepSearch(state: SearchState, objective: Objective): SearchState {
  if (state.pending.length > 0) return evaluatePending(state, objective);
  if (isSpent(state)) return restart(state);
  return moveWorst(state, objective);
}

function evaluatePending(state: SearchState, objective: Objective): SearchState {
  const [point, ...pending] = state.pending;
  const vertex = { point: point!, score: objective(point!) };
  return { ...count(state, 1, vertex), pending, simplex: insert(state.simplex, vertex) };
}

/** The heart of it: the worst vertex is reflected through the others, then stretched, or drawn in. */
function moveWorst(state: SearchState, objective: Objective): SearchState {
  const { simplex } = state;
  const kept = simplex.slice(0, -1);
  const worst = simplex.at(-1)!;
  const n = kept.length;
  const center = worst.point.map((_, i) => kept.reduce((sum, { point }) => sum + point[i]!, 0) / n);
  const tryAt = (factor: number): Vertex => {
    const point = clamp(center.map((c, i) => c + factor * (c - worst.point[i]!)));
    return { point, score: objective(point) };
  };
  const take = (vertex: Vertex, evaluations: number): SearchState => ({
    ...count(state, evaluations, vertex),
    simplex: insert(kept, vertex),
  });
  const reflected = tryAt(1);
  if (reflected.score > simplex[0]!.score) {
    const expanded = tryAt(STRETCH);
    return take(expanded.score > reflected.score ? expanded : reflected, 2);
  }
  if (reflected.score > kept.at(-1)!.score) return take(reflected, 1);
  const isOutside = reflected.score > worst.score;
  const contracted = tryAt(isOutside ? DRAW_IN : -DRAW_IN);
  if (contracted.score > (isOutside ? reflected.score : worst.score)) return take(contracted, 2);
  return shrink({ ...state, evaluations: state.evaluations + 2 });
}

/** Everything is drawn towards the best vertex. */
function shrink(state: SearchState): SearchState {
  const [best, ...others] = state.simplex;
  const pending = others.map(({ point }) => point.map((x, i) => best!.point[i]! + DRAW_IN * (x - best!.point[i]!)));
  return { ...state, simplex: [best!], pending };
}

function isSpent({ simplex, evaluations, since }: SearchState): boolean {
  const best = simplex[0]!.point;
  if (evaluations - since > PATIENCE_PER_DIMENSION * best.length) return true;
  return simplex.every(({ point }) => point.every((x, i) => Math.abs(x - best[i]!) < TINY));
}

/** A fresh simplex around the best point, of a size that is drawn. */
function restart(state: SearchState): SearchState {
  const restarts = state.restarts + 1;
  const random = randomStream("hull-search", state.seed, restarts);
  const size = SMALLEST_SIZE + random() * (LARGEST_SIZE - SMALLEST_SIZE);
  const best = state.best!;
  return {
    ...state,
    restarts,
    simplex: [best],
    pending: cornersAround(best.point, size, random),
    since: state.evaluations,
  };
}

/** One corner along each axis, on a side that is drawn, or the other where that would leave the cube. */
function cornersAround(point: readonly number[], size: number, random: () => number): number[][] {
  return point.map((_, axis) => {
    const way = random() < 0.5 ? -size : size;
    return clamp(point.map((x, i) => (i !== axis ? x : x + way < 0 || x + way > 1 ? x - way : x + way)));
  });
}

/** Counts evaluations and remembers the best vertex. */
function count(state: SearchState, evaluations: number, vertex: Vertex): SearchState {
  const total = state.evaluations + evaluations;
  const isBetter = !state.best || vertex.score > state.best.score;
  if (!isBetter) return { ...state, evaluations: total };
  const isNews = !state.best || vertex.score > state.best.score + NEWS;
  return { ...state, evaluations: total, best: vertex, since: isNews ? total : state.since };
}

function insert(simplex: readonly Vertex[], vertex: Vertex): Vertex[] {
  const at = simplex.findIndex(({ score }) => score < vertex.score);
  return at < 0 ? [...simplex, vertex] : [...simplex.slice(0, at), vertex, ...simplex.slice(at)];
}

function clamp(point: readonly number[]): number[] {
  return point.map((x) => Math.min(Math.max(x, 0), 1));
}
