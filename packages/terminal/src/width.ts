// How wide a text stands in a terminal. The tables for that take longer to load than most commands take to run, so they
// are loaded for the first text that needs them.

import { createRequire } from "node:module";

let measure: ((text: string) => number) | undefined;

/** The columns that a text takes; escape codes take none. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  measure ??= createRequire(import.meta.url)("string-width").default as (text: string) => number;
  return measure(text);
}
