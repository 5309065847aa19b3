// What a test file says without being run: which tests it plainly declares, how much they assert, what they skip.

import { grammarOf, type Node, withTree } from "./grammar.ts";

/** What a test file says without being run. */
export interface TestSource {
  /** Names, as a report gives them, of tests that every run must report. Made-up names and cases are left out. */
  names: string[];
  /** What each of them says. */
  texts: Readonly<Record<string, string>>;
  /** Assertions that say something: one about literals alone does not. */
  assertions: number;
  skips: number;
  xfails: number;
  /** Whether it has syntax errors. */
  isBroken: boolean;
}

const NOTHING: TestSource = { names: [], texts: {}, assertions: 0, skips: 0, xfails: 0, isBroken: false };

/** Reads a test file's source. A language without a grammar here tells nothing. */
export async function readTestSource(path: string, source: string): Promise<TestSource> {
  const grammar = grammarOf(path);
  if (!grammar) return NOTHING;
  const read = (root: Node): TestSource => {
    const { tests, ...found } = grammar === "python" ? readPython(root) : readScript(root);
    const join = grammar === "python" ? "::" : " > ";
    const texts = Object.fromEntries(tests.map(({ name, text }) => [`${path}${join}${name}`, text]));
    return { ...found, names: Object.keys(texts), texts, isBroken: root.hasError };
  };
  return (await withTree(grammar, source, read)) ?? { ...NOTHING, isBroken: true };
}

/** A test in its file: its name there, and its text. */
interface Declared {
  name: string;
  text: string;
}

type Found = Omit<TestSource, "isBroken" | "names" | "texts"> & { tests: Declared[] };

function readPython(root: Node): Found {
  const calls = root.descendantsOfType("call");
  const decorators = root.descendantsOfType("decorator").map(({ text }) => text);
  const asserted = root.descendantsOfType("assert_statement").filter(saysSomething);
  const called = calls.filter((call) =>
    /(?:^|\.)(?:assert\w+|raises|warns|deprecated_call|fail)$/.test(calleeOf(call)),
  );
  const raising = called.filter((call) => !/^pytest\.fail$|\.fail$/.test(calleeOf(call)) && saysSomething(call));
  const callees = calls.map(calleeOf);
  const marks = [...decorators, ...root.descendantsOfType("assignment").map(({ text }) => text)];
  const count = (pattern: RegExp) =>
    callees.filter((callee) => pattern.test(callee)).length +
    marks.filter((text) => !/\(/.test(text) && pattern.test(text.replace(/^@/, "").trim())).length;
  return {
    tests: pythonTests(root, ""),
    assertions: asserted.length + raising.length,
    skips: count(/\bskip\w*$|\bimportorskip$|\bskipTest$/),
    xfails: count(/\bxfail$|\bexpectedFailure$/),
  };
}

function pythonTests(scope: Node, prefix: string): Declared[] {
  return scope.namedChildren.flatMap((child) => {
    const node = child?.type === "decorated_definition" ? child.childForFieldName("definition") : child;
    const name = node?.childForFieldName("name")?.text ?? "";
    if (node?.type === "function_definition") {
      return name.startsWith("test") && isPlain(child) ? [{ name: `${prefix}${name}`, text: child!.text }] : [];
    }
    if (node?.type !== "class_definition" || !isTestClass(node, name)) return [];
    const body = node.childForFieldName("body");
    return body ? pythonTests(body, `${prefix}${name}::`) : [];
  });
}

/** A fixture is no test, whatever it is called. */
function isPlain(node: Node | null): boolean {
  return !/^@(?:pytest\.)?fixture/m.test(node?.text ?? "");
}

function isTestClass(node: Node, name: string): boolean {
  const bases = node.childForFieldName("superclasses")?.text ?? "";
  if (/TestCase\b/.test(bases)) return true;
  return (
    name.startsWith("Test") && bases === "" && !/^\s+def __init__\b/m.test(node.text) && !/__test__/.test(node.text)
  );
}

const GROUPS = ["describe", "suite"];
const TESTS = ["test", "it"];

function readScript(root: Node): Found {
  const calls = root.descendantsOfType("call_expression");
  const callees = calls.map(calleeOf);
  const assertions = calls.filter((call, index) => {
    const callee = callees[index]!;
    const isAssertion = /^(?:t\.|ctx\.|context\.)?assert(?:\.\w+)*$/.test(callee) || /^expect$/.test(callee);
    return isAssertion && (callee === "expect" ? saysSomething(outermostChain(call)) : saysSomething(call));
  });
  const options = root.descendantsOfType("pair").map((pair) => pair.childForFieldName("key")?.text ?? "");
  const count = (words: readonly string[], starts: readonly string[]) =>
    callees.filter((callee) => words.includes(callee.split(".").at(-1)!) || starts.includes(callee)).length +
    options.filter((key) => words.includes(key)).length;
  return {
    tests: scriptTests(root, ""),
    assertions: assertions.length,
    skips: count(["skip", "skipIf", "runIf"], ["xit", "xtest", "xdescribe"]),
    xfails: count(["todo", "fails"], []),
  };
}

/** Tests with plain names, in groups with plain names, at the level where they are always declared. */
function scriptTests(scope: Node, prefix: string): Declared[] {
  return scope.namedChildren.flatMap((statement) => {
    const expression = statement?.type === "expression_statement" ? statement.namedChildren[0] : undefined;
    const call = expression?.type === "await_expression" ? expression.namedChildren[0] : expression;
    if (call?.type !== "call_expression") return [];
    const [first, ...others] = call.childForFieldName("arguments")?.namedChildren ?? [];
    const title = first?.type === "string" ? plainString(first.text) : undefined;
    const body = others.findLast((each) => each?.type === "arrow_function" || each?.type === "function_expression");
    const block = body?.childForFieldName("body");
    if (title === undefined || !block) return [];
    const callee = calleeOf(call);
    if (GROUPS.includes(callee)) return scriptTests(block, `${prefix}${title} > `);
    // A test that holds tests is reported as their group.
    const isOne = TESTS.includes(callee) && !/\b\w+\.(?:test|it)\(/.test(block.text);
    return isOne ? [{ name: `${prefix}${title}`, text: call.text }] : [];
  });
}

function plainString(text: string): string | undefined {
  const inner = text.slice(1, -1);
  return /[\\\n]/.test(inner) ? undefined : inner;
}

/** `expect(a).not.toBe(b)`: the whole of it is what is said. */
function outermostChain(call: Node): Node {
  let node = call;
  while (node.parent && ["member_expression", "call_expression", "await_expression"].includes(node.parent.type)) {
    if (node.parent.type === "call_expression" && node.parent.childForFieldName("function")?.id !== node.id) break;
    node = node.parent;
  }
  return node;
}

function calleeOf(call: Node): string {
  return (call.childForFieldName("function")?.text ?? "").replace(/\?\./g, ".").replace(/\s+/g, "");
}

/** Whether anything but literals is spoken of; what an assertion is called, and on what, is nothing. */
function saysSomething(node: Node): boolean {
  const callee = node.childForFieldName("function");
  const own = callee && callee.descendantsOfType("call_expression").length === 0 ? callee : undefined;
  return node
    .descendantsOfType("identifier")
    .some((each) => each !== null && !(own && isInside(each, own)) && !isFrame(each));
}

/** The words of an assertion itself, wherever they stand in its chain. */
function isFrame({ text }: Node): boolean {
  return ["expect", "assert", "self", "undefined", "NaN", "Infinity"].includes(text);
}

function isInside(node: Node, outer: Node): boolean {
  return node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}
