// What a file says of its values: what fields begin with, which constants they are compared with, which modules are called.

import type { Syntax } from "../syntax/tree.ts";
import type { Declaration } from "./scope.ts";

/** A field as it is written, and what it begins with. */
export interface FirstValue {
  field: string;
  value: Syntax;
  /** Where it is given. */
  maker: Syntax;
}

/** A value, and a constant that it is compared with or set to. */
export interface Compared {
  value: Syntax;
  constant: Syntax;
}

/** What else a module is asked for where it is asked for anything. */
const kin: Readonly<Record<string, readonly string[]>> = {
  math: ["math.radians", "math.ceil", "math.floor", "math.sqrt"],
  re: ["re.escape"],
  html: ["html.escape"],
  copy: ["copy.deepcopy"],
  json: ["json.dumps", "json.loads"],
};

/** Functions of modules that are called with one argument, and what else their modules are asked for. */
export function findModulesCalled(members: readonly Syntax[], declarations: readonly Declaration[]): string[] {
  const modules = new Set(declarations.filter(({ what }) => what === "import").map(({ text }) => text));
  const found = new Set<string>();
  for (const node of members) {
    const module = node.child("object")!.text;
    if (!modules.has(module) && !/^(?:Math|JSON|Object)$/.test(module)) continue;
    const given = node.field === "function" ? node.parent?.child("arguments")?.parts.length : undefined;
    if (given === 1) found.add(node.text);
  }
  for (const module of modules) for (const text of kin[module] ?? []) found.add(text);
  return [...found];
}

/** What the constructor of a class, or its body, gives its fields. */
export function findFirstValues(owner: Syntax, self: string): FirstValue[] {
  const found: FirstValue[] = [];
  for (const node of owner.walk()) {
    if (node.role === "field-definition") {
      const [name, value] = [node.child("name"), node.child("value")];
      if (name && value) found.push({ field: `${self}.${name.text}`, value, maker: node });
    }
    const maker = node.role === "assign" ? node.above("function") : undefined;
    const [target, value] = [node.child("left"), node.child("right")];
    const isMaker = /^(?:__init__|constructor)$/.test(maker?.child("name")?.text ?? "");
    if (maker && isMaker && target?.role === "member" && target.child("object")?.text === self && value)
      found.push({ field: target.text, value, maker });
  }
  return found;
}

/** The constants that properties are compared with, set to or made with. */
export function findFieldConstants(root: Syntax): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const node of root.walk()) {
    const isPair = node.role === "pair";
    if (!isPair && node.role !== "assign" && node.role !== "compare") continue;
    const [left, right] = [node.child(isPair ? "key" : "left"), node.child(isPair ? "value" : "right")];
    const name = left?.role === "member" ? left.child("property")?.text : isPair ? left?.text : undefined;
    if (!name || !right || !/^(?:string|nothing|boolean)$/.test(right.role)) continue;
    found.set(name, (found.get(name) ?? new Set()).add(right.text));
  }
  return found;
}

/** Values that are compared with constants, or set to them. */
export function findCompared(root: Syntax): Compared[] {
  const found = new Map<string, Compared>();
  for (const node of root.walk()) {
    const isAsked = node.role === "compare" && /^[!=]==?$/.test(node.child("operator")?.text ?? "");
    if (!isAsked && node.role !== "assign") continue;
    const [value, constant] = [node.child("left"), node.child("right")];
    if (!value || !constant || !/^(?:name|member|index)$/.test(value.role)) continue;
    const isConstant = constant.role === "string" || (isAsked && /^(?:number|nothing)$/.test(constant.role));
    if (isConstant) found.set(`${value.text} ${constant.text}`, { value, constant });
  }
  return [...found.values()];
}
