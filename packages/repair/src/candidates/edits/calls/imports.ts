// Functions of the standard library that the file has not imported yet.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue } from "../../syntax/value.ts";
import type { Scene } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { brief, type Change, type Proposal, pieceOf } from "../proposal.ts";

/** A value passed through a function that needs an import. */
export const importedWraps: Operator = function* (node, scene) {
  if (!scene.isPython || !isValue(node) || node.field === "function" || node.parent?.role === "express") return;
  const kind = scene.kinds.of(node);
  const isPlace = /^(?:return|assign|arguments|keyword-argument|pair)$/.test(node.parent?.role ?? "");
  if (node.role === "binary" && /^\/\/?$/.test(node.child("operator")?.text ?? "")) {
    const [left, right] = [node.child("left")!.text, node.child("right")!.text];
    yield* propose(node, `math.ceil(${left} / ${right})`, "math", 4, scene);
    yield* propose(node, `math.floor(${left} / ${right})`, "math", 5, scene);
  }
  if (node.role === "call" && node.child("function")?.text === "int") {
    const given = node.child("arguments")?.parts ?? [];
    if (given.length === 1)
      for (const [rank, name] of ["floor", "ceil"].entries())
        yield* propose(node, `math.${name}(${given[0]!.text})`, "math", 4 + rank, scene);
  }
  const isData = kind === "list" || kind === "dict" || kind === "unknown" || kind === "object";
  if (isPlace && isData && (node.role === "name" || node.role === "member" || node.role === "index")) {
    yield* propose(node, `copy.deepcopy(${node.text})`, "copy", kind === "unknown" ? 5.8 : 5, scene);
  }
};

function* propose(node: Syntax, text: string, module: string, cost: number, scene: Scene): Generator<Proposal> {
  const own = pieceOf(node, true);
  const added = importOf(module, scene);
  const edits: Change[] = [...added, { start: node.start, end: node.end, text }];
  yield { kind: "import", cost, edits, title: `${brief(own.text)} becomes ${brief(text)}`, at: node };
}

/** The import of a module, where the file has none; before the first one, or on top. */
function importOf(module: string, scene: Scene): Change[] {
  const { root } = scene.source;
  const imports = root.parts.filter(({ role }) => role === "import");
  if (imports.some(({ text }) => text === `import ${module}`)) return [];
  const line = `import ${module}${scene.style.eol}`;
  const [first] = imports;
  if (first) return [{ start: first.start, end: first.start, text: line }];
  const start = root.parts.find(({ role }) => role !== "documentation");
  return start ? [{ start: start.start, end: start.start, text: line + scene.style.eol }] : [];
}
