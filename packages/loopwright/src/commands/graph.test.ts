// A loop as Mermaid: every transition is drawn, whatever the phases are called.

import { expect, it } from "vitest";
import { loopToMermaid } from "./graph.ts";

const run = () => ({ kind: "goto", to: "end", patch: {} }) as const;

it("draws each transition, each loop that is started, and each phase that only stops", () => {
  const phases = {
    "set up": { run, to: ["build"] },
    build: { run, to: ["set up", "end"], spawns: ["ask"] },
    end: { run, to: [] },
    "an older name of build": { run, to: ["end"] },
  };
  expect(loopToMermaid({ start: "set up", iteration: "build", phases }).split("\n")).toEqual([
    "flowchart TD",
    '  start((start)) --> p_set_up["set up"]',
    '  p_set_up["set up"] --> p_build["build"]',
    '  p_build["build"] --> p_set_up["set up"]',
    '  p_build["build"] --> p_end["end"]',
    '  p_build["build"] -.-> p_loop_ask[["ask"]]',
    '  p_end["end"] --> stop((stop))',
    "  style p_build stroke-width:3px",
  ]);
});

it("quotes a name that Mermaid would read otherwise", () => {
  const text = loopToMermaid({ start: 'a"b', iteration: 'a"b', phases: { 'a"b': { run, to: [] } } });
  expect(text).toContain('p_a_b["a#quot;b"]');
});
