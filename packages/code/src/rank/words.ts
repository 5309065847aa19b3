// The words of a task and how often files hold them: an identifier is a word, and so is each of its parts, however they are
// written together (`do_xmlattr`, `FileSystemLoader`). Pure.

const IDENTIFIER = /[A-Za-z_$][\w$]*/g;
const SHORTEST = 3;

/** Words that say nothing about a program, most of them of how people write about changes. */
const IDLE = new Set(
  `the and for with from that this these those when where which while what who why how not are was were has have had been being
  but can could should would will shall may might must does did done into onto over under upon than then there here them they their
  its our your you some any all each every both other others another such same only also just even still very more most less
  least much many few one two new old now use used uses using user users make makes made making get gets set sets add adds added
  adding remove removes removed fix fixes fixed fixing bug bugs issue issues patch patches change changes changed upstream debian
  commit author origin forwarded applied subject description date thanks note see http https www com org github because since
  before after without within between through about against via per like due instead otherwise however therefore allow allows
  allowed need needs needed case cases way ways work works file files code line lines self return true false none null import
  class def function const let var string value values name names type types error errors test tests`.split(/\s+/),
);

/** A word of a task, and what it weighs beside the others. */
export type Terms = ReadonlyMap<string, number>;

const CODE = 3;
const PART = 0.5;

/** The words of a task: names of code weigh more than prose, and parts of names less than the whole. */
export function termsOf(task: string): Terms {
  const quoted = new Set([...task.matchAll(/`([^`\n]+)`/g)].flatMap(([, text]) => text!.match(IDENTIFIER) ?? []));
  const terms = new Map<string, number>();
  const raise = (term: string, weight: number, isShort = false) => {
    if ((term.length >= SHORTEST || isShort) && !IDLE.has(term))
      terms.set(term, Math.max(terms.get(term) ?? 0, weight));
  };
  for (const word of new Set(task.match(IDENTIFIER) ?? [])) {
    const isCode = quoted.has(word) || isName(word) || new RegExp(`\\b${quotable(word)}\\(`).test(task);
    const [whole, ...parts] = wordsOf(word);
    raise(whole!, isCode ? CODE : 1, /^[A-Z]{2}$/.test(word));
    for (const part of parts) raise(part, PART);
  }
  return terms;
}

/** Whether a word is written as names in programs are and words of prose are not. */
export function isName(word: string): boolean {
  return /[a-z0-9]_[a-z0-9]|[a-z][A-Z]|^_+[a-z]|[A-Z]_[A-Z]/i.test(word) && /_|[a-z][A-Z]/.test(word);
}

function quotable(word: string): string {
  return word.replaceAll("$", "\\$");
}

/** An identifier as a word, then its parts where it has several; plurals as the singular. */
export function wordsOf(identifier: string): string[] {
  const parts = identifier.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  const whole = stemOf(identifier);
  return parts.length < 2 ? [whole] : [...new Set([whole, ...parts.map(stemOf)])];
}

function stemOf(word: string): string {
  const lower = word.toLowerCase();
  return lower.length > SHORTEST && /[^s]s$/.test(lower) ? lower.slice(0, -1) : lower;
}

/** The identifiers of a text, each once, and how often it stands there. */
export interface Identifiers {
  names: readonly string[];
  counts: Uint16Array;
}

/** One string for all that are the same: files share most of their words. */
const pool = new Map<string, string>();

export function identifiersIn(text: string): Identifiers {
  const counts = new Map<string, number>();
  for (const name of text.match(IDENTIFIER) ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts.keys()].map((name) => {
    const known = pool.get(name);
    if (known === undefined) pool.set(name, name);
    return known ?? name;
  });
  return { names, counts: Uint16Array.from(counts.values()) };
}

/** How often a text holds each of the terms; one counter serves many texts. */
export function termCounter(terms: Terms): (identifiers: Identifiers) => Map<string, number> {
  const known = new Map<string, readonly string[]>();
  const heard = (identifier: string) => {
    const found = wordsOf(identifier).filter((word) => terms.has(word));
    known.set(identifier, found);
    return found;
  };
  return ({ names, counts }) => {
    const found = new Map<string, number>();
    names.forEach((name, at) => {
      for (const term of known.get(name) ?? heard(name)) found.set(term, (found.get(term) ?? 0) + counts[at]!);
    });
    return found;
  };
}
