// The report: one self-contained page per run. No script is in it and none is needed; nothing is fetched. The same source gives
// the same bytes.

import { posix } from "node:path";
import type { Artifact, Json, Legend, NextStep, PassesAt, RunRecord, StampedEvent } from "@loopwright/core";
import { showScore, showTime } from "@loopwright/terminal";
import { cutText, cutWords, html, htmlPage, type Markup } from "@loopwright/terminal/html";
import type { Notes } from "../display/words.ts";
import { loadContents } from "./contents.ts";
import { drawCurve, showCeilings, showFigures, showPhaseTimes } from "./figures.ts";
import { showFiles, showResult, showText } from "./files.ts";
import { showIterations } from "./iterations.ts";
import { statusWords, whyItStopped } from "./standing.ts";
import { bestOf, gatherStory, type Point, pageFrom, type Section, type Story, showPlace } from "./story.ts";
import { style } from "./style.ts";

export { nextSteps } from "./standing.ts";

/** Everything that the page of a run shows. */
export interface ReportSource {
  /** How the run stands. */
  record: RunRecord;
  input: Json;
  /** Every event of the run in order; large values may be names of blobs. */
  events: readonly StampedEvent[];
  /** The bytes of an artifact; throws where they are gone. */
  load(artifact: Artifact): Promise<Uint8Array>;
  /** The loop's notes in words. */
  notes?: Notes;
  /** What the colors of the loop's pictures mean, by the file's name. */
  legends?: Readonly<Record<string, Legend>>;
  /** The score that passes, as the loop's package has it. */
  passesAt?: PassesAt;
  /** What to type next. */
  next: readonly NextStep[];
  /** The runs that this one has started, each with how it stands in words. */
  children?: readonly { run: string; folder: string; status: string; score: number | null }[];
}

/** Up to so many iterations, each is shown whole; of more, the first, the last and the best. */
const WHOLE_LIMIT = 60;
const WHOLE_FIRST = 5;
const WHOLE_LAST = 30;
const INPUT_LIMIT = 60_000;

/** The report of a run, as HTML text. */
export async function writeReport(source: ReportSource): Promise<string> {
  const { record, input, legends = {} } = source;
  const story = gatherStory(record, source.events, source.notes);
  const best = bestOf(record);
  const whole = wholeSections(story.sections, best?.iteration);
  const contents = await loadContents(
    [{ files: new Map(story.results.map((file) => [file.name, file])) }, ...byImportance(whole, best?.iteration)],
    source.load,
  );
  const result = showResult(story, contents, best?.iteration, legends);
  const shared = { above: result.files, legends };
  const files = showFiles(story.results, contents, () => undefined, shared);
  const shown = { sections: story.sections, whole: new Set(whole), contents, best: best?.iteration, shared };
  const iterations = showIterations(shown);
  const times = showPhaseTimes(record);
  return htmlPage({
    title: `${titleOf(record, input)} – ${record.loop}, ${statusWords(record)}`,
    style,
    body: html`<header>
<p class="id">${record.loop} · ${record.run}</p>
<h1>${titleOf(record, input)} <span class="badge dim ${statusWords(record)}">${statusWords(record)}</span></h1>
<p class="lead">${cutWords(whyItStopped(record), 600)}</p>
</header>
${result.view}
${showNext(source.next)}
${showCurve(source, best, story.results.length > 0)}
<h2>Figures</h2>
${showFigures(record)}
<div class="pair"><section>
<h2 id="ceilings">Ceilings</h2>
${showCeilings(record, story.longestVisit)}</section>${times && html`<section>\n<h2 id="time">Time by phase</h2>\n${times}</section>`}</div>
${story.results.length > 0 && html`<h2 id="results">Files of the whole run</h2>\n${files.pictures}${files.others}`}
${iterations.length > 0 && html`<h2 id="iterations">Iterations</h2>\n${iterations}`}
${showChildren(source)}
<h2>Input</h2>
<details><summary>what the run was given</summary>${showText("input", cutText(JSON.stringify(input, cutLong, 2), INPUT_LIMIT))}</details>
<footer>${showFacts(record, story)} Times are in UTC. Made from the run's journal; the same journal gives the same page.</footer>`,
  });
}

function wholeSections(sections: readonly Section[], best: number | undefined): Section[] {
  const last = sections.at(-1)?.iteration ?? 0;
  const isWhole = (n: number) => last <= WHOLE_LIMIT || n <= WHOLE_FIRST || n > last - WHOLE_LAST || n === best;
  return sections.filter(({ iteration }) => isWhole(iteration));
}

/** The sections in the order in which their files are put into the page: best, first, latest, start, then backwards. */
function byImportance(sections: readonly Section[], best: number | undefined): Section[] {
  const leading = [best, 1, sections.at(-1)?.iteration, 0].flatMap((wanted) =>
    sections.filter(({ iteration }) => iteration === wanted),
  );
  return [...new Set([...leading, ...sections.toReversed()])];
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
  const threshold = thresholdOf(input, passesAt);
  const passes = threshold === undefined ? "" : `; ${showScore(threshold)} passes`;
  const only = html`<p>There is one score so far: ${showScore(last.score)}, ${showPlace(last)}${passes}.</p>`;
  return html`<h2>Score</h2>
${drawCurve(scores, threshold) ?? only}
<p class="note">Go to <a href="#i${best.iteration}">the best</a>, <a href="#i${last.iteration}">the latest</a>${hasResults && html`, <a href="#results">the files</a>`}.</p>`;
}

function showChildren({ record, children = [] }: ReportSource): Markup | false {
  if (children.length === 0) return false;
  return html`<h2>Child runs</h2>\n<ul class="files">${children.map(({ run, folder, status, score }) => {
    const words = score === null ? "" : `, score ${showScore(score)}`;
    return html`<li>${link(run, pageFrom(record.folder, folder, "report.html"))}: ${status}${words}</li>\n`;
  })}</ul>`;
}

function showFacts({ run, folder, version, startedAt, at, seed, parent }: RunRecord, { forkedFrom }: Story): Markup {
  // A child's folder lies in its parent's; that of a forked child does not.
  const above = posix.basename(posix.dirname(folder)) === "children" ? "../../report.html" : "../report.html";
  return html`Started ${showTime(startedAt)}, last event ${showTime(at)}. Version ${version} of the loop, seed ${seed}.${
    forkedFrom && html` Forked from ${link(forkedFrom.run, forkedFrom.href)} at iteration ${forkedFrom.iteration}.`
  }${parent && html` Started by the run ${link(parent.run, folder === run ? undefined : above)}.`}`;
}

function link(words: string, href: string | undefined): Markup {
  return href === undefined ? html`${words}` : html`<a href="${href}">${words}</a>`;
}

function cutLong(_key: string, value: Json): Json {
  return typeof value === "string" ? cutText(value, 600) : value;
}

/** The score that passes, as the loop's package has it; one of another version may not know the input. */
function thresholdOf(input: Json, passesAt: PassesAt | undefined): number | undefined {
  try {
    const score = passesAt?.(input);
    return typeof score === "number" && score > 0 && score <= 1 ? score : undefined;
  } catch {
    return undefined;
  }
}

const TITLE_KEYS = ["title", "task_description", "task", "prompt", "goal", "feedback", "question", "topic", "text"];
const TITLE_LENGTH = 100;

/** The task in one line; where the input names none, what the run was called. */
export function titleOf({ run, loop }: Pick<RunRecord, "run" | "loop">, input: Json): string {
  // Several attempts are named after what each was given.
  const asked = Object(input).attempts === undefined ? input : Object(input).input;
  const texts = typeof asked === "string" ? [asked] : TITLE_KEYS.flatMap((key) => Object(asked)[key] ?? "");
  const title = texts.map(titleIn).find((text) => text !== "");
  if (title !== undefined) return title;
  const slug = /^\d{8}-\d{6}_([a-z0-9-]+?)(-\d+)?$/.exec(run)?.[1] ?? loop;
  return slug.replaceAll("-", " ").replace(/^[a-z]/, (sign) => sign.toUpperCase());
}

/** The first paragraph that says something, as one line: a heading of one word, such as `# Task`, does not. Of that a first
 * sentence that is short enough, else as many words as fit. */
function titleIn(text: Json): string {
  if (typeof text !== "string") return "";
  const paragraphs = text.replaceAll(/^#.*$/gm, "\n$&\n").split(/\n\s*\n/);
  const says = (part: string) => part !== "" && !/^#+\s*\S+$/.test(part);
  const found = paragraphs.map((part) => part.trim()).find(says) ?? "";
  const line = found
    .replace(/^#+\s*/, "")
    .replaceAll("`", "")
    .replaceAll(/\s+/g, " ");
  const sentence = /^.+?[.!?](?=\s)/.exec(line)?.[0] ?? line;
  if (sentence.length <= TITLE_LENGTH) return sentence;
  return `${sentence.slice(0, TITLE_LENGTH).replace(/[,;:]?\s+\S*$/, "")}…`;
}
