// Faults that Python is known for, each with its known cure.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue, ungroup } from "../../syntax/value.ts";
import { lineBefore, linesOf, statementsIn } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, replacePiece, replaceText } from "../proposal.ts";

/** Known faults of Python programs. */
export const pythonIdioms: Operator = function* (node, scene) {
  if (!scene.isPython) return;
  if (node.role === "binary") yield* sharedRows(node);
  if (node.role === "function" || node.role === "function-expression") yield* lateBinding(node, scene);
  if (node.role === "logic") yield* tupleOrder(node);
  if (node.role === "function-expression") yield* sortKeys(node);
  if (node.role === "assign") yield* sharedField(node, scene);
  if (node.role === "assign") yield* forgetting(node);
  if (node.role === "call") yield* known(node);
  if (node.role === "member") yield* spans(node);
  if (node.role === "set" || node.role === "call") yield* orderedOnce(node);
  if (node.role === "compare") yield* nearness(node);
  if (node.role === "logic") yield* givenValue(node);
  if (node.role === "function") yield* outerNames(node, scene);
  if (node.role === "index") yield* lastOnes(node, scene);
};

/** `[[0] * n] * m` holds one row m times. */
function* sharedRows(node: Syntax): Generator<Proposal> {
  const [left, right] = [node.child("left")!, node.child("right")!];
  const inner = left.role === "list" && left.parts.length === 1 ? left.parts[0] : undefined;
  if (node.child("operator")?.text !== "*" || !inner || /^(?:number|string|nothing|boolean)$/.test(inner.role)) return;
  yield replaceText(node, `[${inner.text} for _ in range(${right.text})]`, "idiom", 1);
}

/** A function made in a loop sees the loop's last values. */
function* lateBinding(node: Syntax, scene: Scene): Generator<Proposal> {
  const loop = node.above("for", "comprehension", "while");
  const parameters = node.child("parameters");
  if (!loop) return;
  const own = new Set((parameters?.parts ?? []).map((part) => (part.child("name") ?? part).text));
  const targets = loop.role === "for" ? [loop.child("left")!] : loop.parts.flatMap((part) => part.child("left") ?? []);
  const bound = targets.flatMap((target) => [...target.walk()]).filter(({ role }) => role === "name");
  const inLoop = scene.namesAt(node).filter(({ text }) => !own.has(text));
  const used = bound.filter(({ text }) => inLoop.some((name) => name.text === text) && uses(node, text));
  if (used.length === 0) return;
  const added = used.map(({ text }) => `${text}=${text}`).join(", ");
  const title = `bind ${used.map(({ text }) => text).join(", ")} when the function is made`;
  const base = { kind: "idiom", cost: 1.5, title, at: node };
  if (!parameters) {
    const colon = node.children.find(({ type }) => type === ":");
    if (colon) yield { ...base, edits: [{ start: colon.start, end: colon.start, text: ` ${added}` }] };
    return;
  }
  const last = parameters.parts.at(-1);
  const at = last ? last.end : parameters.text.startsWith("(") ? parameters.start + 1 : parameters.end;
  yield { ...base, edits: [{ start: at, end: at, text: last ? `, ${added}` : added }] };
}

function uses(node: Syntax, text: string): boolean {
  const body = node.child("body");
  return body !== undefined && [...body.walk()].some((part) => part.role === "name" && part.text === text);
}

/** `a.x < b.x and a.y < b.y` where the pairs were to be compared. */
function* tupleOrder(node: Syntax): Generator<Proposal> {
  const [one, two] = [ungroup(node.child("left")!), ungroup(node.child("right")!)];
  if (one.role !== "compare" || two.role !== "compare" || one.parts.length !== 2 || two.parts.length !== 2) return;
  const [a, b, c, d] = [one.child("left")!, one.child("right")!, two.child("left")!, two.child("right")!].map(
    ({ text }) => text,
  );
  const [first, second] = [one.child("operator")!.text, two.child("operator")!.text];
  if (!/^[<>]/.test(first + second) || first[0] !== second[0]) return;
  yield replaceText(node, `(${a}, ${c}) ${second} (${b}, ${d})`, "idiom", 3);
  yield replaceText(node, `${a} ${first[0]} ${b} or (${a} == ${b} and ${c} ${second} ${d})`, "idiom", 4);
}

/** A function that sets a variable of the one around it must say so. */
function* outerNames(node: Syntax, scene: Scene): Generator<Proposal> {
  const around = node.above("function");
  const body = node.child("body");
  const first = body && statementsIn(body).find(({ role }) => role !== "documentation");
  if (!first || /\b(?:nonlocal|global)\b/.test(body.text)) return;
  const word = around ? "nonlocal" : "global";
  const outer = new Set(
    scene
      .namesAt(node)
      .filter(({ what, distance }) => (what === "variable" || what === "constant") && distance === 0)
      .map(({ text }) => text),
  );
  const set = [...body.walk()]
    .filter(({ role }) => role === "augment" || role === "assign")
    .flatMap((part) => part.child("left") ?? []);
  const names = [
    ...new Set(set.filter(({ role, text }) => role === "name" && outer.has(text)).map(({ text }) => text)),
  ];
  const change = names.length > 0 && lineBefore(first, [`${word} ${names.join(", ")}`], scene.style);
  if (change)
    yield { kind: "idiom", cost: 1.5, edits: [change], title: `${names.join(", ")} is the outer one`, at: first };
}

/** `table[key] = [value]` forgets what was there. */
function* forgetting(node: Syntax): Generator<Proposal> {
  const [target, value] = [node.child("left"), node.child("right")];
  const item = value?.role === "list" && value.parts.length === 1 ? value.parts[0]! : undefined;
  if (target?.role !== "index" || !item) return;
  const [table, key] = [target.child("object")!.text, target.child("index")!.text];
  yield replaceText(node, `${table}.setdefault(${key}, []).append(${item.text})`, "idiom", 2.5);
}

/** `x or default` where 0 or an empty text is a value too. */
function* givenValue(node: Syntax): Generator<Proposal> {
  const [left, right] = [node.child("left")!, node.child("right")!];
  const isDefault =
    node.child("operator")?.text === "or" &&
    /^(?:assign|return|arguments|keyword-argument)$/.test(node.parent?.role ?? "");
  if (isDefault)
    yield replacePiece(
      node,
      { text: `${right.text} if ${left.text} is None else ${left.text}`, level: 2 },
      true,
      "idiom",
      2.5,
    );
}

/** Sort keys with a second key, or turned round. */
function* sortKeys(node: Syntax): Generator<Proposal> {
  const isKey = node.parent?.role === "keyword-argument" && node.parent.child("key")?.text === "key";
  const body = node.child("body");
  const name = node.child("parameters")?.parts[0]?.text;
  if (!isKey || !body || !name) return;
  const parts = body.role === "tuple" ? body.parts : [body];
  const texts = parts.map(({ text }) => text);
  const tuple = (items: string[]): string => (items.length === 1 ? items[0]! : `(${items.join(", ")})`);
  const minus = (text: string): string =>
    text.startsWith("-") ? text.slice(1) : `-${/^[\w.[\]()]+$/.test(text) ? text : `(${text})`}`;
  for (const [at, text] of texts.entries()) yield replaceText(body, tuple(texts.with(at, minus(text))), "sort-key", 3);
  if (texts.length > 1) yield replaceText(body, tuple(texts.toReversed()), "sort-key", 3);
  yield* unreversed(node, body, texts, (at) => tuple(texts.with(at, minus(texts[at]!))));
  const seen = new Set(texts.map((text) => text.replace(/^-/, "")));
  const fields = [`${name}[0]`, `${name}[1]`, name].filter((text) => !seen.has(text));
  for (const [rank, field] of fields.entries()) {
    yield replaceText(body, tuple([...texts, field]), "sort-key", 4 + 0.5 * rank);
    yield replaceText(body, tuple([...texts.map(minus), field]), "sort-key", 4.5 + 0.5 * rank);
  }
  if (texts.length > 1) for (const text of texts) yield replaceText(body, text, "sort-key", 5);
}

/** `reverse=True` turns every part of the key round; one was meant. */
function* unreversed(
  node: Syntax,
  body: Syntax,
  texts: readonly string[],
  turned: (at: number) => string,
): Generator<Proposal> {
  const list = node.parent!.parent!;
  const reverse = list.parts.find((part) => /^reverse\s*=\s*True$/.test(part.text));
  const before = reverse && list.parts[list.parts.indexOf(reverse) - 1];
  if (!reverse || !before || texts.length < 2) return;
  const dropped = { start: before.end, end: reverse.end, text: "" };
  for (const at of texts.keys())
    yield {
      kind: "sort-key",
      cost: 2.5 + 0.5 * at,
      edits: [{ start: body.start, end: body.end, text: turned(at) }, dropped],
      title: `only ${texts[at]} is turned round`,
      at: node,
    };
}

/** A list of the class that was to be one of each object. */
function* sharedField(node: Syntax, scene: Scene): Generator<Proposal> {
  const owner = node.parent?.parent?.parent;
  const [name, value] = [node.child("left"), node.child("right")];
  const isShared =
    value && (value.role === "list" || value.role === "dict" || /^(?:set|dict|list)\(\)$/.test(value.text));
  if (owner?.role !== "class" || !isShared || !name) return;
  const span = linesOf(node.parent!);
  const made = owner
    .child("body")!
    .parts.find((part) => part.role === "function" && part.child("name")?.text === "__init__");
  const first = made && statementsIn(made.child("body")!)[0];
  const change = first && lineBefore(first, [`self.${name.text} = ${value.text}`], scene.style);
  if (span && change)
    yield {
      kind: "idiom",
      cost: 1.5,
      edits: [{ ...span, text: "" }, change],
      title: `each object gets its own ${name.text}`,
      at: node,
    };
  if (node.child("type"))
    yield replaceText(value, `field(default_factory=${value.role === "list" ? "list" : "dict"})`, "idiom", 3);
}

/** Calls that do something else than they seem to. */
function* known(node: Syntax): Generator<Proposal> {
  const called = node.child("function")!;
  const parts = node.child("arguments")?.parts ?? [];
  if (called.text === "round" && parts.length === 1) {
    yield replaceText(node, `int(${parts[0]!.text} + 0.5)`, "idiom", 4);
    yield replaceText(node, `math.floor(${parts[0]!.text} + 0.5)`, "idiom", 6);
  }
  if (/^(?:itertools\.)?groupby$/.test(called.text) && parts[0] && !parts[0].text.startsWith("sorted(")) {
    const key = parts[1] ? `, key=${parts[1].text.replace(/^key=/, "")}` : "";
    yield replaceText(parts[0], `sorted(${parts[0].text}${key})`, "idiom", 1.5);
  }
  const copied = called.text === "list" || called.text === "dict" ? parts[0]?.text : undefined;
  const shallow =
    called.child("property")?.text === "copy" && parts.length === 0 ? called.child("object")!.text : copied;
  if (shallow !== undefined && parts.length < 2) {
    yield replaceText(node, `[list(row) for row in ${shallow}]`, "idiom", 3);
    yield replaceText(node, `[dict(row) for row in ${shallow}]`, "idiom", 3.8);
    yield replaceText(node, `{key: list(value) for key, value in ${shallow}.items()}`, "idiom", 3.8);
  }
  if (called.text === "abs" && parts[0]) yield replaceText(node, `max(0, ${parts[0].text})`, "idiom", 3.8);
  if (called.text === "dict.fromkeys" && parts.length === 2)
    yield replaceText(node, `{key: ${parts[1]!.text} for key in ${parts[0]!.text}}`, "idiom", 2.5);
  if (
    called.role === "member" &&
    /^(?:sort|reverse|append|extend|update|add)$/.test(called.child("property")!.text) &&
    isValue(node)
  ) {
    const object = called.child("object")!.text;
    if (called.child("property")!.text === "sort")
      yield replaceText(node, `sorted(${[object, ...parts.map(({ text }) => text)].join(", ")})`, "idiom", 1.5);
    if (called.child("property")!.text === "reverse") yield replaceText(node, `${object}[::-1]`, "idiom", 1.5);
  }
}

/** A set forgets the order; a dict keeps it. */
function* orderedOnce(node: Syntax): Generator<Proposal> {
  if (node.role !== "call") return;
  const called = node.child("function")!.text;
  const [argument] = node.child("arguments")?.parts ?? [];
  const inner =
    called === "list" && argument?.role === "call" && argument.child("function")?.text === "set" ? argument : undefined;
  if (inner) yield replaceText(node, `list(dict.fromkeys${inner.child("arguments")!.text})`, "idiom", 2);
  if (called === "set" && argument) {
    yield replaceText(node, `dict.fromkeys(${argument.text})`, "idiom", 4.5);
    yield replaceText(node, `sorted(set(${argument.text}))`, "idiom", 4);
  }
}

/** The days of a span are not its length. */
function* spans(node: Syntax): Generator<Proposal> {
  if (node.child("property")?.text === "day" && isValue(node) && node.field !== "function")
    yield replaceText(node, `${node.child("object")!.text}.date()`, "idiom", 3.8);
  if (/^(?:seconds|days)$/.test(node.child("property")?.text ?? "") && isValue(node))
    yield replaceText(node, `${node.child("object")!.text}.total_seconds()`, "idiom", 2.8);
}

/** `items[-n:]` takes all where n is 0. */
function* lastOnes(node: Syntax, scene: Scene): Generator<Proposal> {
  const object = node.child("object")!.text;
  const count = /^-([\w.]+):$/.exec(node.child("index")?.text ?? "")?.[1];
  if (!count || /^\d/.test(count)) return;
  yield replaceText(node, `${object}[len(${object}) - ${count}:]`, "idiom", 3.2);
  yield replacePiece(node, { text: `${node.text} if ${count} > 0 else []`, level: 2 }, scene.isPython, "idiom", 3);
}

/** Fractions are seldom exactly equal. */
function* nearness(node: Syntax): Generator<Proposal> {
  const [left, right, operator] = [node.child("left"), node.child("right"), node.child("operator")];
  if (!left || !right || operator?.text !== "==" || node.parts.length !== 2) return;
  yield {
    ...replaceText(node, `abs(${left.text} - ${right.text}) < 1e-9`, "idiom", 5.5),
    title: `${brief(node.text)} becomes nearly equal`,
  };
}
