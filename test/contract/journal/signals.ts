// How a journal passes on what other processes want of a run.

import { expect, it } from "vitest";
import type { Signal } from "../../../packages/core/src/ports.ts";
import { chain, commit, created, type Opened, rowAfter, signal } from "./sample.ts";

/** Tests of signals. */
export function signaling(opened: () => Opened): void {
  it("lets the first signal of an id win, whoever sends the second", async () => {
    const { journal, again } = opened();
    const other = await again();
    await created(journal, "run");
    const first: Signal = { id: "answer:g@1#1", at: 5, body: { kind: "answer", choice: "yes", note: "“fine”\n" } };
    const second: Signal = { ...first, at: 6, body: { kind: "answer", choice: "no" } };
    expect(await journal.signal("run", first)).toBe(true);
    expect(await other.signal("run", second)).toBe(false);
    expect(await journal.signals("run")).toEqual([first]);
    await other.close();
  });

  it("gives signals in the order in which they came, and each run its own", async () => {
    const { journal } = opened();
    await created(journal, "run");
    await created(journal, "other");
    const raise: Signal = { id: "raise:1", at: 1, body: { kind: "raise", ceilings: { minutes: 5 } } };
    const sent = [signal("z"), raise, signal("a"), signal("m")];
    for (const one of sent) await journal.signal("run", one);
    expect(await journal.signal("other", signal("a"))).toBe(true);
    expect(await journal.signals("run")).toEqual(sent);
    expect(await journal.signals("other")).toEqual([signal("a")]);
  });

  it("no longer gives a signal that a commit has taken up, and never takes its id again", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1));
    for (const id of ["one", "two"]) await journal.signal("run", signal(id));
    await journal.append(lease, commit([rowAfter(chain(1))], { taken: ["one", "unknown"] }));
    expect(await journal.signals("run")).toEqual([signal("two")]);
    expect(await journal.signal("run", signal("one"))).toBe(false);
    expect(await journal.signals("run")).toEqual([signal("two")]);
  });

  it("keeps its own copy of a signal", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1));
    const sent = Object.freeze(signal("cancel"));
    await journal.signal("run", sent);
    const [given] = await journal.signals("run");
    await journal.append(lease, commit([rowAfter(chain(1))], { taken: ["cancel"] }));
    expect(given).toEqual(signal("cancel"));
    expect(sent).toEqual(signal("cancel"));
  });
}
