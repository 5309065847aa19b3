// What a TypeScript or JavaScript source does to whatever shares its process. Pure.

import type { Node } from "../tests/grammar.ts";
import { bare, type Imports, plainText, rootOf, scriptImports, unquoted } from "./names.ts";
import type { Hit } from "./scan.ts";

const RUNNERS = /^(?:node:)?(?:assert|test)(?:\/|$)|^(?:vitest|@vitest|chai|@jest|jest|mocha)(?:\/|$)/;
const SHOWN = /^(?:node:)?(?:inspector|v8|vm|test|module|worker_threads)(?:\/|$)|^vitest(?:\/|$)/;
const BUILTINS = [
  ...[
    "Object",
    "Function",
    "Array",
    "String",
    "Number",
    "Boolean",
    "Symbol",
    "BigInt",
    "Math",
    "JSON",
    "Reflect",
    "Proxy",
  ],
  ...["Error", "Promise", "Map", "Set", "WeakMap", "WeakSet", "RegExp", "Date", "Iterator"],
];
/** What a process tells its parent by. */
const PROCESS = /^process\.(?:stdout\.write|send|exit|reallyExit|emit|exitCode\[\])$/;
const SETS = /^(?:Object|Reflect)\.(?:defineProperty|defineProperties|assign|setPrototypeOf|set)$/;

export function scanScript(root: Node): Hit[] {
  const imports = scriptImports(root);
  return [
    ...importHits(root, imports),
    ...innerHits(root),
    ...patchHits(root, imports),
    ...equalHits(root),
    ...matcherHits(root, imports),
    ...textHits(root),
  ];
}

/** Values of the test libraries that match whatever they are compared with. */
function matcherHits(root: Node, imports: Imports): Hit[] {
  return root.descendantsOfType("call_expression").flatMap((node) => {
    const callee = node?.childForFieldName("function");
    const name = callee ? plainText(callee) : "";
    const isMatcher =
      callee && /\.(?:anything|any)$/.test(name) && RUNNERS.test(imports.get(rootOf(callee).text) ?? "");
    return node && isMatcher ? [{ code: "EQUALS_EVERYTHING", what: name, line: lineOf(node) }] : [];
  });
}

/** What runs a text as a program: one that is made, or a file that is no source by its name. */
function textHits(root: Node): Hit[] {
  return root.descendantsOfType(["call_expression", "new_expression"]).flatMap((node) => {
    const callee = node?.childForFieldName("function") ?? node?.childForFieldName("constructor");
    const name = callee ? plainText(callee).replace(/^(?:globalThis|global|window)\./, "") : "";
    const first = node?.childForFieldName("arguments")?.namedChildren[0];
    const isLoaded = /^(?:require|import)$/.test(name) && first && !isModuleName(first);
    const runs = /^(?:eval|Function)$/.test(name) || isLoaded;
    return node && runs ? [{ code: "RUNS_TEXT", what: name, line: lineOf(node) }] : [];
  });
}

/** A package, or a file with the name of a source; what is put together may be anything. */
function isModuleName(node: Node): boolean {
  if (node.type !== "string") return false;
  const name = unquoted(node.text);
  return (
    !/^data:/.test(name) && (!/^(?:\.|\/|file:)/.test(name) || /\.(?:[cm]?[jt]sx?|json|css)$|\/[^./]*$/.test(name))
  );
}

function importHits(root: Node, imports: Imports): Hit[] {
  const statements = root.descendantsOfType("import_statement");
  return [...new Set(imports.values())].flatMap((module) => {
    if (!SHOWN.test(module)) return [];
    const node = statements.find((each) => unquoted(each?.childForFieldName("source")?.text ?? "") === module);
    return [{ code: "LOOKS_INTO_PROCESS", what: module, line: lineOf(node ?? root) }];
  });
}

/** The names by which vitest and jest keep what they know, in the global object. */
function innerHits(root: Node): Hit[] {
  return root
    .descendantsOfType(["identifier", "property_identifier"])
    .flatMap((node) =>
      node && /^__vitest_\w+__$/.test(node.text)
        ? [{ code: "RUNNER_INTERNALS", what: node.text, line: lineOf(node) }]
        : [],
    );
}

function patchHits(root: Node, imports: Imports): Hit[] {
  const assigned = root
    .descendantsOfType(["assignment_expression", "augmented_assignment_expression"])
    .flatMap((node) => node?.childForFieldName("left") ?? [])
    .filter((left) => ["member_expression", "subscript_expression"].includes(bare(left).type));
  const set = root.descendantsOfType("call_expression").flatMap((node) => {
    const callee = node?.childForFieldName("function");
    const first = node?.childForFieldName("arguments")?.namedChildren[0];
    if (!callee || !first) return [];
    if (SETS.test(plainText(callee))) return [first];
    return /\.extend$/.test(plainText(callee)) && plainText(callee).startsWith("expect") ? [callee] : [];
  });
  return [...assigned.map((each) => ({ each, isSet: false })), ...set.map((each) => ({ each, isSet: true }))].flatMap(
    ({ each, isSet }) => {
      const name = plainText(each);
      const { text } = rootOf(each);
      const hit = { what: name, line: lineOf(each) };
      if (RUNNERS.test(imports.get(text) ?? "")) return [{ code: "RUNNER_PATCHED", ...hit }];
      if (imports.has(text)) return [];
      return isBuiltin(name, isSet) ? [{ code: "BUILTIN_PATCHED", ...hit }] : [];
    },
  );
}

/** Whether a path is of a built-in: its prototype, or itself. `globalThis.` before it makes no difference. */
function isBuiltin(name: string, isSet: boolean): boolean {
  const path = name.replace(/^(?:globalThis|global|window)\./, "");
  if (PROCESS.test(path)) return true;
  const [top = "", ...rest] = path.split(".");
  return BUILTINS.includes(top.replace("[]", "")) && (isSet || rest.length > 0 || top.endsWith("[]"));
}

/** An asymmetric matcher that matches whatever it is given. */
function equalHits(root: Node): Hit[] {
  const named = root.descendantsOfType(["method_definition", "pair", "public_field_definition"]).filter((node) => {
    const name = (node?.childForFieldName("name") ?? node?.childForFieldName("key"))?.text ?? "";
    const value = node?.childForFieldName("body") ?? node?.childForFieldName("value");
    return (
      unquoted(name) === "asymmetricMatch" &&
      /^(?:.*=>\s*)?(?:true|\{\s*return\s+true;?\s*\})$/s.test(value?.text ?? "")
    );
  });
  return named.flatMap((node) =>
    node ? [{ code: "EQUALS_EVERYTHING", what: "asymmetricMatch", line: lineOf(node) }] : [],
  );
}

function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}
