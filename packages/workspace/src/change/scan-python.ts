// What a Python source does to whatever shares its process. Pure.

import type { Node } from "../tests/grammar.ts";
import { type Imports, plainText, pythonImports, rootOf, unquoted } from "./names.ts";
import type { Hit } from "./scan.ts";

const RUNNERS = /^(?:_pytest|pytest|unittest|pluggy)(?:\.|$)/;
const BUILTINS = ["builtins", "__builtin__", "__builtins__"];
const SHOWN = /^(?:inspect|gc|ctypes|unittest|pytest)$/;
const FRAMES = ["_getframe", "currentframe", "f_back", "f_locals", "f_globals", "settrace", "setprofile"];

export function scanPython(root: Node): Hit[] {
  const imports = pythonImports(root);
  return [...importHits(root), ...patchHits(root, imports), ...equalHits(root), ...frameHits(root)];
}

function importHits(root: Node): Hit[] {
  const named = root.descendantsOfType(["import_statement", "import_from_statement"]).flatMap((node) => {
    if (!node) return [];
    const module = node.childForFieldName("module_name");
    const names = module
      ? [module]
      : node.childrenForFieldName("name").map((each) => each?.childForFieldName("name") ?? each);
    return names.flatMap((each) => (each ? moduleHit(each.text, node) : []));
  });
  const loaded = root
    .descendantsOfType("string")
    .flatMap((node) => (node && namesModule(node) ? innerHit(unquoted(node.text), node) : []));
  return [...named, ...loaded];
}

function moduleHit(module: string, node: Node): Hit[] {
  const [top = ""] = module.split(".");
  if (SHOWN.test(top)) return [{ code: "LOOKS_INTO_PROCESS", what: top, line: lineOf(node) }];
  return innerHit(module, node);
}

function innerHit(module: string, node: Node): Hit[] {
  return /^_pytest(?:\.|$)/.test(module) ? [{ code: "RUNNER_INTERNALS", what: "_pytest", line: lineOf(node) }] : [];
}

/** Whether a string is what `__import__`, `import_module` or `sys.modules[…]` is given. */
function namesModule(node: Node): boolean {
  let { parent } = node;
  while (parent && ["argument_list", "binary_operator", "keyword_argument"].includes(parent.type))
    parent = parent.parent;
  if (parent?.type === "call")
    return /(?:^|\.)(?:__import__|import_module|find_spec)$/.test(parent.childForFieldName("function")?.text ?? "");
  return parent?.type === "subscript" && /\bmodules$/.test(parent.childForFieldName("value")?.text ?? "");
}

function patchHits(root: Node, imports: Imports): Hit[] {
  const targets = root
    .descendantsOfType(["assignment", "augmented_assignment"])
    .flatMap((node) => node?.childForFieldName("left") ?? [])
    .flatMap((left) => (left.type === "pattern_list" ? left.namedChildren.flatMap((each) => each ?? []) : [left]))
    .filter(({ type }) => type === "attribute" || type === "subscript");
  const set = root.descendantsOfType("call").flatMap((node) => {
    const callee = node?.childForFieldName("function")?.text ?? "";
    const first = node?.childForFieldName("arguments")?.namedChildren[0];
    return /^(?:setattr|delattr|vars)$/.test(callee) && first ? [first] : [];
  });
  return [...targets, ...set].flatMap((target) => {
    const { text } = rootOf(target);
    const module = imports.get(text) ?? text;
    if (BUILTINS.includes(module)) return [{ code: "BUILTIN_PATCHED", what: plainText(target), line: lineOf(target) }];
    return imports.has(text) && RUNNERS.test(module)
      ? [{ code: "RUNNER_PATCHED", what: plainText(target), line: lineOf(target) }]
      : [];
  });
}

/** `__eq__` that is True whatever it is given: as a method, as a lambda, in the dictionary of a class that is made. */
function equalHits(root: Node): Hit[] {
  const methods = root.descendantsOfType("function_definition").filter((node) => {
    const [only, ...rest] = (node?.childForFieldName("body")?.namedChildren ?? []).filter(
      (each) => each && !isWords(each),
    );
    return (
      node?.childForFieldName("name")?.text === "__eq__" &&
      rest.length === 0 &&
      /^return\s+True$/.test(only?.text ?? "")
    );
  });
  const lambdas = root.descendantsOfType("lambda").filter((node) => {
    const { parent } = node!;
    const name =
      (parent?.childForFieldName("left") ?? parent?.childForFieldName("key") ?? parent?.childForFieldName("name"))
        ?.text ?? "";
    return unquoted(name).split(".").at(-1) === "__eq__" && node?.childForFieldName("body")?.text === "True";
  });
  return [...methods, ...lambdas].flatMap((node) =>
    node ? [{ code: "EQUALS_EVERYTHING", what: `__eq__ of ${classOf(node)}`, line: lineOf(node) }] : [],
  );
}

function isWords(node: Node): boolean {
  return node.type === "comment" || (node.type === "expression_statement" && node.namedChildren[0]?.type === "string");
}

function classOf(node: Node): string {
  for (let at = node.parent; at; at = at.parent)
    if (at.type === "class_definition") return at.childForFieldName("name")?.text ?? "a class";
  return "a class";
}

function frameHits(root: Node): Hit[] {
  return root.descendantsOfType("attribute").flatMap((node) => {
    const name = node?.childForFieldName("attribute")?.text ?? "";
    return node && FRAMES.includes(name) ? [{ code: "LOOKS_INTO_PROCESS", what: name, line: lineOf(node) }] : [];
  });
}

function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}
