export type Road = [from: string, to: string, cost: number];

export class RoadMap {
  private links = new Map<string, { to: string; cost: number }[]>();

  constructor(roads: Iterable<Road>) {
    for (const [from, to, cost] of roads) {
      this.link(from, to, cost);
      this.link(to, from, cost);
    }
  }

  private link(from: string, to: string, cost: number): void {
    const list = this.links.get(from);
    if (list) list.push({ to, cost });
    else this.links.set(from, [{ to, cost }]);
  }

  /** The cheapest route, or null when the two towns are not connected. */
  cheapest(start: string, goal: string): { cost: number; path: string[] } | null {
    const best = new Map<string, number>([[start, 0]]);
    const cameFrom = new Map<string, string>();
    const open = new Set<string>([start]);

    while (open.size > 0) {
      let town = "";
      for (const candidate of open) {
        if (town === "" || best.get(candidate)! < best.get(town)!) town = candidate;
      }
      if (town === goal) break;
      open.delete(town);

      for (const { to, cost } of this.links.get(town) ?? []) {
        const total = best.get(town)! + cost;
        if (total < (best.get(to) ?? Infinity)) {
          best.set(to, total);
          cameFrom.set(to, town);
          open.add(to);
        }
      }
    }

    if (!best.has(goal)) return null;
    const path = [goal];
    while (path[0] !== start) path.unshift(cameFrom.get(path[0])!);
    return { cost: best.get(goal)!, path };
  }
}
