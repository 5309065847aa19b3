// Figures: a run's key figures, its ceilings, where its time went, and the curve of its scores.

import { type CeilingName, lastScore, type RunRecord, summarize } from "@loopwright/core";
import { showDollars, showDuration, showNumber, showScore } from "@loopwright/terminal";
import { html, type Markup } from "@loopwright/terminal/html";
import { bestOf, lastOfEach, type Point, showPlace } from "./story.ts";

/** The key figures. */
export function showFigures(record: RunRecord): Markup {
  const { ceilings, active, usage, retries, restarts } = record;
  const [last, best] = [lastScore(record), bestOf(record)];
  const figures: [string, string, string?][] = [
    ["Last score", last === null ? "–" : showScore(last)],
    ["Best score", best ? showScore(best.score) : "–", best && showPlace(best)],
    ["Iterations", showNumber(summarize(record).iterations), `of at most ${showNumber(ceilings.iterations)}`],
    ["Active time", showDuration(active)],
    ["Tokens", showNumber(usage.tokens)],
    ["Cost", showDollars(usage.usd)],
    ["Re-tries", showNumber(retries)],
    ["Workcell restarts", showNumber(restarts)],
  ];
  return html`<dl class="figures">${figures.map(
    ([name, value, more]) => html`
<div><dt>${name}</dt><dd>${value}${more !== undefined && html` <small>${more}</small>`}</dd></div>`,
  )}
</dl>`;
}

const ceilingNames: Record<CeilingName, string> = {
  iterations: "Iterations",
  minutes: "Active minutes",
  tokens: "Tokens",
  usd: "Dollars",
  phaseMinutes: "Minutes of one phase",
};

/** The ceilings: how much of each is used. */
export function showCeilings(record: RunRecord, longestVisit: number): Markup {
  const { ceilings, active, usage, ended } = record;
  const { iterations } = summarize(record);
  const used = { iterations, minutes: active / 60_000, ...usage, phaseMinutes: longestVisit / 60_000 };
  const figure = (name: CeilingName, value: number) =>
    name === "usd" ? showDollars(value) : showNumber(Math.round(value * 100) / 100);
  const rows = (Object.keys(ceilingNames) as CeilingName[]).map((name) => {
    const isHit = ended?.hit?.ceiling === name;
    return html`
<tr><th scope="row">${ceilingNames[name]}${isHit && html` <span class="badge warn">reached</span>`}</th><td class="n">${figure(name, used[name])}</td><td class="n">${figure(name, ceilings[name])}</td><td>${showBar(used[name], ceilings[name], "full")}</td></tr>`;
  });
  return html`<div class="scroll"><table aria-labelledby="ceilings">
<thead><tr><th scope="col">Ceiling</th><th scope="col" class="n">Used</th><th scope="col" class="n">Limit</th><th scope="col">Share</th></tr></thead>
<tbody>${rows}
</tbody></table></div>`;
}

/** Where the active time went, the longest first. */
export function showPhaseTimes({ phaseTimes, phases }: RunRecord): Markup | undefined {
  const times = Object.entries(phaseTimes).sort(([a, x], [b, y]) => y - x || phases.indexOf(a) - phases.indexOf(b));
  const total = times.reduce((sum, [, ms]) => sum + ms, 0);
  if (times.length === 0) return undefined;
  return html`<div class="scroll"><table aria-labelledby="time">
<thead><tr><th scope="col">Phase</th><th scope="col" class="n">Active</th><th scope="col">Share</th></tr></thead>
<tbody>${times.map(
    ([phase, ms]) => html`
<tr><th scope="row">${phase}</th><td class="n">${showDuration(ms)}</td><td>${showBar(ms, total)}</td></tr>`,
  )}
</tbody></table></div>`;
}

function showBar(used: number, limit: number, atLimit = ""): Markup {
  const share = limit > 0 ? Math.min(100, Math.round((used / limit) * 100)) : used > 0 ? 100 : 0;
  const words = limit > 0 ? `${Math.round((used / limit) * 100)} %` : "no limit left";
  return html`<span class="bar" role="img" aria-label="${words}"><i${share >= 100 && html` class="${atLimit}"`} style="width:${share}%"></i></span>`;
}

const DOTS_LIMIT = 80;
const CURVE_HEIGHT = 220;

/**
 * The curve of a run's scores as SVG, one point for each iteration, with the score that passes; undefined where there are not two.
 * It has no fixed width: its lines stretch with the page, its words and points do not.
 */
export function drawCurve(scores: readonly Point[], threshold?: number): Markup | undefined {
  const points = lastOfEach(scores);
  const [first, last, best] = [points[0], points.at(-1), bestOf({ scores })];
  if (!first || !last || !best || points.length < 2) return undefined;
  const low = lowestOf(points);
  const span = last.iteration - first.iteration;
  const x = ({ iteration }: Point) => round(((iteration - first.iteration) / span) * 100);
  const y = (score: number) => round(((1 - score) / (1 - low)) * 100);
  const wanted = threshold !== undefined && threshold >= low && threshold <= 1 ? threshold : undefined;
  const at = (point: Point) => `${showScore(point.score)} ${showPlace(point)}`;
  const passes = wanted === undefined ? "" : ` It passes at ${showScore(wanted)}.`;
  const words = `Score curve: from ${at(first)} to ${at(last)}; the best is ${at(best)}.${passes}`;
  const line = points.map((point) => `${round(x(point) * 10)},${round(y(point.score) * 10)}`);
  const dots = points.length <= DOTS_LIMIT ? points : [best, last];
  const anchor = x(best) < 12 ? "start" : x(best) > 88 ? "end" : "middle";
  return html`<figure class="chart"><svg class="curve" role="img" aria-label="${words}" width="100%" height="${CURVE_HEIGHT}">
<title>${words}</title>
${ticksFrom(low).map(
  (tick) => html`<line class="grid" x1="0" x2="100%" y1="${y(tick)}%" y2="${y(tick)}%"/>
<text class="tick" x="0" dx="-8" y="${y(tick)}%" dy="4" text-anchor="end">${tick.toFixed(2)}</text>`,
)}
${wanted !== undefined && html`<line class="threshold" x1="0" x2="100%" y1="${y(wanted)}%" y2="${y(wanted)}%"/>`}
<svg width="100%" height="100%" viewBox="0 0 1000 1000" preserveAspectRatio="none"><polyline class="line" vector-effect="non-scaling-stroke" points="${line.join(" ")}"/></svg>
${dots.map((point) => drawDot(point, x(point), y(point.score), point.iteration === best.iteration))}
<text class="mark" x="${x(best)}%" y="${y(best.score)}%" dy="-13" text-anchor="${anchor}">best ${showScore(best.score)}</text>
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

/** Where the axis begins: at 0, unless that would press high scores flat. It ends at 1. */
function lowestOf(points: readonly Point[]): number {
  const least = points.reduce((low, { score }) => Math.min(low, score), 1);
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
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => span / size <= 8) ?? span;
  const isClear = ({ iteration }: Point) =>
    iteration % step === 0 && iteration - first.iteration >= step / 2 && last.iteration - iteration >= step / 2;
  return [first, ...points.slice(1, -1).filter(isClear), last];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
