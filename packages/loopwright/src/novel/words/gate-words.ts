// The gates of the novel loop as a writer is asked them: their words, and what an answer means.

import type { AnswerPolicy, GateRecord } from "@loopwright/core";
import { usage } from "../../arguments/read-arguments.ts";

/** The seed's words for each gate; one that is not known is asked in its own. */
const questions: Readonly<Record<string, string>> = {
  downstream: "Action:",
  continue: "Continue with judge feedback?",
  detail: "View detailed text diff?",
  accept: "Accept these changes?",
};

/** What an empty line means; where nothing is named it is asked again, so that no work is lost by one key too many. */
const emptyLine: Readonly<Record<string, string>> = { detail: "skip" };

/** Other words for a gate's choices. */
const synonyms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  downstream: { yes: "cull-all", no: "keep-all" },
};

/** More choices than this are not all listed. */
const MOST_LISTED = 12;

type Gate = Pick<GateRecord, "name" | "question" | "choices">;

/** `Accept these changes? (yes/no/diff): ` */
export function questionOf({ name, question, choices }: Gate): string {
  // An attempt without a usable form never came before the judge.
  const isUnjudged = name === "continue" && !choices.includes("view-partial");
  const words = isUnjudged ? "Try again?" : Object.hasOwn(questions, name) ? questions[name] : question;
  return `${words} (${listed(choices)}): `;
}

function listed(choices: readonly string[]): string {
  if (choices.length <= MOST_LISTED) return choices.join("/");
  return [...choices.slice(0, MOST_LISTED - 3), "…", ...choices.slice(-2)].join("/");
}

/** The choice that a line means: its word, an unambiguous beginning, or another word for it; undefined to ask again. */
export function readChoice(gate: Gate, line: string): string | undefined {
  const word = line.trim().toLowerCase().replace(/\s+/g, "-");
  if (word === "") return Object.hasOwn(emptyLine, gate.name) ? emptyLine[gate.name] : undefined;
  const others = Object.hasOwn(synonyms, gate.name) ? synonyms[gate.name]! : {};
  const known = new Map([
    ...gate.choices.map((choice) => [choice.toLowerCase(), choice] as const),
    ...Object.entries(others),
  ]);
  const exact = known.get(word) ?? known.get(word.replace(/^(?:chapter-?)?0*(\d+)$/, "chapter-$1"));
  if (exact !== undefined) return exact;
  const fitting = new Set([...known].filter(([name]) => name.startsWith(word)).map(([, choice]) => choice));
  return fitting.size === 1 ? [...fitting][0] : undefined;
}

/** What `--answer` and `--yes` say to a gate; undefined where neither is given. */
export function answerPolicy(given: readonly string[], takesDefaults: boolean): AnswerPolicy | undefined {
  const answers = new Map(given.map(readAnswer));
  if (answers.size === 0 && !takesDefaults) return undefined;
  return (gate) => {
    const word = answers.get(gate.name);
    if (word === undefined) return takesDefaults ? { choice: gate.default, by: "default" } : undefined;
    const choice = readChoice(gate, word);
    if (choice === undefined) throw usage(`--answer ${gate.name}=${word}: the gate offers ${gate.choices.join(", ")}`);
    return { choice, by: "flag" };
  };
}

function readAnswer(given: string): [string, string] {
  const at = given.indexOf("=");
  if (at < 1 || at === given.length - 1)
    throw usage(`--answer wants GATE=CHOICE, such as --answer accept=yes, not '${given}'`);
  return [given.slice(0, at), given.slice(at + 1)];
}
