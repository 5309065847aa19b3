export type Dependencies = Record<string, string[]>;

export class CycleError extends Error {
  cycle: string[];

  constructor(cycle: string[]) {
    super(`cycle: ${cycle.join(' -> ')}`);
    this.cycle = cycle;
  }
}

/** Dependencies before their dependents, otherwise in the order given. */
export function buildOrder(packages: Dependencies): string[] {
  const order: string[] = [];
  const path: string[] = [];

  const visit = (name: string): void => {
    const start = path.indexOf(name);
    if (start !== -1) throw new CycleError([...path.slice(start), name]);
    if (order.includes(name)) return;

    path.push(name);
    for (const dependency of packages[name] ?? []) visit(dependency);
    path.pop();
    order.push(name);
  };

  Object.keys(packages).forEach(visit);
  return order;
}
