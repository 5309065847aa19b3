// How a journal keeps folds and summaries, which can be lost without losing a row (L3).

import { expect, it } from "vitest";
import { chain, commit, created, fold, type Opened, rowAfter, self } from "./sample.ts";

/** Tests of folds. */
export function keepingFolds(opened: () => Opened): void {
  it("keeps the last fold of a run, and only of that run", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1), { fold: fold(1) });
    await created(journal, "other", chain(1));
    expect(await journal.fold("run")).toEqual(fold(1));
    await journal.append(lease, commit([rowAfter(chain(1))], { fold: fold(2) }));
    expect(await journal.fold("run")).toEqual(fold(2));
    await journal.append(lease, commit([rowAfter([...chain(1), rowAfter(chain(1))])]));
    expect(await journal.fold("run")).toEqual(fold(2));
    expect(await journal.fold("other")).toBeUndefined();
  });

  it("keeps the fold that a lease is given back with", async () => {
    const { journal } = opened();
    await journal.yield(await created(journal, "run", chain(1)), 0, fold(1));
    expect(await journal.fold("run")).toEqual(fold(1));
  });

  it("lists every run, with a summary only where nothing has come since it was made", async () => {
    const { journal } = opened();
    const rows = chain(2);
    const last = { ...fold(2), link: rows[1]!.link };
    await journal.yield(await created(journal, "whole", rows), 0, last);
    const lease = await created(journal, "behind", rows, { fold: last });
    await journal.append(lease, commit([rowAfter(rows)]));
    await created(journal, "bare");
    const summaries = await journal.summaries();
    expect(summaries).toEqual([
      { run: "whole", summary: "summary 2", holder: undefined },
      { run: "behind", summary: undefined, holder: self },
      { run: "bare", summary: undefined, holder: self },
    ]);
  });
}
