// Syntax trees of source files, by tree-sitter's WebAssembly; a grammar is loaded when a file first needs it.

import { fileURLToPath } from "node:url";
import type { Node, Parser } from "web-tree-sitter";

export type { Node, Parser };

/** Copied by scripts/vendor.ts: the packages that hold them are ten times as large. */
const files = {
  python: "tree-sitter-python/tree-sitter-python.wasm",
  typescript: "tree-sitter-typescript/tree-sitter-typescript.wasm",
  tsx: "tree-sitter-typescript/tree-sitter-tsx.wasm",
};

/** A language that can be parsed. */
export type Grammar = keyof typeof files;

const parsers = new Map<Grammar, Promise<Parser>>();
let library: Promise<typeof import("web-tree-sitter")> | undefined;

/** The grammar that a file's name speaks for. */
export function grammarOf(path: string): Grammar | undefined {
  if (/\.pyi?$/i.test(path)) return "python";
  if (/\.[cm]?ts$/i.test(path)) return "typescript";
  return /\.(?:[cm]?js|[jt]sx)$/i.test(path) ? "tsx" : undefined;
}

/** Parses a source, and reads its tree while it lasts; undefined where it is nested more deeply than can be read. */
export async function withTree<T>(grammar: Grammar, source: string, read: (root: Node) => T): Promise<T | undefined> {
  const parser = parsers.get(grammar) ?? openParser(grammar);
  parsers.set(grammar, parser);
  const tree = (await parser).parse(source);
  if (!tree) return undefined;
  try {
    return read(tree.rootNode);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  } finally {
    tree.delete();
  }
}

async function openParser(grammar: Grammar): Promise<Parser> {
  library ??= import("web-tree-sitter").then(async (module) => {
    await module.Parser.init();
    return module;
  });
  const { Language, Parser } = await library;
  const parser = new Parser();
  parser.setLanguage(await Language.load(fileURLToPath(new URL(`../../vendor/${files[grammar]}`, import.meta.url))));
  return parser;
}
