// Several processes claim at once: each issue goes to one of them, and what a dead one held is ready again.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, it } from "vitest";
import type { Tracker } from "../tracker.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Runs the test with real processes. */
export function claimsOfProcesses(
  kind: "own" | "beads",
  { issues, processes }: { issues: number; processes: number },
  open: () => Promise<{ dir: string; tracker: Tracker; close(): Promise<void> }>,
): void {
  it(`gives each of ${issues} issues to one of ${processes} processes, and those of a killed one to the next`, async () => {
    const { dir, tracker, close } = await open();
    for (let number = 0; number < issues; number++) await tracker.create({ title: `issue ${number}` });
    const claimers = await Promise.all(Array.from({ length: processes }, () => claim(dir, kind)));
    const all = claimers.flatMap(({ taken }) => taken);
    expect(all.toSorted()).toEqual((await tracker.list()).map(({ id }) => id).toSorted());
    expect(await tracker.ready()).toEqual([]);
    const busiest = claimers.toSorted((one, other) => other.taken.length - one.taken.length)[0]!;
    busiest.child.kill("SIGKILL");
    await once(busiest.child, "exit");
    expect((await tracker.ready()).map(({ id }) => id).toSorted()).toEqual(busiest.taken.toSorted());
    const heir = await claim(dir, kind);
    expect(heir.taken.toSorted()).toEqual(busiest.taken.toSorted());
    for (const child of children) child.kill("SIGKILL");
    await close();
  });
}

/** A process that has claimed all that it could get. */
async function claim(dir: string, kind: string): Promise<{ child: ChildProcess; taken: string[] }> {
  const program = join(import.meta.dirname, "claimer.ts");
  const child = spawn(process.execPath, ["--conditions=loopwright-source", program, dir, kind], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const taken: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "none") return { child, taken };
    taken.push(line);
  }
  throw new Error("it ended without having asked for all");
}
