export interface CategoryRow {
  id: number;
  parentId: number | null;
  name: string;
}

export interface CategoryNode {
  id: number;
  name: string;
  children: CategoryNode[];
}

export function buildTree(rows: CategoryRow[]): CategoryNode[] {
  const nodes = new Map<number, CategoryNode>();
  for (const { id, name } of rows) {
    nodes.set(id, { id, name, children: [] });
  }

  const roots: CategoryNode[] = [];
  for (const { id, parentId } of rows) {
    const node = nodes.get(id)!;
    const parent = parentId === null ? undefined : nodes.get(parentId);
    // rows whose parent was deleted become roots
    (parent ? parent.children : roots).push(node);
  }
  return roots;
}

export function outline(nodes: CategoryNode[], depth = 0): string[] {
  return nodes.flatMap((node) => [
    '  '.repeat(depth) + node.name,
    ...outline(node.children, depth + 1),
  ]);
}

export function pathTo(nodes: CategoryNode[], id: number): string[] | null {
  for (const node of nodes) {
    if (node.id === id) return [node.name];
    const rest = pathTo(node.children, id);
    if (rest) return [node.name, ...rest];
  }
  return null;
}
