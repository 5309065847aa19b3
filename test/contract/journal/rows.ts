// How a journal appends rows and gives them back, and what it refuses (L4).

import { expect, it } from "vitest";
import { linkOf } from "../../../packages/core/src/record/chain.ts";
import { sha256 } from "../../../packages/core/src/record/json.ts";
import {
  BrokenMap,
  blob,
  chain,
  commit,
  created,
  elsewhere,
  failure,
  fold,
  type Opened,
  rowAfter,
  self,
  signal,
} from "./sample.ts";

/** Tests of appending and reading. */
export function appending(opened: () => Opened): void {
  it("reads rows in order, all of them or those after a sequence number", async () => {
    const { journal } = opened();
    const rows = chain(300);
    const lease = await created(journal, "run", rows.slice(0, 1));
    for (let at = 1; at < rows.length; at += 23) await journal.append(lease, commit(rows.slice(at, at + 23)));
    expect(await journal.read("run")).toEqual(rows);
    expect(await journal.read("run", 0)).toEqual(rows);
    expect(await journal.read("run", 298)).toEqual(rows.slice(298));
    expect(await journal.read("run", 300)).toEqual([]);
  });

  it("keeps the rows of two runs apart", async () => {
    const { journal } = opened();
    const one = await created(journal, "one", chain(2, "one"));
    const two = await created(journal, "two", chain(2, "two"));
    await journal.append(one, commit([rowAfter(chain(2, "one"))]));
    await journal.append(two, commit([rowAfter(chain(2, "two"))]));
    expect(await journal.read("one")).toEqual([...chain(2, "one"), rowAfter(chain(2, "one"))]);
    expect(await journal.read("two", 1)).toEqual([chain(2, "two")[1], rowAfter(chain(2, "two"))]);
  });

  it("gives bodies and blobs back letter by letter", async () => {
    const { journal } = opened();
    const text = JSON.stringify(`quotes " ' \\, a zero \0, Zürich, 漢字, 🚢, \ud800, ${"x".repeat(100_000)}`);
    const row = { seq: 1, body: text, link: linkOf("", text) };
    await journal.create("run", self, commit([row], { blobs: blob(text) }));
    expect(await journal.read("run")).toEqual([row]);
    expect(await journal.blob(sha256(text))).toEqual({ state: "here", text });
  });

  it("gives another reader what was appended as soon as the append returns", async () => {
    const { journal, again } = opened();
    const other = await again();
    const lease = await created(journal, "run", chain(1));
    expect(await other.read("run")).toEqual(chain(1));
    await journal.append(lease, commit([rowAfter(chain(1))]));
    expect(await other.read("run")).toEqual([...chain(1), rowAfter(chain(1))]);
    await other.close();
  });

  it("refuses the commit of a stale token, and stores nothing of it (L4)", async () => {
    const { journal } = opened();
    const old = await created(journal, "run", chain(1));
    await journal.signal("run", signal("cancel"));
    await journal.acquire("run", elsewhere, { take: true });
    const late = journal.append(old, {
      rows: [rowAfter(chain(1))],
      blobs: blob("late"),
      taken: ["cancel"],
      fold: fold(1),
    });
    expect(await failure(late)).toMatchObject({ code: "LEASE_LOST", message: expect.stringContaining("run") });
    expect(await journal.read("run")).toEqual(chain(1));
    expect(await journal.blob(sha256("late"))).toEqual({ state: "missing" });
    expect(await journal.signals("run")).toHaveLength(1);
    expect(await journal.fold("run")).toBeUndefined();
  });

  it("refuses the commit of a lease that was given back (L4)", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1));
    await journal.yield(lease, 0);
    expect(await failure(journal.append(lease, commit([rowAfter(chain(1))])))).toMatchObject({ code: "LEASE_LOST" });
    expect(await journal.read("run")).toEqual(chain(1));
  });

  it("stores nothing of an append that fails half-way", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1));
    const broken = commit([rowAfter(chain(1))], { blobs: new BrokenMap([["ab", "text"]]) });
    await expect(journal.append(lease, broken)).rejects.toThrow("broken");
    expect(await journal.read("run")).toEqual(chain(1));
    await journal.append(lease, commit([rowAfter(chain(1))]));
    expect(await journal.read("run")).toEqual([...chain(1), rowAfter(chain(1))]);
  });

  it("has all that was stored when it is closed and opened again", async () => {
    const { journal, again } = opened();
    const lease = await created(journal, "run", chain(2), { blobs: blob("kept"), fold: fold(2) });
    await journal.signal("run", signal("cancel"));
    await journal.yield(lease, 1234, fold(2));
    await journal.close();
    const next = await again();
    expect(await next.read("run")).toEqual(chain(2));
    expect(await next.blob(sha256("kept"))).toEqual({ state: "here", text: "kept" });
    expect(await next.fold("run")).toEqual(fold(2));
    expect(await next.signals("run")).toEqual([signal("cancel")]);
    expect(await next.acquire("run", self)).toMatchObject({ run: "run", active: 1234 });
    await next.close();
  });
}
