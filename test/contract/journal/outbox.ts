// How a journal keeps what is to be told outside.

import { expect, it } from "vitest";
import type { Message } from "../../../packages/core/src/ports.ts";
import { BrokenMap, chain, commit, created, type Opened, rowAfter } from "./sample.ts";

const ways = ["webhook"];
const message = (id: string, to = "webhook"): Omit<Message, "tries"> => ({ id, run: "run", at: 5, to, body: "“ü”" });

/** Tests of messages. */
export function posting(opened: () => Opened): void {
  it("takes messages in with their rows, and gives the oldest first, to any process", async () => {
    const { journal, again } = opened();
    expect(await journal.outbox.isEmpty()).toBe(true);
    const lease = await created(journal, "run", chain(1), { messages: [message("z")] });
    const more = [message("b", "command"), message("a")];
    await journal.append(lease, commit([rowAfter(chain(1))], { messages: more }));
    const other = await again();
    expect(await other.outbox.isEmpty()).toBe(false);
    expect(await other.outbox.claim(ways, 10, 20)).toEqual({ ...message("z"), tries: 1 });
    expect(await other.outbox.claim(ways, 10, 20)).toEqual({ ...message("a"), tries: 1 });
    expect(await other.outbox.claim(ways, 10, 20)).toBeUndefined();
    await other.close();
  });

  it("takes none in where the commit fails or the lease is lost", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1));
    const rows = [rowAfter(chain(1))];
    const lost = { ...lease, token: 7 };
    await expect(journal.append(lost, commit(rows, { messages: [message("a")] }))).rejects.toThrow();
    const blobs = new BrokenMap([["00", "x"]]);
    await expect(journal.append(lease, commit(rows, { blobs, messages: [message("b")] }))).rejects.toThrow();
    expect(await journal.outbox.isEmpty()).toBe(true);
  });

  it("lets one of many claim a message, and another when the claim is over, until it is removed", async () => {
    const { journal, again } = opened();
    const other = await again();
    await created(journal, "run", chain(1), { messages: [message("a")] });
    const claims = [journal, other, journal, other].map(({ outbox }) => outbox.claim(ways, 10, 99));
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
    expect(await other.outbox.claim(ways, 98, 120)).toBeUndefined();
    expect(await other.outbox.claim(ways, 99, 120)).toMatchObject({ id: "a", tries: 2 });
    await other.outbox.postpone("a", 7_000);
    expect(await journal.outbox.claim(ways, 6_999, 9_000)).toBeUndefined();
    expect(await journal.outbox.claim(ways, 7_000, 9_000)).toMatchObject({ tries: 3 });
    await journal.outbox.remove("a");
    expect(await other.outbox.isEmpty()).toBe(true);
    await other.close();
  });
}
