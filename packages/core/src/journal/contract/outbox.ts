// How a journal keeps what is to be told outside.

import { expect, it } from "vitest";
import type { Message } from "../../ports.ts";
import { BrokenMap, chain, commit, created, elsewhere, type Opened, rowAfter, self } from "./sample.ts";

const message = (id: string, at = 5): Message => ({ id, run: "run", at, to: "webhook", body: "“ü”", seal: "s" });
const waiting = { state: "waiting", tries: 0, due: 0, heldUntil: 0 };

/** Tests of messages. */
export function posting(opened: () => Opened): void {
  it("O1: takes messages in with their rows, oldest first, for every process to see", async () => {
    const { journal, again } = opened();
    const lease = await created(journal, "run", chain(1), { messages: [message("z")] });
    await journal.append(lease, commit([rowAfter(chain(1))], { messages: [message("a"), message("m")] }));
    const other = await again();
    expect(await other.outbox.list()).toEqual(["z", "a", "m"].map((id) => ({ ...message(id), ...waiting })));
    await other.close();
  });

  it("O1: takes none in where the commit fails or the lease is lost", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1));
    const rows = [rowAfter(chain(1))];
    const lost = { ...lease, token: 7 };
    await expect(journal.append(lost, commit(rows, { messages: [message("a")] }))).rejects.toThrow();
    const blobs = new BrokenMap([["00", "x"]]);
    await expect(journal.append(lease, commit(rows, { blobs, messages: [message("b")] }))).rejects.toThrow();
    expect(await journal.outbox.list()).toEqual([]);
  });

  it("O2: lets one process begin a try, and the others know that it has", async () => {
    const { journal, again } = opened();
    const other = await again();
    await created(journal, "run", chain(1), { messages: [message("a")] });
    const claims = [journal, other, journal, other].map(({ outbox }) => outbox.claim("a", 0, self, 99));
    expect((await Promise.all(claims)).filter(Boolean)).toEqual([true]);
    const held = { ...message("a"), ...waiting, tries: 1, holder: self, heldUntil: 99 };
    expect(await other.outbox.list("waiting")).toEqual([held]);
    expect(await other.outbox.claim("unknown", 0, self, 99)).toBe(false);
    await other.close();
  });

  it("O2: hears how a try went from whoever has begun the last one, and from nobody else", async () => {
    const { journal } = opened();
    const { outbox } = journal;
    await created(journal, "run", chain(1), { messages: [message("a")] });
    await outbox.claim("a", 0, self, 99);
    await outbox.settle("a", 1, { state: "waiting", due: 7, error: "it is down" });
    expect(await outbox.list()).toEqual([{ ...message("a"), ...waiting, tries: 1, due: 7, error: "it is down" }]);
    await outbox.claim("a", 1, self, 99);
    await outbox.claim("a", 2, elsewhere, 120);
    await outbox.settle("a", 2, { state: "sent", due: 8 });
    expect(await outbox.list("sent")).toEqual([]);
    await outbox.settle("a", 3, { state: "sent", due: 9 });
    expect(await outbox.list()).toEqual([{ ...message("a"), ...waiting, state: "sent", tries: 3, due: 9 }]);
  });

  it("O4: begins a try of what is dead or sent where it is asked to, and forgets what is older than a time", async () => {
    const { journal } = opened();
    const { outbox } = journal;
    await created(journal, "run", chain(1), { messages: [message("a", 5), message("b", 6), message("c", 7)] });
    for (const [id, state] of [
      ["a", "dead"],
      ["b", "sent"],
    ] as const) {
      await outbox.claim(id, 0, self, 99);
      await outbox.settle(id, 1, { state, due: 0 });
      expect(await outbox.claim(id, 1, self, 99)).toBe(true);
    }
    expect(await outbox.list("waiting")).toHaveLength(3);
    await outbox.forget(6);
    expect((await outbox.list()).map(({ id }) => id)).toEqual(["b", "c"]);
  });
}
