// What operators see of a file: its tree, its language, its style, and which names hold what where.

import type { Source } from "../syntax/source.ts";
import type { Syntax } from "../syntax/tree.ts";
import { expectedKind } from "./expectation.ts";
import {
  type Compared,
  type FirstValue,
  findCompared,
  findFieldConstants,
  findFirstValues,
  findModulesCalled,
} from "./facts.ts";
import { Ingredients } from "./ingredients.ts";
import { type Kind, Kinds } from "./kinds.ts";
import { type Declaration, findDeclarations } from "./scope.ts";
import { readStyle, type Style } from "./style.ts";
import { type Words, wordsOf } from "./words.ts";

/** A name, or a field of the object at hand, that can be used at a place. */
export interface Usable {
  text: string;
  kind: Kind;
  what: Declaration["what"] | "field";
  /** 0 for the place's own function, 1 for one around it and for fields, 2 for the module. */
  distance: number;
}

/** A file with all that is known about it. */
export class Scene {
  readonly source: Source;
  readonly words: Words;
  readonly style: Style;
  readonly kinds: Kinds;
  readonly ingredients: Ingredients;
  readonly #declarations: Declaration[];
  readonly #declared: Set<string>;
  #places: Set<Syntax> | undefined;
  #unusedImports: string[] | undefined;
  #compared: Compared[] | undefined;
  #flags: string[] | undefined;
  #fieldConstants: Map<string, Set<string>> | undefined;
  #modulesCalled: string[] | undefined;
  readonly #names = new Map<string, Usable[]>();
  readonly #fields = new Map<Syntax, string[]>();
  readonly #properties = new Map<string, Set<string>>();
  readonly #firstValues = new Map<Syntax, FirstValue[]>();
  /** All member expressions of the file. */
  readonly members: readonly Syntax[];
  /** The statements that stand alone: calls, assignments, returns and raises are copied from here. */
  readonly simpleStatements: readonly Syntax[];
  /** What the file raises or throws, each text once. */
  readonly raised: readonly Syntax[];
  /** The file's functions and methods by name. */
  readonly functions: ReadonlyMap<string, Syntax>;
  /** The names of fields that classes, interfaces and object types declare. */
  readonly declaredFields: readonly string[];

  constructor(source: Source, tests: readonly Syntax[]) {
    this.source = source;
    this.words = wordsOf(source.isPython);
    this.style = readStyle(source.text, source.isPython);
    this.kinds = new Kinds(source.root);
    this.ingredients = new Ingredients(source.root, tests);
    const nodes = [...source.root.walk()];
    this.members = nodes.filter((node) => node.role === "member" && node.child("property"));
    this.simpleStatements = nodes.filter(isSimple);
    this.raised = [...new Map(nodes.filter(({ role }) => role === "raise").map((node) => [node.text, node])).values()];
    this.functions = new Map(nodes.map(namedFunction).filter((found) => found !== undefined));
    this.declaredFields = [...new Set(nodes.flatMap((node) => declaredField(node) ?? []))];
    this.#declarations = findDeclarations(source.root, source.isPython);
    this.#declared = new Set(this.#declarations.map(({ text }) => text));
  }

  /** Values that the file compares with constants or sets to them, each with its constant. */
  get comparedConstants(): readonly Compared[] {
    this.#compared ??= findCompared(this.source.root);
    return this.#compared;
  }

  /** The constants that properties are compared with, set to or made with. */
  get fieldConstants(): ReadonlyMap<string, ReadonlySet<string>> {
    this.#fieldConstants ??= findFieldConstants(this.source.root);
    return this.#fieldConstants;
  }

  /** The names of properties that hold truth values. */
  get flags(): readonly string[] {
    this.#flags ??= [
      ...new Set(
        this.members.flatMap((node) => {
          const isFlag = this.kinds.of(node) === "boolean" && node.field !== "function";
          return isFlag ? node.child("property")!.text : [];
        }),
      ),
    ];
    return this.#flags;
  }

  get isPython(): boolean {
    return this.source.isPython;
  }

  /** Functions of modules that the file calls with one argument, and their next of kin. */
  get modulesCalled(): readonly string[] {
    this.#modulesCalled ??= findModulesCalled(this.members, this.#declarations);
    return this.#modulesCalled;
  }

  /** What is imported and never read. */
  get unusedImports(): readonly string[] {
    this.#unusedImports ??= this.#declarations
      .filter(({ what, text }) => what === "import" && this.source.text.split(text).length === 2)
      .map(({ text }) => text);
    return this.#unusedImports;
  }

  /** The names that have a value at a place, the nearest declared first. */
  namesAt(place: Syntax): Usable[] {
    const key = `${place.start} ${place.end}`;
    const known = this.#names.get(key) ?? this.#findNames(place);
    this.#names.set(key, known);
    return known;
  }

  #findNames(place: Syntax): Usable[] {
    const own = functionAround(place);
    const seen = new Map<string, Usable & { from: number }>();
    for (const { text, within, owner, from, what } of this.#declarations) {
      if (!within.contains(place) || (owner === own && from > place.start && owner.role !== "module")) continue;
      if (owner.role === "module" && own.role === "module" && from > place.start) continue;
      if (text === "_" || text === this.words.self || text === "cls") continue;
      // A class's own names are no names inside its methods.
      if (within.role === "class" && this.isPython && own !== within && own.role !== "module") continue;
      const distance = owner === own ? 0 : owner.role === "module" ? 2 : 1;
      const before = seen.get(text);
      if (!before || before.distance >= distance)
        seen.set(text, { text, what, distance, from, kind: this.kinds.ofText(text) });
    }
    return [...seen.values()].sort((a, b) => a.distance - b.distance || b.from - a.from);
  }

  /** The fields of the object whose method the place is in, as they are written. */
  fieldsAt(place: Syntax): Usable[] {
    const owner = place.above("class");
    if (!owner || owner.child("body") === undefined) return [];
    const texts = this.#fields.get(owner) ?? this.#findFields(owner);
    this.#fields.set(owner, texts);
    return texts.map((text) => ({ text, kind: this.kinds.ofText(text), what: "field", distance: 1 }));
  }

  /** What the constructor of the class around a place gives its fields. */
  firstValues(place: Syntax): readonly FirstValue[] {
    const owner = place.above("class");
    if (!owner) return [];
    const known = this.#firstValues.get(owner) ?? findFirstValues(owner, this.words.self);
    this.#firstValues.set(owner, known);
    return known;
  }

  /** The properties that the file reads of what is called by a name. */
  fieldsOf(object: string): ReadonlySet<string> {
    const known = this.#properties.get(object) ?? new Set<string>();
    if (!this.#properties.has(object)) {
      for (const node of this.members)
        if (node.child("object")!.text === object && node.field !== "function") known.add(node.child("property")!.text);
      this.#properties.set(object, known);
    }
    return known;
  }

  /** Names and fields together. */
  usablesAt(place: Syntax): Usable[] {
    return [...this.namesAt(place), ...this.fieldsAt(place)].sort((a, b) => a.distance - b.distance);
  }

  /** Names, fields, and the short expressions of the place's function that are neither. */
  atomsAt(place: Syntax): Usable[] {
    const usables = this.usablesAt(place).filter(
      ({ what }) => what !== "import" && what !== "class" && what !== "function",
    );
    const names = new Set(usables.map(({ text }) => text));
    const own = place.above("function", "module");
    const compound = this.ingredients.valuesNear(place, (node) => {
      if (node.role !== "member" && node.role !== "index" && node.role !== "call") return false;
      if (node.field === "function" || node.end - node.start > 30 || names.has(node.text)) return false;
      return own?.contains(node) === true && /[a-z]/.test(node.text[0] ?? "");
    });
    const atoms = compound.filter((node) => this.canUse(node, place)).slice(0, 6);
    const near = usables.filter(({ distance }) => distance === 0);
    const rest = usables.filter(({ distance }) => distance > 0);
    const made = atoms.map(
      (node): Usable => ({ text: node.text, kind: this.kinds.of(node), what: "variable", distance: 0 }),
    );
    return [
      ...near.slice(0, 4),
      ...made.slice(0, 3),
      ...near.slice(4),
      ...rest.filter(({ what }) => what === "field"),
      ...made.slice(3),
      ...rest.filter(({ what }) => what !== "field"),
    ];
  }

  /** The kind of value that a place wants, whatever stands there now. */
  wantedAt(place: Syntax): Kind {
    return expectedKind(place, this.kinds, this.functions);
  }

  /** Whether a name is declared where it stands, by a function's parameters, an import or a first assignment. */
  isDeclaration(node: Syntax): boolean {
    this.#places ??= new Set(
      this.#declarations
        .filter(({ what }) => what === "parameter" || what === "import" || what === "constant")
        .map(({ node }) => node),
    );
    return this.#places.has(node);
  }

  /** Whether the file declares a name anywhere. */
  isDeclared(text: string): boolean {
    return this.#declared.has(text);
  }

  /** Whether all that an expression or a statement names has a value at another place. */
  canUse(node: Syntax, place: Syntax): boolean {
    let visible: Set<string> | undefined;
    for (const part of node.walk()) {
      if (part.role !== "name" || part.field === "key" || !this.#declared.has(part.text)) continue;
      if (part.text === this.words.self && place.above("class")) continue;
      visible ??= new Set(this.namesAt(place).map(({ text }) => text));
      if (visible.has(part.text)) continue;
      if (!this.#declarations.some(({ text, within }) => text === part.text && node.contains(within))) return false;
    }
    return true;
  }

  #findFields(owner: Syntax): string[] {
    const self = this.words.self;
    const found = new Set<string>();
    const called = new Set<string>();
    for (const node of owner.walk()) {
      if (node.role === "field-definition") {
        const name = node.child("name")?.text;
        if (name && !/\bstatic\b/.test(node.text.slice(0, 40))) found.add(`${self}.${name}`);
      }
      // A Python dataclass declares its fields in its body.
      if (node.role === "assign" && node.child("type") && node.parent?.parent?.parent === owner) {
        found.add(`${self}.${node.child("left")?.text}`);
      }
      const computed = computedField(node);
      if (computed) found.add(`${self}.${computed}`);
      if (node.role === "member" && node.child("object")?.text === self) {
        if (node.field === "function" && node.parent?.role === "call") called.add(node.text);
        else found.add(node.text);
      }
    }
    return [...found].filter((text) => !called.has(text));
  }
}

/** A function with the name that it is called by: its own, or that of the constant that holds it. */
function namedFunction(node: Syntax): [string, Syntax] | undefined {
  if (node.role === "function") return [node.child("name")?.text ?? "", node];
  const isHeld = node.role === "function-expression" && node.parent?.role === "declarator";
  const name = isHeld ? node.parent!.child("name") : undefined;
  return name?.role === "name" ? [name.text, node] : undefined;
}

function isSimple(node: Syntax): boolean {
  const isLone = node.role === "if" && !node.child("alternative") && !/\n.*\n.*\n/.test(node.text);
  const isStatement = isLone || /^(?:express|return|raise|declare|delete)$/.test(node.role);
  return isStatement && node.above("function", "function-expression") !== undefined && node.end - node.start < 120;
}

/** The name of a method that is read like a field. */
function computedField(node: Syntax): string | undefined {
  const isScript = node.type === "method_definition" && node.children[0]?.type === "get";
  const isPython = node.role === "decorated" && node.children.some((child) => child.text === "@property");
  return isScript || isPython ? (node.child("definition") ?? node).child("name")?.text : undefined;
}

function declaredField(node: Syntax): string | undefined {
  if (node.type === "property_signature" || node.role === "field-definition") return node.child("name")?.text;
  const isInClass = node.role === "assign" && node.child("type") && node.parent?.parent?.parent?.role === "class";
  return isInClass ? node.child("left")?.text : undefined;
}

/** The innermost function around a place, or the module. */
export function functionAround(place: Syntax): Syntax {
  return place.above("function", "function-expression", "module") ?? place;
}
