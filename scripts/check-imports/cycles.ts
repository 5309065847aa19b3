// Cycles between packages, by what they name and by what they import, and between files.

import { dirname, join } from "node:path/posix";
import { isPath } from "./targets.ts";
import { dependenciesOf, type Finding, packageNameOf, placeIn, type Tree } from "./tree.ts";

/** From each node to the nodes that it needs, with the place that says so. */
type Graph = Map<string, Map<string, string>>;

/** One finding for each way back to where it began. */
export function cycleFindings(tree: Tree): Finding[] {
  return [
    ...cyclesIn(packageGraph(tree)).map(({ place, path }) => ({
      place,
      message: `packages in a circle: ${path.join(" → ")}; take one of these dependencies out`,
    })),
    ...cyclesIn(fileGraph(tree)).map(({ place, path }) => ({
      place,
      message: `files in a circle: ${path.join(" → ")}; move what they share into a file of its own`,
    })),
  ];
}

function packageGraph({ packages, byName, files }: Tree): Graph {
  const graph: Graph = new Map();
  const add = (from: string, to: string, place: string) => {
    if (byName.has(to) && from !== to && !edgesOf(graph, from).has(to)) edgesOf(graph, from).set(to, place);
  };
  for (const { folder, manifest, text } of packages) {
    const place = (name: string) => placeIn(`${folder}/package.json`, text, name);
    for (const name of dependenciesOf(manifest)) add(manifest.name, name, place(name));
  }
  for (const { path, owner, imports } of files) {
    if (!byName.has(owner.manifest.name)) continue;
    for (const { target, line } of imports) add(owner.manifest.name, packageNameOf(target), `${path}:${line}`);
  }
  return graph;
}

/** Types are erased, and an import() waits: neither makes two files load each other. */
function fileGraph({ files }: Tree): Graph {
  const graph: Graph = new Map();
  for (const { path, imports } of files) {
    for (const { target, line, kind } of imports) {
      if (kind === "load" && isPath(target)) edgesOf(graph, path).set(join(dirname(path), target), `${path}:${line}`);
    }
  }
  return graph;
}

function edgesOf(graph: Graph, node: string): Map<string, string> {
  const edges = graph.get(node) ?? new Map<string, string>();
  graph.set(node, edges);
  return edges;
}

/** Depth first: an edge to a node that is still being followed closes a cycle. */
function cyclesIn(graph: Graph): { place: string; path: string[] }[] {
  const found: { place: string; path: string[] }[] = [];
  const done = new Set<string>();
  const follow = (node: string, trail: string[]) => {
    for (const [next, place] of graph.get(node) ?? []) {
      const at = trail.indexOf(next);
      if (at >= 0) found.push({ place, path: [...trail.slice(at), next] });
      else if (!done.has(next)) follow(next, [...trail, next]);
    }
    done.add(node);
  };
  for (const node of graph.keys()) if (!done.has(node)) follow(node, [node]);
  return found;
}
