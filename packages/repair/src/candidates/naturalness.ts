// How well an edit fits in with the rest of the program: it says again what the program says elsewhere, or it uses what the
// program has made and never uses.

import type { Change } from "./edits/proposal.ts";
import type { Syntax } from "./syntax/tree.ts";
import { isTarget } from "./syntax/value.ts";
import type { Scene } from "./words/scene.ts";

const word = /[A-Za-z_$][\w$]*|\d[\w.]*|"[^"\n]*"|'[^'\n]*'|[^\s\w]/g;
/** Each trigram that the program knows makes an edit so much likelier, in bits; at most so much in all. */
const KNOWN = 0.35;
const MOST_KNOWN = 1.2;
/** What sets a value against itself makes no sense: so much less likely. */
const IDLE = 4;
const idle =
  /(?<![\w.$)\]])([\w.$]*[a-zA-Z_$][\w.$]*(?:\(\))?) (?:-|\/|\/\/|%|<|>|<=|>=|={1,3}|!==?|and|or|&&|\|\||\?\?) \1(?![\w.$([])/;
/** What uses a name that is made and never read is so much likelier. */
const UNUSED = 1.5;

/** What is usual in a file. */
export class Naturalness {
  readonly #text: string;
  readonly #counts = new Map<string, number>();
  readonly #unused: ReadonlySet<string>;

  constructor(scene: Scene) {
    this.#text = scene.source.text;
    for (const trigram of trigramsOf(wordsOf(this.#text)))
      this.#counts.set(trigram, (this.#counts.get(trigram) ?? 0) + 1);
    this.#unused = unusedNames(scene.source.root, scene);
  }

  /** How much likelier an edit is for fitting in, in bits; less than 0 where it makes no sense. */
  gain(changes: readonly Change[]): number {
    const [first] = changes;
    if (!first || first.text === "") return 0;
    return this.#fits(first) - (changes.length === 1 && this.#isIdle(first) ? IDLE : 0);
  }

  #isIdle({ start, end, text }: Change): boolean {
    const from = this.#text.lastIndexOf("\n", start - 1) + 1;
    const lineEnd = this.#text.indexOf("\n", end);
    const to = lineEnd < 0 ? this.#text.length : lineEnd;
    const after = this.#text.slice(from, start) + text + this.#text.slice(end, to);
    return idle.test(after) && !idle.test(this.#text.slice(from, to));
  }

  #fits(first: Change): number {
    const { start, end, text } = first;
    const before = wordsOf(this.#text.slice(Math.max(0, start - 60), start)).slice(-2);
    const after = wordsOf(this.#text.slice(end, end + 60)).slice(0, 2);
    const replaced = new Set(trigramsOf([...before, ...wordsOf(this.#text.slice(start, end)), ...after]));
    const made = trigramsOf([...before, ...wordsOf(text), ...after]).filter((trigram) => !replaced.has(trigram));
    const known = made.filter((trigram) => this.#counts.has(trigram)).length;
    const share = made.length === 0 ? 0 : known / made.length;
    const usesUnused = wordsOf(text).some((each) => this.#unused.has(each));
    return Math.min(MOST_KNOWN, KNOWN * known * (0.5 + share)) + (usesUnused ? UNUSED : 0);
  }
}

function wordsOf(text: string): string[] {
  return text.match(word) ?? [];
}

function trigramsOf(words: readonly string[]): string[] {
  return words.slice(2).map((last, at) => `${words[at]} ${words[at + 1]} ${last}`);
}

/** Names that are declared, imported or set, and never read. */
function unusedNames(root: Syntax, scene: Scene): Set<string> {
  const read = new Set<string>();
  const made = new Set<string>();
  for (const node of root.walk()) {
    if (node.role === "member" && node.child("object")?.text === scene.words.self) {
      (isTarget(node) ? made : read).add(node.child("property")!.text);
    } else if (node.role === "name" || node.type === "shorthand_property_identifier") {
      if (scene.isDeclaration(node)) made.add(node.text);
      else if (!isTarget(node)) read.add(node.text);
    }
  }
  return new Set([...made].filter((text) => !read.has(text) && text.length > 1 && !text.startsWith("_")));
}
