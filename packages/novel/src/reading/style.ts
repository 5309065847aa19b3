// How the page looks: as the report does, set for reading.

export const style = `
:root {
  color-scheme: light dark;
  --bg: #fbfbfa; --text: #1d1f23; --dim: #575d68; --rule: #dcdee3; --accent: #1d5ba8; --ins: #e0f3e6; --ins-text: #14532b; --bad: #a8231b;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --bg: #15171a; --text: #e6e7ea; --dim: #a6acb7; --rule: #343941; --accent: #8fbcf7; --ins: #16331f; --ins-text: #a9e4bc; --bad: #f3978f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); overflow-wrap: anywhere; font: 18px/1.65 Georgia, "Iowan Old Style", "Noto Serif", serif; }
main { max-width: 38rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1, h2, h3, nav, .note, .dim, .badge { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 0.4rem; text-wrap: balance; }
h2 { font-size: 1.25rem; margin: 4rem 0 1.2rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 2rem 0 0.6rem; }
p { margin: 0; white-space: pre-wrap; text-wrap: pretty; }
p + p { text-indent: 1.4em; }
.note, .dim { color: var(--dim); font-size: 0.85rem; text-indent: 0; margin: 0.5rem 0; }
nav { font-size: 0.9rem; margin: 1.5rem 0; }
nav ul { padding-left: 0; list-style: none; }
a { color: var(--accent); text-underline-offset: 0.15em; }
.badge { color: var(--ins-text); background: var(--ins); padding: 0 0.5em; border-radius: 1em; font-size: 0.75rem; }
hr { width: 4rem; margin: 1.6rem auto; border: 0; border-top: 1px solid var(--dim); }
ins { background: var(--ins); color: var(--ins-text); text-decoration: none; box-decoration-break: clone; }
del { color: var(--bad); text-decoration: none; cursor: help; font-weight: 700; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media print { body { font-size: 11pt; } main { max-width: none; padding: 0; } nav { display: none; } h2 { break-before: page; } }
`;
