// How the page looks: quiet, in the system's own type, light or dark as the reader has it, on a phone and on paper.

/** The page's only style sheet. */
export const style = `
:root {
  color-scheme: light dark;
  --bg: #fbfbfa; --panel: #ffffff; --text: #1d1f23; --dim: #575d68; --rule: #dcdee3; --code: #f0f1f4;
  --accent: #1d5ba8; --good: #17643a; --warn: #7c5000; --bad: #a8231b; --ask: #63389a;
  --ins: #e0f3e6; --ins-text: #14532b; --del: #fbe5e3; --del-text: #7d1d17;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --bg: #15171a; --panel: #1c1f24; --text: #e6e7ea; --dim: #a6acb7; --rule: #343941; --code: #23272d;
    --accent: #8fbcf7; --good: #7fd0a0; --warn: #e6b768; --bad: #f3978f; --ask: #c5a9f2;
    --ins: #16331f; --ins-text: #a9e4bc; --del: #3b1e1c; --del-text: #f6b8b2;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--bg); color: var(--text); overflow-wrap: anywhere;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 58rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.9rem; margin: 0.15rem 0 0.6rem; letter-spacing: -0.015em; }
h2 { font-size: 1.25rem; margin: 3rem 0 0.9rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1.05rem; margin: 0; }
p { margin: 0.5rem 0; }
a { color: var(--accent); text-underline-offset: 0.15em; }
code, pre, .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.875em; }
.id, .dim, .note, .when, figcaption, time, small, dt, thead th, .next span, footer { color: var(--dim); }
.note, .when, .change, .next span, .files, .moments, figcaption, time, small, dt, thead th, footer { font-size: 0.85rem; }
.lead { font-size: 1.1rem; margin: 0.75rem 0; max-width: 46rem; text-wrap: pretty; }
.good, .pass, .done { color: var(--good); }
.warn, .fail, .ceiling, .stagnant { color: var(--warn); }
.bad, .failed, .failure { color: var(--bad); }
.escalate, .escalated, .waiting, .gate, .child { color: var(--ask); }
.badge {
  display: inline-block; padding: 0.05em 0.6em; border: 1.5px solid currentColor; border-radius: 1em;
  font-size: 0.8rem; font-weight: 650; line-height: 1.5; white-space: nowrap; letter-spacing: 0.01em;
}
.next { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.5rem; }
.next li { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 0.15rem 1.25rem; align-items: center; }
.next code { padding: 0.5rem 0.75rem; background: var(--code); border-radius: 6px; white-space: pre-wrap; }
.figures { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1.1rem 1.25rem; margin: 0; }
.figures dd { margin: 0; font-size: 1.3rem; font-weight: 600; }
.figures small { display: block; font-weight: 400; }
.chart { margin: 0; padding: 2.1rem 1.3rem 0.7rem 3.1rem; background: var(--panel); border: 1px solid var(--rule); border-radius: 8px; }
.chart figcaption { margin-top: 1.9rem; text-align: center; }
.curve { display: block; overflow: visible; }
.curve svg { overflow: visible; }
.grid { stroke: var(--rule); stroke-width: 1; }
.tick { fill: var(--dim); font-size: 12px; font-variant-numeric: tabular-nums; }
.mark { fill: var(--text); font-size: 12.5px; font-weight: 650; paint-order: stroke; stroke: var(--panel); stroke-width: 4px; stroke-linejoin: round; }
.line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
.dot { fill: var(--accent); stroke: var(--panel); stroke-width: 1.5; }
.dot.best { fill: var(--panel); stroke: var(--accent); stroke-width: 3; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 0 2.5rem; }
.scroll { overflow-x: auto; overflow-wrap: normal; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; font-weight: 400; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--rule); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.wide { width: 60%; min-width: 13rem; overflow-wrap: anywhere; }
.bar { display: block; min-width: 4rem; height: 6px; margin-top: 0.5em; border-radius: 3px; background: var(--rule); overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--accent); }
.bar .full { background: var(--warn); }
.result h2 { margin-top: 1.4rem; }
.result .pictures { grid-template-columns: repeat(auto-fit, minmax(min(100%, 12.5rem), 1fr)); }
.result img { max-height: 24rem; object-fit: contain; }
.result pre { max-height: 24rem; }
.result pre:not(.diff) { white-space: pre-wrap; overflow-wrap: anywhere; }
.legend { list-style: none; margin: 0.3rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; color: var(--text); }
.legend i { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em; border-radius: 2px; border: 1px solid var(--dim); vertical-align: -0.05em; }
.threshold { stroke: var(--good); stroke-width: 1.5; stroke-dasharray: 6 4; }
.passes { display: inline-block; margin-left: 0.8em; color: var(--good); }
.iteration, .rows { margin: 0; border-bottom: 1px solid var(--rule); }
.iteration > summary, .rows > summary { padding: 0.7rem 0; }
.iteration h3 { display: inline; }
article { padding: 0 0 1.6rem; scroll-margin-top: 3.5rem; }
.head > * { margin-right: 0.5rem; }
.score { font-size: 1.05rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.tag { font-size: 0.8rem; font-weight: 600; color: var(--accent); }
.findings, .moments, .files { list-style: none; margin: 0.6rem 0; padding: 0; }
.findings { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 0.6rem 1.5rem; }
.findings li { padding: 0.1rem 0 0.1rem 0.8rem; border-left: 3px solid var(--rule); font-size: 0.925rem; line-height: 1.45; }
.findings li.hard { border-left-color: var(--bad); }
.findings code { font-weight: 600; }
.findings p { margin: 0.1rem 0 0; }
.moments li { padding: 0.1rem 0; white-space: pre-line; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12.5rem), 1fr)); gap: 0.9rem; margin: 0.9rem 0; }
.pictures figure { margin: 0; min-width: 0; }
.pictures .broad { grid-column: 1 / -1; }
.pictures img {
  display: block; width: 100%; height: auto; border: 1px solid var(--rule); border-radius: 6px;
  background: #eceef1 conic-gradient(#e2e4e9 25%, transparent 0 50%, #e2e4e9 0 75%, transparent 0) 0 0 / 20px 20px;
}
details { margin: 0.4rem 0; }
summary { cursor: pointer; font-size: 0.9rem; padding: 0.15rem 0; }
pre {
  margin: 0.4rem 0 0.6rem; padding: 0.7rem 0.85rem; max-height: 32rem; overflow: auto; background: var(--code);
  border-radius: 6px; line-height: 1.45; tab-size: 2; overflow-wrap: normal; font-size: 0.8rem;
}
.diff ins, .diff del, .diff b { display: block; text-decoration: none; margin: 0 -0.85rem; padding: 0 0.85rem; min-width: max-content; }
.diff ins { background: var(--ins); color: var(--ins-text); }
.diff del { background: var(--del); color: var(--del-text); }
.diff b { color: var(--dim); font-weight: 400; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 30rem) {
  main { padding: 1.5rem 1rem 3rem; }
  .pictures { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: 0.6rem; }
  .result .pictures:has(.broad) { grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); }
  .result .pictures { grid-template-columns: repeat(2, 1fr); }
  .figures { grid-template-columns: repeat(2, 1fr); }
}
@media print {
  main { max-width: none; padding: 0; }
  figure, .findings li, tr { break-inside: avoid; }
  pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
}
`;
