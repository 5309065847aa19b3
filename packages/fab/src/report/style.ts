// How the page looks, by day and by night.

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
