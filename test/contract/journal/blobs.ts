// How a journal keeps blobs, and remembers those that were released.

import { expect, it } from "vitest";
import { sha256 } from "../../../packages/core/src/record/json.ts";
import { blob, chain, commit, created, type Opened, rowAfter, self } from "./sample.ts";

/** Tests of blobs. */
export function keepingBlobs(opened: () => Opened): void {
  it("tells a blob that is here from one that is missing", async () => {
    const { journal } = opened();
    await created(journal, "run", chain(1), { blobs: blob("here") });
    expect(await journal.blob(sha256("here"))).toEqual({ state: "here", text: "here" });
    expect(await journal.blob(sha256("never"))).toEqual({ state: "missing" });
  });

  it("shares a blob between runs", async () => {
    const { journal } = opened();
    await created(journal, "one", chain(1), { blobs: blob("shared") });
    await created(journal, "two", chain(1), { blobs: blob("shared") });
    expect(await journal.blob(sha256("shared"))).toEqual({ state: "here", text: "shared" });
  });

  it("remembers what was released, also what it never held itself", async () => {
    const { journal } = opened();
    await created(journal, "run", chain(1), { blobs: blob("going", "staying") });
    await journal.release([sha256("going"), sha256("a file of the store")]);
    expect(await journal.blob(sha256("going"))).toEqual({ state: "released" });
    expect(await journal.blob(sha256("a file of the store"))).toEqual({ state: "released" });
    expect(await journal.blob(sha256("staying"))).toEqual({ state: "here", text: "staying" });
    await journal.release([sha256("going")]);
    expect(await journal.blob(sha256("going"))).toEqual({ state: "released" });
  });

  it("has a released blob again once it is put again", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1), { blobs: blob("back") });
    await journal.release([sha256("back")]);
    await journal.append(lease, commit([rowAfter(chain(1))], { blobs: blob("back") }));
    expect(await journal.blob(sha256("back"))).toEqual({ state: "here", text: "back" });
  });

  it("has a released blob again, also where the one that puts it again had stored it before another released it", async () => {
    const { journal, again } = opened();
    const other = await again();
    await created(journal, "one", chain(1), { blobs: blob("back") });
    await other.release([sha256("back")]);
    await created(journal, "two", chain(1), { blobs: blob("back") });
    expect(await journal.blob(sha256("back"))).toEqual({ state: "here", text: "back" });
    await other.close();
  });

  it("releases nothing once a run was created, taken or given back since it was decided what to release", async () => {
    const { journal, again } = opened();
    const other = await again();
    let lease = await created(journal, "run", chain(1), { blobs: blob("kept") });
    const take = async () => {
      lease = await other.acquire("run", self, { take: true });
    };
    const changes = [() => created(other, "new"), take, () => other.yield(lease, 0)];
    let dropped = 0;
    const drop = () => {
      dropped += 1;
    };
    for (const change of changes) {
      const tokens = await journal.tokens();
      await change();
      expect(await journal.release([sha256("kept")], [sha256("file")], { tokens, drop })).toBe(false);
      expect(await journal.blob(sha256("kept"))).toEqual({ state: "here", text: "kept" });
      expect(await journal.isFileReleased(sha256("file"))).toBe(false);
    }
    expect(dropped).toBe(0);
    const tokens = await journal.tokens();
    expect(await other.tokens()).toBe(tokens);
    expect(await journal.release([sha256("kept")], [sha256("file")], { tokens, drop })).toBe(true);
    expect(dropped).toBe(1);
    expect(await other.isFileReleased(sha256("file"))).toBe(true);
    await other.close();
  });

  it("releases nothing where what is to be dropped with it cannot be dropped", async () => {
    const { journal } = opened();
    await created(journal, "run", chain(1), { blobs: blob("kept") });
    const drop = () => {
      throw new Error("no");
    };
    await expect(journal.release([sha256("kept")], [sha256("file")], { drop })).rejects.toThrow("no");
    expect(await journal.blob(sha256("kept"))).toEqual({ state: "here", text: "kept" });
    expect(await journal.isFileReleased(sha256("file"))).toBe(false);
  });

  it("keeps an empty text and a large one", async () => {
    const { journal } = opened();
    const large = JSON.stringify("0123456789".repeat(300_000));
    await created(journal, "run", chain(1), { blobs: blob("", large) });
    expect(await journal.blob(sha256(""))).toEqual({ state: "here", text: "" });
    expect(await journal.blob(sha256(large))).toEqual({ state: "here", text: large });
  });
}
