// What a line or a flag says to a gate, by the gate's own choices and by the words that its package adds.

import { type AnswerPolicy, type GateRecord, type GateWords, type Given, usage } from "@loopwright/core";

type Gates = Readonly<Record<string, GateWords>>;
type Gate = Pick<GateRecord, "name" | "choices" | "default">;

/** What --answer and --yes say to a gate; undefined where neither is given. */
export function answerPolicy(given: Pick<Given, "list" | "isSet">, gates: Gates): AnswerPolicy | undefined {
  const answers = new Map(given.list("answer").map(readAnswer));
  const takesDefaults = given.isSet("yes");
  if (answers.size === 0 && !takesDefaults) return undefined;
  return (gate) => {
    const word = answers.get(gate.name);
    if (word === undefined) return takesDefaults ? { choice: gate.default, by: "default" } : undefined;
    const choice = readChoice(gate, word, gates);
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

/** The choice that a line means: its word, another word for it, its number, or an unambiguous beginning; undefined to ask
 * again. An empty line means the default, unless the gate's words say otherwise. */
export function readChoice(gate: Gate, line: string, gates: Gates = {}): string | undefined {
  const { synonyms = {}, empty = gate.default } = (Object.hasOwn(gates, gate.name) && gates[gate.name]) || {};
  const word = wordOf(line);
  if (word === "") return empty ?? undefined;
  const known = new Map([
    ...gate.choices.map((choice) => [wordOf(choice), choice] as const),
    ...Object.entries(synonyms),
  ]);
  const exact = known.get(word) ?? numbered(gate.choices, word);
  if (exact !== undefined) return exact;
  const fitting = new Set([...known].filter(([name]) => name.startsWith(word)).map(([, choice]) => choice));
  return fitting.size === 1 ? [...fitting][0] : undefined;
}

/** `View  Partial` → `view-partial`, `chapter 03` → `chapter-3` */
function wordOf(text: string): string {
  const word = text.trim().toLowerCase().replace(/\s+/g, "-");
  return word.replace(/^(.*[a-z])-?0*(\d+)$/, "$1-$2");
}

/** The only choice that ends in this number. */
function numbered(choices: readonly string[], word: string): string | undefined {
  if (!/^\d+$/.test(word)) return undefined;
  const fitting = choices.filter((choice) => wordOf(choice).endsWith(`-${Number(word)}`));
  return fitting.length === 1 ? fitting[0] : undefined;
}
