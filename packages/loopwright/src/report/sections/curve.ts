// The score curve, as SVG without a fixed width: its lines stretch with the page, its words and points do not.

import { showScore } from "@loopwright/terminal";
import { html, type Markup } from "@loopwright/terminal/html";
import { bestOf, lastOfEach, type Point, showPlace } from "../scores.ts";

const POINTS_LIMIT = 80;
const COLUMNS = 300;
const HEIGHT = 220;

/** The curve of a run's scores, one point for each iteration, with the score that passes named below it; undefined where there are not two. */
export function drawCurve(scores: readonly Point[], threshold?: number): Markup | undefined {
  const points = lastOfEach(scores);
  const [first, last, best] = [points[0], points.at(-1), bestOf({ scores })];
  if (!first || !last || !best || points.length < 2) return undefined;
  const low = lowestOf(points);
  const span = last.iteration - first.iteration;
  const x = ({ iteration }: Point) => round(((iteration - first.iteration) / span) * 100);
  const y = (score: number) => round(((1 - score) / (1 - low)) * 100);
  const wanted = threshold !== undefined && threshold >= low && threshold <= 1 ? threshold : undefined;
  const words = `${describe(first, last, best)}${wanted === undefined ? "" : ` It passes at ${showScore(wanted)}.`}`;
  const line = thinned(points).map((point) => `${round(x(point) * 10)},${round(y(point.score) * 10)}`);
  const dots = points.length <= POINTS_LIMIT ? points : [best, last];
  return html`<figure class="chart"><svg class="curve" role="img" aria-label="${words}" width="100%" height="${HEIGHT}">
<title>${words}</title>
${ticksFrom(low).map(
  (tick) => html`<line class="grid" x1="0" x2="100%" y1="${y(tick)}%" y2="${y(tick)}%"/>
<text class="tick" x="0" dx="-8" y="${y(tick)}%" dy="4" text-anchor="end">${tick.toFixed(2)}</text>`,
)}
${wanted !== undefined && html`<line class="threshold" x1="0" x2="100%" y1="${y(wanted)}%" y2="${y(wanted)}%"/>`}
<svg width="100%" height="100%" viewBox="0 0 1000 1000" preserveAspectRatio="none"><polyline class="line" vector-effect="non-scaling-stroke" points="${line.join(" ")}"/></svg>
${dots.map((point) => drawDot(point, x(point), y(point.score), point.iteration === best.iteration))}
${labelBest(best, x(best), y(best.score))}
${iterationTicks(points).map(
  (point) => html`<text class="tick" x="${x(point)}%" y="100%" dy="20" text-anchor="middle">${point.iteration}</text>`,
)}
</svg><figcaption>score by iteration${wanted !== undefined && html` <span class="passes">passes at ${showScore(wanted)}</span>`}</figcaption></figure>`;
}

function drawDot({ iteration, score }: Point, x: number, y: number, isBest: boolean): Markup {
  const name = iteration === 0 ? "start" : `iteration ${iteration}`;
  return html`<a href="#i${iteration}" tabindex="-1"><circle class="${isBest ? "dot best" : "dot"}" cx="${x}%" cy="${y}%" r="${isBest ? 6 : 3.5}"><title>${name}: ${showScore(score)}</title></circle></a>
`;
}

function labelBest({ score }: Point, x: number, y: number): Markup {
  const anchor = x < 12 ? "start" : x > 88 ? "end" : "middle";
  return html`<text class="mark" x="${x}%" y="${y}%" dy="-13" text-anchor="${anchor}">best ${showScore(score)}</text>`;
}

function describe(first: Point, last: Point, best: Point): string {
  return `Score curve: from ${showScore(first.score)} ${showPlace(first)} to ${showScore(last.score)} ${showPlace(last)}; the best is ${showScore(best.score)} ${showPlace(best)}.`;
}

/** Where the axis begins: at 0, unless that would press high scores flat. It ends at 1. */
function lowestOf(points: readonly Point[]): number {
  let least = 1;
  for (const { score } of points) least = Math.min(least, score);
  return least < 0.5 ? 0 : Math.min(0.8, Math.floor(least * 10 + 1e-9) / 10);
}

function ticksFrom(low: number): number[] {
  const step = low === 0 ? 0.25 : low < 0.7 ? 0.1 : 0.05;
  return Array.from({ length: Math.floor((1 - low) / step + 1e-9) + 1 }, (_, index) => round(1 - index * step));
}

/** A few iterations to name under the curve: the first, the last, and some between them that stand clear of both. */
function iterationTicks(points: readonly Point[]): Point[] {
  const [first, last] = [points[0]!, points.at(-1)!];
  const span = last.iteration - first.iteration;
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((size) => span / size <= 8) ?? span;
  const isClear = ({ iteration }: Point) =>
    iteration % step === 0 && iteration - first.iteration >= step / 2 && last.iteration - iteration >= step / 2;
  return [first, ...points.slice(1, -1).filter(isClear), last];
}

/** The points of a long curve that shape it: the highest and the lowest of each column. */
function thinned(points: readonly Point[]): Point[] {
  if (points.length <= COLUMNS * 2) return [...points];
  const size = points.length / COLUMNS;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const part = points.slice(Math.floor(column * size), Math.floor((column + 1) * size));
    const sorted = part.toSorted((a, b) => a.score - b.score);
    return [sorted[0]!, sorted.at(-1)!].sort((a, b) => a.iteration - b.iteration);
  }).flat();
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
