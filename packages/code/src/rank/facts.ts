// What is known of a source file without its task: the names that it defines and uses, and what it imports. It is read by patterns, as a
// tree of every file of a repository would take seconds, and kept by the file's content, so that a second look costs a hash.

import { sha256 } from "@loopwright/core";
import type { FileBlock } from "@loopwright/workspace";
import { grammarOf } from "@loopwright/workspace/grammar";

export interface Facts {
  /** Functions, classes, methods and the like, with the line that each begins on, from 1. */
  definitions: readonly { name: string; line: number }[];
  /** What it imports, as it is written there: `..utils.text`, `./a.ts`, `lodash`. */
  imports: readonly string[];
  /** Of a language that is read. */
  identifiers?: Identifiers;
}

/** The identifiers of a text, each with how often it stands there. */
export type Identifiers = ReadonlyMap<string, number>;

export const IDENTIFIER = /[A-Za-z_$][\w$]*/g;

export function identifiersIn(text: string): Identifiers {
  const counts = new Map<string, number>();
  for (const name of text.match(IDENTIFIER) ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const NOTHING: Facts = { definitions: [], imports: [] };
const kept = new Map<string, Facts>();

/** The facts of a file; nothing for a language that is not read. */
export function factsOf({ path, content }: FileBlock): Facts {
  const grammar = grammarOf(path);
  if (grammar === undefined) return NOTHING;
  const isPython = grammar === "python";
  const key = sha256(`${isPython} ${content}`);
  const facts = kept.get(key) ?? {
    definitions: definitionsIn(content, isPython ? PYTHON : SCRIPT),
    imports: isPython ? pythonImports(content) : scriptImports(content),
    identifiers: identifiersIn(content),
  };
  kept.set(key, facts);
  return facts;
}

const PYTHON = /^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)/gm;
const SCRIPT =
  /^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:(?:async[ \t]+)?function\*?|class|interface|enum|type)[ \t]+([\w$]+)|^[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+([\w$]+)[^=\n]*=|^[ \t]*(?:[\w$]+\.)+([\w$]+)[ \t]*=[ \t]*(?:async[ \t]*)?(?:function\b|\()|^[ \t]+(?:(?:async|static|get|set|public|protected|private|readonly)[ \t]+)*([\w$#]+)[ \t]*\([^()\n]*\)[^;\n]*\{[ \t]*$/gm;

const NO_NAME = /^(?:if|for|while|switch|catch|with|return|function)$/;

function definitionsIn(content: string, pattern: RegExp): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = [];
  let [line, at] = [1, 0];
  for (const match of content.matchAll(pattern)) {
    const name = match.slice(1).find((group) => group !== undefined)!;
    if (NO_NAME.test(name)) continue;
    for (let next = content.indexOf("\n", at); next >= 0 && next < match.index; next = content.indexOf("\n", at)) {
      line += 1;
      at = next + 1;
    }
    found.push({ name, line });
  }
  return found;
}

/** `from a import b` may mean the module a.b, so both are given. */
function pythonImports(content: string): string[] {
  const found: string[] = [];
  for (const [, module, names] of content.matchAll(
    /^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n;#]+)/gm,
  )) {
    const parts = names!.match(/\w+(?:[ \t]+as[ \t]+\w+)?/g) ?? [];
    const prefix = module!.endsWith(".") ? module! : `${module}.`;
    found.push(module!, ...parts.map((part) => prefix + part.split(/\s/, 1)[0]!));
  }
  for (const [, names] of content.matchAll(/^[ \t]*import[ \t]+([\w., \t]+)/gm))
    found.push(...names!.split(",").map((part) => part.trim().split(/\s/, 1)[0]!));
  return [...new Set(found)].filter((each) => each !== "");
}

function scriptImports(content: string): string[] {
  const pattern = /\b(?:from|require\(|import\(|import)\s*["']([^"'\n]+)["']/g;
  return [...new Set([...content.matchAll(pattern)].map(([, from]) => from!))];
}
