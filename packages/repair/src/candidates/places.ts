// Where to edit: the nodes of suspicious statements, and how doubtful it is that the fault is there.

import type { Edit, Program } from "./candidate.ts";
import { Source } from "./syntax/source.ts";
import type { Syntax } from "./syntax/tree.ts";
import { statementAround } from "./words/layout.ts";
import { Scene } from "./words/scene.ts";

/** How much suspicion counts beside how natural an edit is. */
const WEIGHT = 2;
/** How much less likely the fault is in what loading runs, and in a literal of it. */
const LOADED = 2;
const LOADED_LITERAL = 0.7;
/** How much likelier the fault is in a statement whose change has made a failing test pass, in bits. */
const FAVOR = 3;

/** The program's files, parsed, with the suspicion of their lines. */
export class Places {
  readonly #scenes = new Map<string, Scene>();
  readonly #suspicion = new Map<string, Map<number, number>>();
  readonly #favored = new Set<Syntax>();
  #greatest = 0;

  static async open(program: Program): Promise<Places> {
    const places = new Places();
    for (const { path, line, suspicion } of program.suspects) {
      const ofFile = places.#suspicion.get(path) ?? new Map<number, number>();
      places.#suspicion.set(path, ofFile.set(line, suspicion));
      places.#greatest = Math.max(places.#greatest, suspicion);
    }
    const tests: Syntax[] = [];
    for (const { path, content } of program.tests) {
      const source = await Source.open(path, content);
      if (source) tests.push(source.root);
    }
    for (const { path, content } of program.files) {
      if (!places.#suspicion.has(path)) continue;
      const source = await Source.open(path, content);
      if (source) places.#scenes.set(path, new Scene(source, tests));
    }
    return places;
  }

  /** Makes the statements that edits stand in likelier than they were. */
  favor(edits: readonly Edit[]): void {
    for (const { path, start } of edits) {
      const scene = this.#scenes.get(path);
      const node = scene && nodeAt(scene.source.root, start);
      const statement = node && statementAround(node);
      if (statement) this.#favored.add(statement);
    }
  }

  scene(path: string): Scene | undefined {
    return this.#scenes.get(path);
  }

  get scenes(): Iterable<Scene> {
    return this.#scenes.values();
  }

  /** Every node of a suspicious line. */
  *nodesOf(scene: Scene): Generator<Syntax> {
    const walk = function* (node: Syntax): Generator<Syntax> {
      if (node.role === "import" || node.role === "type" || node.role === "comment") return;
      yield node;
      for (const child of node.children) yield* walk(child);
    };
    for (const node of walk(scene.source.root)) if (this.#suspicionOf(node, scene) > 0) yield node;
  }

  /** How doubtful it is that the fault is at a node: in bits, 0 where the suspicion is greatest. */
  doubtOf(node: Syntax, scene: Scene): number {
    const doubt = -WEIGHT * Math.log2(Math.max(this.#suspicionOf(node, scene), 0.01) / this.#greatest);
    // What loading runs, every test runs: that they fail says little about it.
    const isLiteral = /^(?:regex|number|string|list|dict|tuple|set|boolean)$/.test(node.role);
    const loaded = node.above("function", "function-expression") ? 0 : isLiteral ? LOADED_LITERAL : LOADED;
    const statement = statementAround(node);
    return doubt + loaded - (statement && this.#favored.has(statement) ? FAVOR : 0);
  }

  /** The suspicion of a node's line, or of the line where its statement begins. */
  #suspicionOf(node: Syntax, scene: Scene): number {
    const lines = this.#suspicion.get(scene.source.path);
    const statement = statementAround(node);
    return Math.max(lines?.get(node.line) ?? 0, (statement && lines?.get(statement.line)) ?? 0);
  }
}

/** The smallest node that an offset lies in. */
function nodeAt(root: Syntax, offset: number): Syntax {
  let node = root;
  for (;;) {
    const next = node.children.find((child) => child.start <= offset && offset < child.end);
    if (!next) return node;
    node = next;
  }
}
