// How a journal lends a run to one process at a time (L4).

import { expect, it } from "vitest";
import type { Lease } from "../../../packages/core/src/ports.ts";
import { startHolder } from "./holder.ts";
import {
  chain,
  commit,
  created,
  expectOneWinner,
  failure,
  fold,
  type Opened,
  rowAfter,
  SILENCE,
  self,
} from "./sample.ts";

/** Tests of leases. */
export function lending(opened: () => Opened): void {
  it("lends a free run at once, each time with a higher token", async () => {
    const { journal } = opened();
    let lease: Lease = await created(journal, "run");
    for (let round = 0; round < 3; round++) {
      const { token } = lease;
      await journal.yield(lease, 0);
      expect(await journal.holder("run", self)).toBeUndefined();
      lease = await journal.acquire("run", self);
      expect(lease.token).toBeGreaterThan(token);
    }
  });

  it("refuses a run that a live process holds, at once, and names process and host", async () => {
    const { journal } = opened();
    const holder = await startHolder();
    await journal.create("run", holder.id, commit(chain(1)));
    const started = performance.now();
    const error = await failure(journal.acquire("run", self));
    expect(performance.now() - started).toBeLessThan(SILENCE / 2);
    expect(error).toMatchObject({ code: "LEASE_HELD", data: { pid: holder.id.pid, host: holder.id.host } });
    expect(error.message).toContain(`process ${holder.id.pid} on ${holder.id.host}`);
    expect(await journal.holder("run", self)).toEqual({ holder: holder.id, alive: true });
    await holder.kill();
  });

  it("lets exactly one of many racing acquires win", async () => {
    const { journal, again } = opened();
    const other = await again();
    for (let round = 1; round <= 5; round++) {
      const run = `run-${round}`;
      await journal.yield(await created(journal, run), 0);
      const tries = Array.from({ length: 6 }, (_, n) => (n % 2 ? other : journal).acquire(run, self));
      await expectOneWinner(tries);
    }
    await other.close();
  });

  it("gives a run to whoever takes it from a live holder, and refuses the old one's late word (L4)", async () => {
    const { journal, again } = opened();
    const other = await again();
    const old = await created(journal, "run", chain(1));
    const lease = await other.acquire("run", self, { take: true });
    expect(lease.token).toBeGreaterThan(old.token);
    for (const late of [
      journal.append(old, commit([rowAfter(chain(1))])),
      journal.beat(old, 9_999),
      journal.yield(old, 9_999, fold(1)),
    ])
      expect(await failure(late)).toMatchObject({ code: "LEASE_LOST" });
    await other.append(lease, commit([rowAfter(chain(1))]));
    expect(await journal.read("run")).toEqual([...chain(1), rowAfter(chain(1))]);
    expect(await journal.fold("run")).toBeUndefined();
    expect((await journal.holder("run", self))?.holder).toEqual(self);
    await other.yield(lease, 5);
    expect((await other.acquire("run", self)).active).toBe(5);
    await other.close();
  });

  it("hands on the active time that the last holder reported", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run");
    await journal.beat(lease, 2_000);
    await journal.beat(lease, 4_000);
    expect((await journal.acquire("run", self, { take: true })).active).toBe(4_000);
    const next = await journal.acquire("run", self, { take: true });
    await journal.yield(next, 7_500);
    expect((await journal.acquire("run", self)).active).toBe(7_500);
  });
}
