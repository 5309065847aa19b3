// The page: its frame, its head with why the run stopped and what to type next, and its sections in order.

import { posix } from "node:path";
import type { Json, NextStep, RunRecord } from "@loopwright/core";
import { showScore, showTime } from "@loopwright/terminal";
import { cutText, cutWords, html, htmlPage, type Markup, type Part } from "@loopwright/terminal/html";
import type { Contents } from "./contents.ts";
import { bestOf, type Point, showPlace } from "./scores.ts";
import { drawCurve } from "./sections/curve.ts";
import { showText } from "./sections/diff-view.ts";
import { type Shared, showFiles } from "./sections/files.ts";
import { showIterations } from "./sections/iterations.ts";
import { showCeilings, showFigures, showPhaseTimes } from "./sections/overview.ts";
import { showResult } from "./sections/result.ts";
import type { ChildRun, ReportSource } from "./source.ts";
import { pageFrom, type Section, type Story } from "./story.ts";
import { style } from "./style.ts";
import { thresholdOf, titleOf } from "./task.ts";
import { statusWords, whyItStopped } from "./why-it-stopped.ts";

export interface PageParts {
  source: ReportSource;
  story: Story;
  whole: ReadonlySet<Section>;
  contents: Contents;
}

const RESULTS_ROOM = 200_000;
const INPUT_LIMIT = 60_000;

/** The whole page as text. */
export function renderPage({ source, story, whole, contents }: PageParts): string {
  const { record } = source;
  const best = bestOf(record);
  const result = showResult(story, contents, best?.iteration, source);
  const shared: Shared = { above: result.files, ...(source.legends && { legends: source.legends }) };
  const iterations = showIterations({ sections: story.sections, whole, contents, best: best?.iteration, shared });
  return htmlPage({
    title: `${titleOf(record, source.input)} – ${record.loop}, ${statusWords(record)}`,
    style,
    body: html`${showHeader(source)}
${result.view}
${showNext(source.next)}
${showCurve(source, best, story.results.length > 0)}
<h2>Figures</h2>
${showFigures(record)}
<div class="pair"><section>
<h2 id="ceilings">Ceilings</h2>
${showCeilings(record, story.longestVisit)}</section>${showPhases(record)}</div>
${showResults(story, contents, shared)}
${iterations.length > 0 && html`<h2 id="iterations">Iterations</h2>\n${iterations}`}
${showChildren(source)}
${showInput(source.input)}
<footer>${showFacts(record, story)} Times are in UTC. Made from the run's journal; the same journal gives the same page.</footer>`,
  });
}

function showHeader({ record, input }: ReportSource): Markup {
  const { loop, run } = record;
  return html`<header>
<p class="id">${loop} · ${run}</p>
<h1>${titleOf(record, input)} <span class="badge ${statusClass(record)}">${statusWords(record)}</span></h1>
<p class="lead">${cutWords(whyItStopped(record), 600)}</p>
</header>`;
}

function showFacts(record: RunRecord, story: Story): Part[] {
  const { version, startedAt, at, seed } = record;
  return [
    html`Started ${showTime(startedAt)}, last event ${showTime(at)}.`,
    html` Version ${version} of the loop, seed ${seed}.`,
    story.forkedFrom && html` ${showFork(story.forkedFrom)}`,
    record.parent && html` ${showParent(record, record.parent.run)}`,
  ];
}

function showChildren({ record, children = [] }: ReportSource): Markup | false {
  return (
    children.length > 0 &&
    html`<h2>Child runs</h2>\n<ul class="files">${children.map((child) => showChild(record, child))}</ul>`
  );
}

const statusClasses: Record<string, string> = {
  done: "good",
  ceiling: "warn",
  stagnant: "warn",
  failed: "bad",
  escalated: "ask",
  waiting: "ask",
};

function statusClass(record: RunRecord): string {
  return statusClasses[statusWords(record)] ?? "dim";
}

function showFork({ run, iteration, href }: NonNullable<Story["forkedFrom"]>): Markup {
  return html`Forked from ${link(run, href)} at iteration ${iteration}.`;
}

/** A child's folder lies in its parent's; that of a forked child does not. */
function showParent({ run, folder }: RunRecord, parent: string): Markup {
  const above = posix.basename(posix.dirname(folder)) === "children" ? "../../report.html" : "../report.html";
  return html`Started by the run ${link(parent, folder === run ? undefined : above)}.`;
}

function showChild({ folder }: RunRecord, child: ChildRun): Markup {
  const score = child.score === null ? "" : `, score ${showScore(child.score)}`;
  return html`<li>${link(child.run, pageFrom(folder, child.folder, "report.html"))}: ${child.status}${score}</li>\n`;
}

function link(words: string, href: string | undefined): Markup {
  return href === undefined ? html`${words}` : html`<a href="${href}">${words}</a>`;
}

function showNext(steps: readonly NextStep[]): Markup | false {
  if (steps.length === 0) return false;
  return html`<h2>What to type next</h2>
<ul class="next">${steps.map(({ command, does }) => html`\n<li><code>${command}</code><span>${does}</span></li>`)}
</ul>`;
}

function showCurve(
  { record, input, passesAt }: ReportSource,
  best: Point | undefined,
  hasResults: boolean,
): Markup | false {
  const { scores } = record;
  const last = scores.at(-1);
  if (!best || !last) return false;
  const threshold = thresholdOf(record, input, passesAt);
  const curve = drawCurve(scores, threshold);
  const passes = threshold === undefined ? "" : `; ${showScore(threshold)} passes`;
  const only = html`<p>There is one score so far: ${showScore(last.score)}, ${showPlace(last)}${passes}.</p>`;
  return html`<h2>Score</h2>
${curve ?? only}
<p class="note">Go to <a href="#i${best.iteration}">the best</a>, <a href="#i${last.iteration}">the latest</a>${hasResults && html`, <a href="#results">the files</a>`}.</p>`;
}

function showPhases(record: RunRecord): Markup | false {
  const times = showPhaseTimes(record);
  return times !== undefined && html`<section>\n<h2 id="time">Time by phase</h2>\n${times}</section>`;
}

function showResults({ results }: Story, contents: Contents, shared: Shared): Markup | false {
  if (results.length === 0) return false;
  const { pictures, others } = showFiles(results, contents, () => undefined, RESULTS_ROOM, shared);
  return html`<h2 id="results">Files of the whole run</h2>
${pictures}${others}`;
}

function showInput(input: Json): Markup {
  const text = JSON.stringify(input, (_, value: Json) => (typeof value === "string" ? cutText(value, 600) : value), 2);
  return html`<h2>Input</h2>
<details><summary>what the run was given</summary>${showText("input", cutText(text, INPUT_LIMIT))}</details>`;
}
