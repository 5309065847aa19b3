// What a source imports, in every way there is: statements, re-exports, import(), require, resolve, types.

import { type Token, tokensOf } from "./tokens.ts";

export interface Import {
  /** The name or path as it is written. */
  target: string;
  line: number;
  /** "load" when the other file runs first; a type is erased, and a lazy import waits until it is asked for. */
  kind: "load" | "type" | "lazy";
}

/** A source's imports, and the names that an import with a computed name could come to. */
export function importsOf(source: string): { imports: Import[]; mentions: string[] } {
  const tokens = tokensOf(source);
  const loaders = new Set(["require", ...namesOfRequires(tokens)]);
  const imports: Import[] = [];
  let computes = false;

  const called = (open: number, kind: Import["kind"]) => {
    if (!is(tokens[open], "(")) return;
    const [name, after] = [tokens[open + 1], tokens[open + 2]];
    if (name?.kind === "text" && (is(after, ")") || is(after, ","))) {
      imports.push({ target: name.value, line: name.line, kind });
    } else computes = true;
  };
  const calledOrResolved = (at: number, kind: Import["kind"]) =>
    called(is(tokens[at], ".") && is(tokens[at + 1], "resolve") ? at + 2 : at, kind);

  for (const [at, { kind, value }] of tokens.entries()) {
    if (kind !== "word" || is(tokens[at - 1], ".")) continue;
    const next = tokens[at + 1];
    if (value === "import" && next?.kind === "text") {
      imports.push({ target: next.value, line: next.line, kind: "load" });
    } else if (value === "import" && is(next, "(")) {
      called(at + 1, "lazy");
    } else if (value === "import" && is(next, ".")) {
      if (is(tokens[at + 2], "meta") && is(tokens[at + 4], "resolve")) called(at + 5, "lazy");
    } else if (value === "import" || value === "export") {
      const found = statement(tokens, at);
      if (found) imports.push(found);
    } else if (value === "createRequire") {
      calledOrResolved(afterCall(tokens, at + 1), "lazy");
    } else if (loaders.has(value)) {
      calledOrResolved(at + 1, "load");
    }
  }
  const mentions = computes ? tokens.filter(({ kind }) => kind === "text").map(({ value }) => value) : [];
  return { imports, mentions };
}

/** `import … from "x"` or `export … from "x"`; nothing when the statement is another one. */
function statement(tokens: Token[], start: number): Import | undefined {
  const [first, second] = [tokens[start + 1], tokens[start + 2]];
  const isType = is(first, "type") && !is(second, ",") && !is(second, "from");
  for (let at = start + 1; at < tokens.length; at++) {
    const token = tokens[at]!;
    const next = tokens[at + 1];
    if (is(token, "from") && next?.kind === "text") {
      return { target: next.value, line: next.line, kind: isType ? "type" : "load" };
    }
    if (is(token, "import") || is(token, "export")) return undefined;
    if (token.kind === "mark" && !"{},*".includes(token.value)) return undefined;
  }
  return undefined;
}

/** The names in `const name = createRequire(…)`. */
function namesOfRequires(tokens: Token[]): string[] {
  return tokens.flatMap((token, at) =>
    is(token, "createRequire") && is(tokens[at - 1], "=") && tokens[at - 2] ? [tokens[at - 2]!.value] : [],
  );
}

/** The place behind the bracket that closes the one at `open`. */
function afterCall(tokens: Token[], open: number): number {
  if (!is(tokens[open], "(")) return tokens.length;
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (is(tokens[at], "(")) depth++;
    if (is(tokens[at], ")") && --depth === 0) return at + 1;
  }
  return tokens.length;
}

function is(token: Token | undefined, value: string): boolean {
  return token !== undefined && token.kind !== "text" && token.value === value;
}
