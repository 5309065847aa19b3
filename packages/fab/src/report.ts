// The page of one asset: its views, its scores against what is needed, what was found with pictures, and what to do.

import { showScore } from "@loopwright/terminal";
import { html, htmlPage, type Markup } from "@loopwright/terminal/html";
import type { GateConfig } from "./gate/schema.ts";
import type { GateVerdict } from "./verdict/gate-verdict.ts";

interface ReportPicture {
  view: string;
  style: "beauty" | "shaded" | "clay";
  png: Uint8Array;
}

interface ReportParts {
  verdict: GateVerdict;
  gate: GateConfig;
  prompt: string | undefined;
  /** One for each view and style that is shown. */
  pictures: readonly ReportPicture[];
  /** The paths of more pictures in the run's folder. */
  turntable: readonly string[];
}

/** The whole page as text; it needs no other file. */
export function reportPage({ verdict, gate, prompt, pictures, turntable }: ReportParts): string {
  const name = verdict.asset_id;
  return htmlPage({
    title: `${name}: ${verdict.verdict}`,
    style,
    body: html`<h1>${name}</h1>
<p><span class="verdict ${verdict.verdict}">${verdict.verdict}</span> at ${verdict.gate_config_id}: ${verdict.verdict_reason}</p>
${prompt !== undefined && html`<p class="dim">Asked for: ${prompt}</p>`}
<h2>Scores</h2>
${scoreTable(verdict, gate)}
${verdict.requirements.length > 0 && requirementTable(verdict)}
${verdict.notes.map((note) => html`<p class="dim">${note}</p>`)}
${verdict.vote_pack && voteTable(verdict.vote_pack)}
${pictures.length > 0 && html`<h2>Views</h2>\n<div class="views">${shownViews(pictures).map(figure)}</div>`}
${turntable.length > 0 && html`<p class="dim">Turntable: ${turntable.map((path, at) => html`<a href="${path}">${at + 1}</a> `)}</p>`}
${verdict.next_actions.length > 0 && html`<h2>What to do</h2>`}
${verdict.next_actions.map((action) => actionCard(action, verdict, pictures))}
<p class="dim">Run ${verdict.run_id}. Checks are measured from the file; they claim no taste.</p>`,
  });
}

function scoreTable({ scores, opinions, floor_violations }: GateVerdict, { critics }: GateConfig): Markup {
  const rows = Object.entries(scores.by_critic).map(([name, score]) => {
    const critic = critics[name as keyof typeof critics];
    const isLow = floor_violations.some((each) => each.critic === name);
    const weight = critic?.weight ? `counts ${Math.round(critic.weight * 100)} %` : "findings alone";
    const told = (opinions[name] ?? []).map(({ by, score: own, reason }) => `; ${by} ${showScore(own, 2)}: ${reason}`);
    return row(name, score, critic?.floor, isLow, `${weight}${told.join("")}`);
  });
  const isLow = scores.overall < scores.threshold;
  return html`<table>${row("overall", scores.overall, scores.threshold, isLow, "")}${rows}</table>`;
}

function row(name: string, score: number | null, needed: number | undefined, isLow: boolean, about: string): Markup {
  const bar = html`<div class="track"><i class="${isLow ? "low" : ""}" style="width:${(score ?? 0) * 100}%"></i>${
    needed !== undefined && html`<b style="left:${needed * 100}%"></b>`
  }</div>`;
  return html`<tr><th>${name}</th><td class="number ${isLow ? "fail" : ""}">${score === null ? "–" : showScore(score, 2)}</td>
<td class="bar">${score === null ? html`<span class="dim">not judged</span>` : bar}</td>
<td class="dim">${needed === undefined ? "" : `needs ${needed.toFixed(2)}`}</td><td class="dim">${about}</td></tr>`;
}

const colors = { met: "pass", unmet: "fail", unjudged: "escalate" } as const;

function requirementTable({ requirements, nothing }: GateVerdict): Markup {
  const rows = requirements.map(({ words, means, result, answers }) => {
    const said = answers.map(({ by, says, reason }) => html`<p><b>${by}</b>: ${says}, ${reason}</p>`);
    return html`<tr><th>${words}</th><td class="${colors[result]}">${result}</td>
<td>${means}</td><td class="dim">${answers.length > 0 ? said : "nobody could judge it"}</td></tr>`;
  });
  const rest = nothing.length > 0 && html`<p class="dim">Asks for nothing: ${nothing.join(", ")}</p>`;
  return html`<h2>What was asked for</h2>\n<table>${rows}</table>${rest}`;
}

function voteTable({ result, critics }: NonNullable<GateVerdict["vote_pack"]>): Markup {
  const rows = Object.entries(critics).flatMap(([name, { votes }]) =>
    votes.map(
      ({ by, vote, reason }) =>
        html`<tr><th>${name}</th><td>${by}</td><td>${vote}</td><td class="dim">${reason}</td></tr>`,
    ),
  );
  return html`<h2>Votes: ${result}</h2>\n<table>${rows}</table>`;
}

/** What people look at first: beauty where Blender made it, else the rasterizer's, and the shape of each in clay. */
function shownViews(pictures: readonly ReportPicture[]): ReportPicture[] {
  const names = [...new Set(pictures.map(({ view }) => view))];
  const pick = (view: string) => bestOf(pictures, view, ["beauty", "shaded"]);
  return [
    ...names.flatMap((view) => pick(view) ?? []),
    ...names.flatMap((view) => bestOf(pictures, view, ["clay"]) ?? []),
  ];
}

function bestOf(pictures: readonly ReportPicture[], view: string, styles: readonly ReportPicture["style"][]) {
  return styles.flatMap((style) => pictures.find((each) => each.view === view && each.style === style) ?? [])[0];
}

function figure({ view, style: how, png }: ReportPicture): Markup {
  const label = `${view.replaceAll("_", " ")}, ${how}`;
  const source = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  return html`<figure><img alt="${label}" src="${source}"><figcaption>${label}</figcaption></figure>`;
}

function actionCard(
  { action, priority, code, instructions }: GateVerdict["next_actions"][number],
  { failures }: GateVerdict,
  pictures: readonly ReportPicture[],
): Markup {
  const [first, ...rest] = instructions.split("\n");
  const steps = rest
    .filter((line) => /^\d+\. /.test(line))
    .map((line) => html`<li>${line.replace(/^\d+\. /, "")}</li>`);
  const other = rest.filter((line) => !/^\d+\. /.test(line)).map((line) => html`<p class="dim">${line}</p>`);
  const shown = code === undefined ? undefined : pictureFor(code, pictures);
  const tags = [code && (failures.hard.includes(code) ? "hard" : "soft"), `priority ${priority}`].filter(
    Boolean,
  ) as string[];
  return html`<article class="${shown ? "" : "plain"}"><div><h3>${code ?? action.replaceAll("_", " ")}${tags.map(
    (tag) => html`<span class="tag">${tag}</span>`,
  )}</h3>
<p>${first}</p>${other}${steps.length > 0 && html`<ol>${steps}</ol>`}</div>${shown && figure(shown)}</article>`;
}

/** The view and style that show best what a code is about; the first that fits. */
const shows: readonly [RegExp, view: string, styles: readonly ReportPicture["style"][]][] = [
  [/^GEO_WHEEL/, "close_wheel_front", ["clay"]],
  [/^GEO_ASYMMETRIC/, "front", ["clay"]],
  [/^GEO_(FLOATING|UPSIDE)/, "side_left", ["clay"]],
  [/^(GEO|GEOMETRY|CAT_CLAY)_/, "front_3q", ["clay"]],
  [/^(CAT|ALIGN|REAL|MAT|CATEGORY|ALIGNMENT|REALISM|MATERIAL)_/, "front_3q", ["beauty", "shaded"]],
];

function pictureFor(code: string, pictures: readonly ReportPicture[]): ReportPicture | undefined {
  if (code.endsWith("_NOT_RUN")) return undefined;
  const [, view, styles] = shows.find(([fits]) => fits.test(code)) ?? [];
  return view === undefined ? undefined : bestOf(pictures, view, styles!);
}

export const style = `
:root { color-scheme: light dark; --line: light-dark(#d8dce0, #3a3f45); --dim: light-dark(#5c6670, #9aa4ae);
  --pass: light-dark(#1a7f37, #57c977); --fail: light-dark(#b42318, #ff8b80); --escalate: light-dark(#8250df, #c297ff); }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; background: light-dark(#fff, #16191c); color: light-dark(#1c2126, #e6e9ec); }
main { max-width: 1080px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { font-size: 24px; margin: 0 0 4px; } h2 { font-size: 17px; margin: 34px 0 10px; }
.dim { color: var(--dim); } .verdict { font-weight: 700; text-transform: uppercase; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .escalate { color: var(--escalate); }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); }
td.number { font-variant-numeric: tabular-nums; width: 3.5em; } td.bar { width: 45%; }
.track { position: relative; height: 12px; background: light-dark(#eceff1, #2a2f34); border-radius: 3px; }
.track i { position: absolute; inset: 0 auto 0 0; border-radius: 3px; background: var(--pass); } .track i.low { background: var(--fail); }
.track b { position: absolute; top: -3px; bottom: -3px; width: 2px; background: light-dark(#1c2126, #e6e9ec); }
.views { display: grid; grid-template-columns: repeat(3, 1fr); gap: 10px; } figure { margin: 0; }
img { width: 100%; display: block; border: 1px solid var(--line); border-radius: 4px; background: #ebebeb; }
figcaption { font-size: 12.5px; color: var(--dim); padding-top: 3px; }
article { border: 1px solid var(--line); border-radius: 6px; padding: 12px 16px; margin: 0 0 12px; display: grid; gap: 6px 18px;
  grid-template-columns: 1fr 230px; } article.plain { grid-template-columns: 1fr; }
article h3 { font-size: 15px; margin: 0; } article p { margin: 4px 0; } article ol { margin: 4px 0 0; padding-left: 22px; }
.tag { font-size: 12px; border: 1px solid var(--line); border-radius: 10px; padding: 1px 8px; margin-left: 8px; color: var(--dim); font-weight: 400; }
@media (max-width: 700px) { .views { grid-template-columns: 1fr 1fr; } article { grid-template-columns: 1fr; } }
`;
