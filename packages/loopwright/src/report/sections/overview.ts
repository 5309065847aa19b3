// The overview: a run's key figures, its ceilings, and where its time went.

import { type CeilingName, lastScore, type RunRecord, summarize } from "@loopwright/core";
import { showDollars, showDuration, showNumber, showScore } from "@loopwright/terminal";
import { html, type Markup } from "@loopwright/terminal/html";
import { bestOf, showPlace } from "../scores.ts";

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
  const rows = (Object.keys(ceilingNames) as CeilingName[]).map((name) => {
    const isHit = ended?.hit?.ceiling === name;
    return html`
<tr><th scope="row">${ceilingNames[name]}${isHit && html` <span class="badge warn">reached</span>`}</th><td class="n">${showFigure(name, used[name])}</td><td class="n">${showFigure(name, ceilings[name])}</td><td>${showBar(used[name], ceilings[name], "full")}</td></tr>`;
  });
  return html`<div class="scroll"><table aria-labelledby="ceilings">
<thead><tr><th scope="col">Ceiling</th><th scope="col" class="n">Used</th><th scope="col" class="n">Limit</th><th scope="col">Share</th></tr></thead>
<tbody>${rows}
</tbody></table></div>`;
}

function showFigure(name: CeilingName, value: number): string {
  if (name === "usd") return showDollars(value);
  return showNumber(name.toLowerCase().includes("minutes") ? Math.round(value * 100) / 100 : value);
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
