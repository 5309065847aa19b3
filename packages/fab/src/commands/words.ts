// A verdict in words: scores against what is needed, then what was found and what to do, the most urgent first. Texts in it may be
// an asset's, a gate's or a model's.

import type { Style } from "@loopwright/core";
import { plainLine, showScore } from "@loopwright/terminal";
import type { GateVerdict } from "../verdict/gate-verdict.ts";

type Paint = (style: Style, text: string) => string;

const colors = { pass: "green", fail: "red", escalate: "magenta" } as const;

/** The lines of a verdict. */
export function verdictToLines(verdict: GateVerdict, paint: Paint): string[] {
  const { scores, floor_violations: below, next_actions: actions } = verdict;
  const head = `${paint(["bold", colors[verdict.verdict]], verdict.verdict.toUpperCase())}  ${plainLine(verdict.verdict_reason)}`;
  const overall = row("overall", scores.overall, `needs ${scores.threshold.toFixed(2)}`);
  const critics = Object.entries(scores.by_critic).map(([name, score]) => {
    const under = below.find(({ critic }) => critic === name);
    if (score === null) return row(name, undefined, paint("dim", "not judged"));
    return row(name, score, under ? paint("red", `below its floor of ${under.floor.toFixed(2)}`) : "");
  });
  const notes = verdict.notes.map((note) => paint("dim", `  ${plainLine(note)}`));
  const todo = actions.flatMap(({ action, priority, instructions, code }) => {
    const [first, ...rest] = instructions.split("\n").map(plainLine);
    return [
      "",
      `  ${priority}  ${paint("bold", code ?? action.replaceAll("_", " "))}  ${first}`,
      ...rest.map((line) => `     ${line}`),
    ];
  });
  return ["", head, overall, ...critics, ...notes, ...todo];
}

function row(name: string, score: number | undefined, words: string): string {
  return `  ${name.padEnd(11)}${score === undefined ? "   –" : showScore(score, 2)}  ${words}`.trimEnd();
}
