// Faults of programs that wait, iterate or hand functions on, each with its known cure.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue } from "../../syntax/value.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, replacePiece, replaceText } from "../proposal.ts";

/** Known faults with what happens later. */
export const asyncIdioms: Operator = function* (node, scene) {
  if (node.role === "call") yield* awaited(node);
  if (scene.isPython) return;
  if (node.role === "call") yield* together(node);
  if (node.role === "function-expression" || node.role === "function") yield* asynchrony(node);
  if (node.role === "express") yield* asyncEach(node);
  yield* unbound(node);
};

/** A promise that no one waits for. */
function* awaited(node: Syntax): Generator<Proposal> {
  const isInAsync = /^async\b/.test(node.above("function", "function-expression")?.text ?? "");
  const above = node.parent?.role;
  if (!isInAsync || above === "await" || node.field === "function" || (!isValue(node) && above !== "express")) return;
  const proposal = replacePiece(node, { text: `await ${node.text}`, level: 16 }, false, "await", 2.2);
  yield { ...proposal, title: `await ${brief(node.text)}`, idea: "await" };
}

/** Promises that are waited for together. */
function* together(node: Syntax): Generator<Proposal> {
  const isInAsync = /^async\b/.test(node.above("function", "function-expression")?.text ?? "");
  const isMapped = node.child("function")?.child("property")?.text === "map";
  if (!isInAsync || !isMapped || !isValue(node) || node.parent?.parent?.text.startsWith("Promise.")) return;
  const piece = { text: `await Promise.all(${node.text})`, level: 16 };
  yield { ...replacePiece(node, piece, false, "await", 2.4), title: `await all of ${brief(node.text)}` };
}

/** A function that awaits is async. */
function* asynchrony(node: Syntax): Generator<Proposal> {
  if (/^async\b/.test(node.text)) return;
  const awaits = [...node.walk()].some(
    (part) => part.role === "await" && part.above("function", "function-expression") === node,
  );
  const edits = [{ start: node.start, end: node.start, text: "async " }];
  if (awaits) yield { kind: "await", cost: 2, edits, title: "the function becomes async", at: node };
}

/** forEach waits for nothing. */
function* asyncEach(node: Syntax): Generator<Proposal> {
  const call = node.parts[0];
  const called = call?.role === "call" ? call.child("function") : undefined;
  const given = call?.child("arguments")?.parts[0];
  if (called?.child("property")?.text !== "forEach" || given?.role !== "function-expression") return;
  const body = given.child("body");
  const parameter = (given.child("parameters")?.parts[0] ?? given.child("parameter"))?.text;
  const isAsync = /^async\b/.test(given.text);
  if (!body || !parameter) return;
  const text = body.role === "block" ? body.text : `{ ${body.text}; }`;
  const each = `for (const ${parameter} of ${called.child("object")!.text}) ${text}`;
  yield { ...replaceText(node, each, "idiom", isAsync ? 1.5 : 4), title: "forEach becomes a for loop" };
}

/** A function that is handed on loses its `this`. */
function* unbound(node: Syntax): Generator<Proposal> {
  if (node.type === "function_expression" && /\bthis\b/.test(node.text) && !node.child("name")) {
    const [parameters, body] = [node.child("parameters"), node.child("body")];
    if (parameters && body) {
      const arrow = `${parameters.text} => ${body.text}`;
      yield { ...replaceText(node, arrow, "idiom", 2), title: "the function keeps its this" };
    }
  }
  const isMethod = node.role === "member" && node.child("object")?.role === "self";
  if (isMethod && node.parent?.role === "arguments") {
    const arrow = `(...args) => ${node.text}(...args)`;
    yield { ...replaceText(node, arrow, "idiom", 4), title: `${node.text} keeps its this` };
  }
}
