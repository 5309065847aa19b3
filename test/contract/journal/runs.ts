// How a journal creates runs and lists them (L1).

import { expect, it } from "vitest";
import { sha256 } from "../../../packages/core/src/record/json.ts";
import {
  BrokenMap,
  blob,
  chain,
  commit,
  created,
  elsewhere,
  failure,
  type Opened,
  rowAfter,
  self,
  signal,
} from "./sample.ts";

/** Tests of creating runs. */
export function creating(opened: () => Opened): void {
  it("makes a run, its lease and its first rows in one commit (L1)", async () => {
    const { journal } = opened();
    const lease = await journal.create("run", self, commit(chain(3)));
    expect(lease).toMatchObject({ run: "run", active: 0 });
    expect(await journal.read("run")).toEqual(chain(3));
    expect(await journal.holder("run", self)).toEqual({ holder: self, alive: true });
  });

  it("refuses an id that is taken, and changes nothing of its run", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(2));
    expect(await journal.create("run", elsewhere, commit(chain(1), { blobs: blob("new") }))).toBe(false);
    expect(await journal.read("run")).toEqual(chain(2));
    expect(await journal.blob(sha256("new"))).toEqual({ state: "missing" });
    expect((await journal.holder("run", self))?.holder).toEqual(self);
    await journal.append(lease, commit([rowAfter(chain(2))]));
  });

  it("lets exactly one of many creates of one id win", async () => {
    const { journal, again } = opened();
    const other = await again();
    const tries = Array.from({ length: 8 }, (_, n) => (n % 2 ? other : journal).create("run", self, commit(chain(1))));
    const leases = (await Promise.all(tries)).filter((lease) => lease !== false);
    expect(leases).toHaveLength(1);
    await other.close();
  });

  it("leaves nothing of a run whose first commit fails (L1)", async () => {
    const { journal } = opened();
    await expect(journal.create("run", self, commit(chain(1), { blobs: new BrokenMap() }))).rejects.toThrow("broken");
    expect(await journal.runs()).toEqual([]);
    expect(await journal.read("run")).toEqual([]);
    expect(await journal.holder("run", self)).toBeUndefined();
  });

  it("does not mix up runs after a create that failed", async () => {
    const { journal, again } = opened();
    const other = await again();
    await journal.create("first", self, commit(chain(1), { blobs: new BrokenMap() })).catch(() => {});
    await created(other, "second", chain(2));
    const lease = await created(journal, "first", chain(1));
    await journal.append(lease, commit([rowAfter(chain(1))]));
    expect(await journal.read("first")).toEqual([...chain(1), rowAfter(chain(1))]);
    expect(await journal.read("second")).toEqual(chain(2));
    await other.close();
  });

  it("lists runs by the beginning of their ids, oldest first, and takes no character for a wildcard", async () => {
    const { journal } = opened();
    for (const run of ["b-1", "a_1", "ab1", "a%1", "ü-1"]) await created(journal, run);
    expect(await journal.runs()).toEqual(["b-1", "a_1", "ab1", "a%1", "ü-1"]);
    expect(await journal.runs("a")).toEqual(["a_1", "ab1", "a%1"]);
    expect(await journal.runs("a_")).toEqual(["a_1"]);
    expect(await journal.runs("a%")).toEqual(["a%1"]);
    expect(await journal.runs("ü")).toEqual(["ü-1"]);
    expect(await journal.runs("A")).toEqual([]);
    expect(await journal.runs("a_11")).toEqual([]);
  });

  it("names the run where there is none of that id", async () => {
    const { journal } = opened();
    expect(await journal.read("none")).toEqual([]);
    expect(await journal.fold("none")).toBeUndefined();
    expect(await journal.holder("none", self)).toBeUndefined();
    expect(await journal.signals("none")).toEqual([]);
    const unknown = { code: "RUN_NOT_FOUND", message: expect.stringContaining("'none'") };
    expect(await failure(journal.acquire("none", self))).toMatchObject(unknown);
    expect(await failure(journal.acquire("none", self, { take: true }))).toMatchObject(unknown);
    expect(await failure(journal.signal("none", signal("cancel")))).toMatchObject(unknown);
  });
}
