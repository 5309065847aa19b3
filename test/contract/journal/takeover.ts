// How a journal takes a run over from a holder that is dead or stays silent (L4).

import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { startHolder, startZombie } from "./holder.ts";
import {
  chain,
  commit,
  created,
  elsewhere,
  expectOneWinner,
  failure,
  type Opened,
  rowAfter,
  SILENCE,
  self,
} from "./sample.ts";

/** Tests of taking over. */
export function takingOver(opened: () => Opened): void {
  it("takes a run from a process that was killed, at once and without waiting for silence", async () => {
    const { journal } = opened();
    const holder = await startHolder();
    const old = await created(journal, "run", chain(1), {}, holder.id);
    await holder.kill();
    expect(await journal.holder("run", self)).toEqual({ holder: holder.id, alive: false });
    const started = performance.now();
    const lease = await journal.acquire("run", self);
    expect(performance.now() - started).toBeLessThan(SILENCE / 2);
    expect(await failure(journal.append(old, commit([rowAfter(chain(1))])))).toMatchObject({ code: "LEASE_LOST" });
    await journal.append(lease, commit([rowAfter(chain(1))]));
  });

  it.skipIf(process.platform !== "linux")("takes a zombie to be dead (on Linux)", async () => {
    const { journal } = opened();
    const zombie = await startZombie();
    await journal.create("run", zombie.id, commit(chain(1)));
    expect(await journal.holder("run", self)).toMatchObject({ alive: false });
    const started = performance.now();
    await journal.acquire("run", self);
    expect(performance.now() - started).toBeLessThan(SILENCE / 2);
    await zombie.kill();
  });

  it("is not fooled by another process that has got the dead holder's number", async () => {
    const { journal } = opened();
    await journal.create("run", { ...self, started: "1" }, commit(chain(1)));
    expect(await journal.holder("run", self)).toMatchObject({ alive: false });
    await journal.acquire("run", self);
  });

  it("takes over from a holder elsewhere that stays silent, but not before the silence is over", async () => {
    const { journal } = opened();
    const old = await created(journal, "run", chain(1), {}, elsewhere);
    expect(await journal.holder("run", self)).toEqual({ holder: elsewhere, alive: true });
    const started = performance.now();
    await journal.acquire("run", self);
    const took = performance.now() - started;
    expect(took).toBeGreaterThanOrEqual(SILENCE - 5);
    expect(took).toBeLessThan(SILENCE + 1_000);
    expect(await failure(journal.append(old, commit([rowAfter(chain(1))])))).toMatchObject({ code: "LEASE_LOST" });
  });

  it("counts a holder of which it is not known when it started as alive while there is a process of its number", async () => {
    const { journal } = opened();
    const holder = await startHolder();
    await created(journal, "run", chain(1), {}, { ...holder.id, started: "" });
    expect(await failure(journal.acquire("run", self))).toMatchObject({ code: "LEASE_HELD" });
    await holder.kill();
    expect(await journal.holder("run", self)).toMatchObject({ alive: false });
    await journal.acquire("run", self);
  });

  it("counts silence in answered looks: one that slept through it has heard nothing", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1), {}, elsewhere);
    const acquired = failure(journal.acquire("run", self));
    await wait(50);
    // The whole process stands still, as on a machine that is suspended.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SILENCE + 300);
    await wait(50);
    await journal.beat(lease, 10);
    expect(await acquired).toMatchObject({ code: "LEASE_HELD" });
  });

  it("counts the same host in another pid namespace, or after another boot, as elsewhere", async () => {
    const { journal } = opened();
    for (const [n, holder] of [
      { ...self, namespace: "pid:[7]" },
      { ...self, boot: "b" },
    ].entries()) {
      const lease = await created(journal, `run-${n}`, chain(1), {}, holder);
      const acquired = journal.acquire(`run-${n}`, self);
      await journal.beat(lease, 1);
      expect(await failure(acquired)).toMatchObject({ code: "LEASE_HELD" });
    }
  });

  it("refuses a run whose holder elsewhere shows a sign of life", async () => {
    const { journal, again } = opened();
    const there = await again();
    const lease = await created(journal, "run", chain(1), {}, elsewhere);
    const acquired = failure(journal.acquire("run", self));
    await there.beat(lease, 10);
    expect(await acquired).toMatchObject({ code: "LEASE_HELD", message: expect.stringContaining("77 on far-away") });
    await there.append(lease, commit([rowAfter(chain(1))]));
    await there.close();
  });

  it("takes a run that its holder elsewhere gives back meanwhile, without waiting longer", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1), {}, elsewhere);
    const acquired = journal.acquire("run", self);
    await journal.yield(lease, 42);
    expect(await acquired).toMatchObject({ active: 42 });
  });

  it("lets exactly one win where many take over from the dead, or from the silent", async () => {
    const { journal, again } = opened();
    const other = await again();
    for (const [run, holder] of [["dead", { ...self, started: "1" }] as const, ["silent", elsewhere] as const]) {
      await journal.create(run, holder, commit(chain(1)));
      await expectOneWinner(Array.from({ length: 6 }, (_, n) => (n % 2 ? other : journal).acquire(run, self)));
    }
    await other.close();
  });
}
