// A syntax tree of plain objects: what both languages' grammars give, in one set of roles and fields, so that edits are
// written once. Offsets are UTF-16 units of the source.

import type { Parser } from "@loopwright/workspace/grammar";
import type { Role } from "./roles.ts";

/** How a grammar's node types are read: their roles, and the fields that the grammar leaves unnamed or names otherwise. */
export interface Reading {
  roleOf(node: Syntax): Role;
  fieldOf(parentType: string, field: string | null, namedBefore: number): string | undefined;
}

/** A node of the tree. */
export class Syntax {
  role: Role = "other";
  parent: Syntax | undefined;
  children: Syntax[] = [];
  /** Where its tokens stand among those of the file's normal form; set by `flatten`. */
  formStart = 0;
  formEnd = 0;

  readonly source: string;
  readonly type: string;
  readonly isNamed: boolean;
  readonly field: string | undefined;
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;

  constructor(
    source: string,
    type: string,
    isNamed: boolean,
    field: string | undefined,
    span: { start: number; end: number; line: number },
  ) {
    this.source = source;
    this.type = type;
    this.isNamed = isNamed;
    this.field = field;
    this.start = span.start;
    this.end = span.end;
    this.line = span.line;
  }

  get text(): string {
    return this.source.slice(this.start, this.end);
  }

  /** Its named children that are no comments. */
  get parts(): Syntax[] {
    return this.children.filter((child) => child.isNamed && child.role !== "comment");
  }

  child(field: string): Syntax | undefined {
    return this.children.find((child) => child.field === field);
  }

  all(field: string): Syntax[] {
    return this.children.filter((child) => child.field === field);
  }

  /** The node and all below it, in the order of the text. */
  *walk(): Generator<Syntax> {
    yield this;
    for (const child of this.children) yield* child.walk();
  }

  /** The nearest node above it (not itself) of one of the roles. */
  above(...roles: Role[]): Syntax | undefined {
    let node = this.parent;
    while (node && !roles.includes(node.role)) node = node.parent;
    return node;
  }

  contains(other: Syntax): boolean {
    return other.start >= this.start && other.end <= this.end;
  }
}

/** Parses a text; undefined where it has faults. */
export function parseSyntax(parser: Parser, reading: Reading, source: string): Syntax | undefined {
  const tree = parser.parse(source);
  if (!tree) return undefined;
  try {
    return tree.rootNode.hasError ? undefined : readTree(tree.rootNode, reading, source);
  } finally {
    tree.delete();
  }
}

function readTree(
  root: NonNullable<ReturnType<Parser["parse"]>>["rootNode"],
  reading: Reading,
  source: string,
): Syntax {
  const cursor = root.walk();
  try {
    const read = (parentType: string, namedBefore: number): Syntax => {
      const type = cursor.nodeType;
      const field = reading.fieldOf(parentType, cursor.currentFieldName, cursor.nodeIsNamed ? namedBefore : -1);
      const node = new Syntax(source, type, cursor.nodeIsNamed, field, {
        start: cursor.startIndex,
        // A comment's node holds the first half of its line's end, and so does what it ends.
        end: source[cursor.endIndex - 1] === "\r" ? cursor.endIndex - 1 : cursor.endIndex,
        line: cursor.startPosition.row + 1,
      });
      if (cursor.gotoFirstChild()) {
        let named = 0;
        do {
          const child = read(type, named);
          child.parent = node;
          if (child.isNamed && child.role !== "comment") named++;
          node.children.push(child);
        } while (cursor.gotoNextSibling());
        cursor.gotoParent();
      }
      node.role = reading.roleOf(node);
      return node;
    };
    return read("", 0);
  } finally {
    cursor.delete();
  }
}
