// The iterations: each with its verdict, findings, files and what else happened; of a long run the middle ones are a
// line each.

import type { Finding, Verdict } from "@loopwright/core";
import { showCount, showDollars, showDuration, showNumber, showScore, showTime } from "@loopwright/terminal";
import { cutWords, html, type Markup } from "@loopwright/terminal/html";
import { signed } from "../display/lines.ts";
import type { Contents } from "./contents.ts";
import { type Earlier, type Shared, type ShownFiles, showFiles } from "./files.ts";
import { type Section, shownChange, type TimedMoment, verdictOf } from "./story.ts";

const FINDINGS_LIMIT = 30;
const FINDINGS_FIRST = 4;
const MOMENTS_LIMIT = 60;
const TEXT_LIMIT = 800;
const ROW_LIMIT = 160;

/** What the iterations are shown with. */
export interface Shown {
  sections: readonly Section[];
  /** The sections that are shown whole. */
  whole: ReadonlySet<Section>;
  contents: Contents;
  best: number | undefined;
  shared?: Shared;
}

/** All sections in order. */
export function showIterations({ sections, whole, contents, best, shared }: Shown): Markup[] {
  const last = sections.at(-1)?.iteration;
  const texts = new Map<string, Earlier>();
  const parts: Markup[] = [];
  let before: number | undefined;
  let rows: Markup[] = [];
  const endRows = () => {
    if (rows.length > 0) parts.push(showRows(rows));
    rows = [];
  };
  for (const section of sections) {
    const { iteration, files } = section;
    const isBest = iteration === best;
    if (whole.has(section)) {
      endRows();
      const shown = showFiles([...files.values()], contents, (name) => texts.get(name), shared);
      parts.push(showSection(section, { before, isBest, isOpen: isBest || iteration === last, files: shown }));
      for (const file of files.values()) {
        const content = contents.get(file);
        if (content?.kind === "text") texts.set(file.name, { iteration, text: content.text });
      }
    } else rows.push(showRow(section, before, isBest));
    before = verdictOf(section)?.score ?? before;
  }
  endRows();
  return parts;
}

interface ShownSection {
  before: number | undefined;
  isBest: boolean;
  isOpen: boolean;
  files: ShownFiles;
}

function showSection(section: Section, { before, isBest, isOpen, files }: ShownSection): Markup {
  const { iteration, verdicts } = section;
  const verdict = verdictOf(section);
  const name = iteration === 0 ? "Before the first iteration" : `Iteration ${iteration}`;
  // The target of links stands inside: a browser that is led to it unfolds what is round it.
  return html`<details class="iteration"${isOpen && html` open`}><summary class="head"><h3>${name}</h3>${verdict && showScores(verdict, before)}${isBest && html` <span class="tag">best</span>`}</summary><article id="i${iteration}">
<p class="when">${showWhen(section)}</p>
${verdicts.slice(0, -1).map((earlier) => html`<p class="note">An earlier verdict: ${earlier.verdict}, ${showScore(earlier.score)}. ${cutWords(earlier.reason, TEXT_LIMIT)}</p>\n`)}${verdict ? html`<p>${cutWords(verdict.reason, TEXT_LIMIT)}</p>\n` : iteration > 0 && html`<p class="dim">No verdict.</p>\n`}${files.pictures}${verdict && showFindings(verdict)}${files.others}${showMoments(section)}</article></details>
`;
}

function showScores(verdict: Verdict, before: number | undefined): Markup {
  return html` <span class="score">${showScore(verdict.score)}</span> ${showChange(verdict.score, before)} <span class="badge ${verdict.verdict}">${verdict.verdict}</span>`;
}

function showChange(score: number, before: number | undefined): Markup | undefined {
  if (before === undefined) return undefined;
  const change = shownChange(before, score);
  if (change === 0) return html`<span class="change dim">±0</span>`;
  return html`<span class="change ${change > 0 ? "good" : "bad"}">${signed(change)}</span>`;
}

function showWhen({ startedAt, active, usage }: Section): string {
  const tokens = usage.tokens > 0 ? ` · ${showNumber(usage.tokens)} tokens` : "";
  const dollars = usage.usd > 0 ? ` · ${showDollars(usage.usd)}` : "";
  return `${showTime(startedAt)} · ${showDuration(active)} active${tokens}${dollars}`;
}

/** The most urgent findings, and the others to be unfolded. */
function showFindings({ findings }: Verdict): Markup | false {
  if (findings.length === 0) return false;
  // Hard ones first, then by priority.
  const urgency = ({ severity, priority }: Finding) => (severity === "hard" ? 0 : 10) + priority;
  const sorted = findings.toSorted((a, b) => urgency(a) - urgency(b));
  const list = (part: readonly Finding[]) => html`<ul class="findings">\n${part.map(showFinding)}</ul>\n`;
  const rest = sorted.slice(FINDINGS_FIRST, FINDINGS_LIMIT);
  const more = findings.length - FINDINGS_LIMIT;
  return html`${list(sorted.slice(0, FINDINGS_FIRST))}${rest.length > 0 && html`<details><summary>${showCount(rest.length, "more finding")}</summary>${list(rest)}</details>\n`}${more > 0 && html`<p class="note">${showCount(more, "further finding")} not shown.</p>\n`}`;
}

function showFinding({ code, severity, priority, message, fix }: Finding): Markup {
  return html`<li class="${severity === "hard" ? "hard" : "soft"}"><code>${code}</code> <span class="dim">${severity}, priority ${priority}</span><p>${cutWords(message, TEXT_LIMIT)}</p>${
    fix !== undefined && fix !== "" && html`<p><span class="dim">Fix:</span> ${cutWords(fix, TEXT_LIMIT)}</p>`
  }</li>
`;
}

function showMoments({ moments }: Section): Markup | false {
  if (moments.length === 0) return false;
  const left = moments.length - MOMENTS_LIMIT;
  return html`<ul class="moments">
${moments.slice(0, MOMENTS_LIMIT).map(showMoment)}${left > 0 && html`<li>and ${showNumber(left)} more, in the journal</li>\n`}</ul>
`;
}

function showMoment({ at, kind, text, stack }: TimedMoment): Markup {
  return html`<li><time>${showTime(at).slice(11, 19)}</time> <b class="dim ${kind}">${kind}</b> ${cutWords(text, TEXT_LIMIT)}${stack !== undefined && html`<pre tabindex="0">${stack}</pre>`}</li>
`;
}

function showRow(section: Section, before: number | undefined, isBest: boolean): Markup {
  const verdict = verdictOf(section);
  const score = verdict ? showScore(verdict.score) : "–";
  const kinds = [...new Set(section.moments.map(({ kind }) => kind))];
  const also = kinds.length > 0 && html` <span class="dim">(also: ${kinds.join(", ")})</span>`;
  return html`<tr id="i${section.iteration}"><th scope="row">${section.iteration}<td class="n">${score}<td class="n">${verdict && showChange(verdict.score, before)}<td>${verdict?.verdict ?? "none"}${isBest && ", best"}<td class="wide">${cutWords(verdict?.reason ?? "", ROW_LIMIT)}${also}
`;
}

function showRows(rows: readonly Markup[]): Markup {
  return html`<details class="rows"><summary>${showCount(rows.length, "iteration")} in short</summary><div class="scroll"><table>
<thead><tr><th scope="col">Iteration</th><th scope="col" class="n">Score</th><th scope="col" class="n">Change</th><th scope="col">Verdict</th><th scope="col">Reason</th></tr></thead>
<tbody>
${rows}</tbody></table></div></details>
`;
}
