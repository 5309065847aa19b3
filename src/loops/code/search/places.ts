// Where to edit: the nodes of suspicious statements, and how doubtful it is that the fault is there.

import type { Program } from "./candidate.ts";
import { isStatement } from "./syntax/roles.ts";
import { Source } from "./syntax/source.ts";
import type { Syntax } from "./syntax/tree.ts";
import { Scene } from "./words/scene.ts";

/** The program's files, parsed, with the suspicion of their lines. */
export class Places {
  readonly #scenes = new Map<string, Scene>();
  readonly #suspicion = new Map<string, Map<number, number>>();
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

  scene(path: string): Scene | undefined {
    return this.#scenes.get(path);
  }

  get scenes(): Iterable<Scene> {
    return this.#scenes.values();
  }

  /** Every node of a suspicious line. */
  *nodesOf(scene: Scene): Generator<Syntax> {
    for (const node of scene.source.root.walk()) if (this.#suspicionOf(node, scene) > 0) yield node;
  }

  /** How doubtful it is that the fault is at a node: in bits, 0 where the suspicion is greatest. */
  doubtOf(node: Syntax, scene: Scene): number {
    return -2 * Math.log2(Math.max(this.#suspicionOf(node, scene), 0.01) / this.#greatest);
  }

  /** The suspicion of a node's line, or of the line where its statement begins. */
  #suspicionOf(node: Syntax, scene: Scene): number {
    const lines = this.#suspicion.get(scene.source.path);
    let statement: Syntax | undefined = node;
    while (statement && !isStatement(statement.role)) statement = statement.parent;
    return Math.max(lines?.get(node.line) ?? 0, (statement && lines?.get(statement.line)) ?? 0);
  }
}
