// How a journal keeps blobs, and remembers those that were released.

import { expect, it } from "vitest";
import { sha256 } from "../../record/json.ts";
import { blob, chain, commit, created, type Opened, rowAfter } from "./sample.ts";

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

  it("keeps an empty text and a large one", async () => {
    const { journal } = opened();
    const large = JSON.stringify("0123456789".repeat(300_000));
    await created(journal, "run", chain(1), { blobs: blob("", large) });
    expect(await journal.blob(sha256(""))).toEqual({ state: "here", text: "" });
    expect(await journal.blob(sha256(large))).toEqual({ state: "here", text: large });
  });
}
