// What a line or a flag says to a gate, by the gate's own choices and by the words that its package adds.

import { type Answer, type AnswerPolicy, type GateRecord, type GateWords, type Given, usage } from "@loopwright/core";

type Gates = Readonly<Record<string, GateWords>>;
type Gate = Pick<GateRecord, "name" | "choices" | "default">;

/** What --answer and --yes say to gates. */
export class FlagAnswers {
  readonly #given: Map<string, string>;
  readonly #asked = new Set<string>();
  readonly #takesDefaults: boolean;
  readonly #gates: Gates;

  constructor(given: Pick<Given, "list" | "isSet">, gates: Gates) {
    this.#given = new Map(given.list("answer").map(readFlag));
    this.#takesDefaults = given.isSet("yes");
    this.#gates = gates;
  }

  policy(gate: GateRecord): ReturnType<AnswerPolicy> {
    this.#asked.add(gate.name);
    const word = this.#given.get(gate.name);
    if (word === undefined) return this.#takesDefaults ? { choice: gate.default, by: "default" } : undefined;
    const choice = readChoice(gate, word, this.#gates);
    if (choice === undefined) throw usage(`--answer ${gate.name}=${word}: the gate offers ${gate.choices.join(", ")}`);
    return { choice, by: "flag" };
  }

  /** Whether a gate needs nobody's answer: it is answered, or refused, at once. */
  knows({ name }: GateRecord): boolean {
    return this.#takesDefaults || this.#given.has(name);
  }

  /** What to say of answers to gates that never came; a misspelt name would otherwise go unnoticed. */
  unused(waiting: GateRecord | undefined): string[] {
    const names = [...this.#given.keys()].filter((name) => !this.#asked.has(name));
    const hint = waiting ? `; the run waits at '${waiting.name}'` : "";
    return names.map((name) => `--answer ${name}: no gate of that name was asked${hint}`);
  }
}

function readFlag(given: string): [string, string] {
  const at = given.indexOf("=");
  if (at < 1 || at === given.length - 1)
    throw usage(`--answer wants GATE=CHOICE, such as --answer accept=yes, not '${given}'`);
  return [given.slice(0, at), given.slice(at + 1)];
}

/** An answer as it is typed: a choice, or a choice and a note, such as `no: too slow`; undefined to ask again. */
export function readAnswer(gate: Gate, line: string, gates: Gates = {}): Answer | undefined {
  const choice = readChoice(gate, line, gates);
  if (choice !== undefined) return { choice };
  const about = gates[gate.name]?.noted?.find((each) => line.trim().toLowerCase().startsWith(`${each} `));
  if (about !== undefined) return { choice: about, note: line.trim().slice(about.length).trim() };
  const [, word = "", note = ""] = /^([^:]+):\s*(\S.*)$/s.exec(line.trim()) ?? [];
  const noted = word === "" ? undefined : readChoice(gate, word, gates);
  return noted === undefined ? undefined : { choice: noted, note };
}

/** The choice that a line means: its word, another word for it, its number, or an unambiguous beginning; undefined to ask
 * again. An empty line means the default, unless the gate's words say otherwise. */
export function readChoice(gate: Gate, line: string, gates: Gates = {}): string | undefined {
  const { empty = gate.default } = wordsOf(gate, gates);
  if (wordOf(line) === "") return gate.choices.find((choice) => choice === empty);
  const fitting = fittingChoices(gate, line, gates);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Why a line is no answer: it fits none of the choices, or more than one, which are named. */
export function refuseAnswer(gate: Gate, line: string, gates: Gates = {}): string {
  const { unlisted = [] } = wordsOf(gate, gates);
  const all = gate.choices.filter((choice) => !unlisted.includes(choice)).join(", ");
  const word = wordOf(line) === "" ? "" : line.trim();
  if (word === "") return `Please answer with one of: ${all}`;
  const fitting = fittingChoices(gate, word, gates);
  if (fitting.length < 2) return `'${word}' is none of: ${all}`;
  return `'${word}' fits ${fitting.slice(0, -1).join(", ")} and ${fitting.at(-1)}: type more of it`;
}

function wordsOf({ name }: Gate, gates: Gates): GateWords {
  return (Object.hasOwn(gates, name) && gates[name]) || {};
}

/** The choices that a line may mean: the one whose word it is, else those that begin with it. */
function fittingChoices(gate: Gate, line: string, gates: Gates): string[] {
  const { synonyms = {} } = wordsOf(gate, gates);
  const word = wordOf(line);
  const known = new Map([
    ...gate.choices.map((choice) => [wordOf(choice), choice] as const),
    ...Object.entries(synonyms).filter(([, choice]) => gate.choices.includes(choice)),
  ]);
  const exact = known.get(word) ?? numbered(gate.choices, word);
  if (exact !== undefined) return [exact];
  return [...new Set([...known].filter(([name]) => name.startsWith(word)).map(([, choice]) => choice))];
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
