// What is worked out of a file's text, kept by the text's hash: a second look at a file that has not changed costs no more than that.

import { sha256 } from "@loopwright/core";

const MOST_KEPT = 20_000;

export class Kept<Value> {
  readonly #values = new Map<string, Value>();

  /** What is known of a text under a kind, worked out where it is not. The oldest goes where there are too many. */
  of(kind: string, text: string, work: () => Value): Value {
    const key = `${kind} ${sha256(text)}`;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = work();
    if (this.#values.size >= MOST_KEPT) this.#values.delete(this.#values.keys().next().value!);
    this.#values.set(key, value);
    return value;
  }
}
