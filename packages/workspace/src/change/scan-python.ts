// What a Python source does to whatever shares its process. Pure.

import type { Node } from "../tests/grammar.ts";
import { type Imports, plainText, pythonImports, rootOf, unquoted } from "./names.ts";
import type { Hit } from "./scan.ts";

const RUNNERS = /^(?:_pytest|pytest|unittest|pluggy)(?:\.|$)/;
const BUILTINS = ["builtins", "__builtin__", "__builtins__"];
const SHOWN = /^(?:inspect|gc|ctypes|unittest|pytest|runpy|code|codeop|marshal|importlib)$/;
/** What of importlib is about files of a package. */
const PLAIN_IMPORTS = /^importlib\.(?:metadata|resources|abc)(?:\.|$)/;
const FRAMES = [
  ...["_getframe", "_current_frames", "currentframe", "f_back", "f_locals", "f_globals", "settrace", "setprofile"],
  ...["addaudithook", "monitoring", "meta_path", "path_hooks", "__globals__", "__code__", "__subclasses__", "_exit"],
];
/** What runs a text as a program. */
const RUNS_TEXT = /^(?:exec|eval|compile|__import__)$/;

export function scanPython(root: Node): Hit[] {
  const imports = pythonImports(root);
  return [
    ...encodingHits(root),
    ...importHits(root),
    ...patchHits(root, imports),
    ...equalHits(root),
    ...matcherHits(root, imports),
    ...frameHits(root),
  ];
}

const ENCODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
/** Encodings in which what is code is code for every reader. */
const PLAIN_ENCODINGS = /^(?:utf-?8(?:-sig)?|(?:us-?)?ascii|latin-?1|iso-?8859-\d+|(?:cp|windows-)125\d)$/;

/** In some encodings a comment holds code. */
function encodingHits(root: Node): Hit[] {
  return root.text.split(/\r\n?|\n/, 2).flatMap((line, index) => {
    const name = ENCODING.exec(line)?.[1]?.toLowerCase().replaceAll("_", "-");
    const isPlain = name === undefined || PLAIN_ENCODINGS.test(name);
    return isPlain ? [] : [{ code: "SOURCE_HIDDEN", what: `the encoding ${name}`, line: index + 1 }];
  });
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
  if (PLAIN_IMPORTS.test(module)) return [];
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

/** `__eq__` that never looks at what it is given, and does not say no: as a method, as a lambda, in the dictionary of a class that
 * is made. */
function equalHits(root: Node): Hit[] {
  const methods = root
    .descendantsOfType("function_definition")
    .filter((node) => node?.childForFieldName("name")?.text === "__eq__");
  const lambdas = root.descendantsOfType("lambda").filter((node) => {
    const { parent } = node!;
    const name =
      (parent?.childForFieldName("left") ?? parent?.childForFieldName("key") ?? parent?.childForFieldName("name"))
        ?.text ?? "";
    return unquoted(name).split(".").at(-1) === "__eq__";
  });
  return [...methods, ...lambdas].flatMap((node) =>
    node && isBlind(node)
      ? [{ code: "EQUALS_EVERYTHING", what: `__eq__ of ${classOf(node)}`, line: lineOf(node) }]
      : [],
  );
}

/** Whether a comparison says yes without a look at the other value. */
function isBlind(node: Node): boolean {
  const body = node.childForFieldName("body");
  const other = node.childForFieldName("parameters")?.namedChildren[1];
  const name = (other?.type === "identifier" ? other : other?.descendantsOfType("identifier")[0])?.text;
  if (!body || body.descendantsOfType("identifier").some((each) => each?.text === name)) return false;
  const returned = node.type === "lambda" ? [body] : body.descendantsOfType("return_statement");
  return returned.some((each) => each !== null && !/^(?:return\b)?\s*(?:False|NotImplemented|None)?$/.test(each.text));
}

/** Values of the test libraries that are equal to whatever they are compared with. */
function matcherHits(root: Node, imports: Imports): Hit[] {
  const isFrom = (node: Node, name: string) =>
    name === "ANY"
      ? /^(?:unittest(?:\.mock)?|mock)$/.test(imports.get(node.text) ?? "")
      : imports.get(node.text) === "pytest";
  const found = root.descendantsOfType(["identifier", "attribute"]).filter((node) => {
    const name = node?.type === "attribute" ? node.childForFieldName("attribute")?.text : node?.text;
    const isImport = /^(?:aliased_import|dotted_name|attribute)$/.test(node?.parent?.type ?? "");
    return node && !isImport && (name === "ANY" || name === "approx") && isFrom(rootOf(node), name);
  });
  return found.flatMap((node) =>
    node ? [{ code: "EQUALS_EVERYTHING", what: plainText(node), line: lineOf(node) }] : [],
  );
}

function classOf(node: Node): string {
  for (let at = node.parent; at; at = at.parent)
    if (at.type === "class_definition") return at.childForFieldName("name")?.text ?? "a class";
  return "a class";
}

function frameHits(root: Node): Hit[] {
  const looks = root.descendantsOfType("attribute").flatMap((node) => {
    const name = node?.childForFieldName("attribute")?.text ?? "";
    const isShown = FRAMES.includes(name) || node?.text === "sys.modules";
    return node && isShown ? [{ code: "LOOKS_INTO_PROCESS", what: name, line: lineOf(node) }] : [];
  });
  const runs = root.descendantsOfType("call").flatMap((node) => {
    const name = node?.childForFieldName("function")?.text ?? "";
    return node && RUNS_TEXT.test(name) ? [{ code: "RUNS_TEXT", what: name, line: lineOf(node) }] : [];
  });
  return [...looks, ...runs];
}

function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}
