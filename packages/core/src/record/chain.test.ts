import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { climb } from "../../../../test/fakes/loops.ts";
import { valuesFrom } from "../../../../test/fakes/values.ts";
import { thisProcess } from "../journal/leases.ts";
import { SqliteJournal } from "../journal/sqlite.ts";
import type { Row } from "../ports.ts";
import { blobsIn, brokenLink, firstLink, inline, inlineEvent, isGone, linkOf, outline } from "./chain.ts";
import type { DurableEvent } from "./events.ts";
import { type Json, plainJson, sha256 } from "./json.ts";

/** An event through the journal and back: outlined, as text, parsed, made whole. */
async function roundTrip(event: DurableEvent): Promise<{ back: DurableEvent; text: string; blobs: string[] }> {
  const { raw, blobs } = outline(plainJson(event) as unknown as DurableEvent);
  const journal = SqliteJournal.inMemory();
  const text = JSON.stringify(raw);
  await journal.create("r", thisProcess(), { rows: [{ seq: 1, body: text, link: "" }], blobs });
  return {
    back: await inlineEvent(JSON.parse(text) as DurableEvent, journal),
    text,
    blobs: [...blobs.values()],
  };
}

const finished = (result: Json): DurableEvent => ({ type: "effect-finished", visit: 1, key: "k", result });
const patch = (set: Record<string, Json>, append: Record<string, Json[]>): DurableEvent => ({
  type: "phase-finished",
  visit: 1,
  phase: "p",
  mayBeDone: false,
  patch: { set, append, drop: ["gone"] },
});

describe("outlining and making whole", () => {
  it("gives back 500 random results as they were, and names only what it took out", async () => {
    const values = valuesFrom(1);
    for (let i = 0; i < 500; i++) {
      const event = finished(values.value());
      const { back, text, blobs } = await roundTrip(event);
      expect(back).toEqual(JSON.parse(JSON.stringify(event)));
      expect(blobsIn(JSON.parse(text))).toEqual(new Set(blobs.map((blob) => sha256(blob))));
    }
  });

  it("gives back 300 random patches as they were: set, extended and dropped", async () => {
    const values = valuesFrom(2);
    for (let i = 0; i < 300; i++) {
      const event = patch({ a: values.value(), b: values.list() }, { c: values.list(), d: [] });
      expect((await roundTrip(event)).back).toEqual(JSON.parse(JSON.stringify(event)));
    }
  });

  it("keeps every row small, however large its values are", async () => {
    const big = "x".repeat(200_000);
    const events = [finished(big), finished({ deep: [big] }), patch({ a: big, b: [big] }, { c: [big, big, { big }] })];
    for (const event of events) expect((await roundTrip(event)).text.length).toBeLessThan(1500);
  });

  it.each([
    ["result", 2558, 0, finished],
    ["result", 2559, 1, finished],
    ["key of the state", 1022, 0, (value: Json) => patch({ a: value }, {})],
    ["key of the state", 1023, 1, (value: Json) => patch({ a: value }, {})],
  ])("keeps a %s whose text has %i + 2 characters in the row or not, by its limit", async (_, length, count, event) => {
    expect((await roundTrip(event("x".repeat(length)))).blobs).toHaveLength(count);
  });

  it.each([
    ["an object with the key", { $blob: "0".repeat(64) }],
    ["the same with a spread", { $blob: "0".repeat(64), spread: true }],
    ["one deep inside", { a: [{ $blob: 1 }] }],
    ["one whose name is no digest", { $blob: null }],
  ])("lets no value pose as the name of a blob: %s", async (_what, value) => {
    const { back, text } = await roundTrip(finished(value));
    expect(back).toEqual(finished(value));
    const listed = await roundTrip(patch({ a: [value] }, { b: [value, value] }));
    expect(listed.back).toEqual(patch({ a: [value] }, { b: [value, value] }));
    expect([...blobsIn(JSON.parse(text))].every((digest) => /^[0-9a-f]{64}$/.test(digest))).toBe(true);
  });

  it("keeps lone surrogates and characters that line readers trip over", async () => {
    const text = "\ud800|\udc00|\u2028|\u0000|\u{1f642}".repeat(100);
    expect((await roundTrip(finished([text, { [text.slice(0, 9)]: text }]))).back).toEqual(
      finished([text, { [text.slice(0, 9)]: text }]),
    );
  });

  it("gives back frozen values", async () => {
    const { back } = await roundTrip(finished({ list: [{ a: "x".repeat(2000) }] }));
    const { result } = back as { result: { list: { a: string }[] } } & DurableEvent;
    expect(() => result.list.push({ a: "" })).toThrow(TypeError);
    expect(() => Object.assign(result.list[0]!, { a: "" })).toThrow(TypeError);
  });

  it("refuses a value that is too large for the journal", () => {
    const huge = "x".repeat(65 * 1024 * 1024);
    expect(() => outline(finished(huge))).toThrow(expect.objectContaining({ code: "VALUE_TOO_LARGE" }));
  });

  it("says that a value is missing, was changed or was released, and never makes one up", async () => {
    const journal = SqliteJournal.inMemory();
    const { raw, blobs } = outline(finished("x".repeat(3000)));
    const [digest] = [...blobs.keys()] as [string];
    await expect(inline(raw, journal)).rejects.toMatchObject({ code: "JOURNAL_DAMAGED" });
    await journal.create("r", thisProcess(), { rows: [], blobs: new Map([[digest, '"other"']]) });
    await expect(inline(raw, journal)).rejects.toThrow("was changed in the journal");
    await journal.release([digest]);
    await expect(inline(raw, journal)).rejects.toMatchObject({ code: "VALUE_RELEASED" });
  });
});

describe("an event made whole", () => {
  const large = "plank ".repeat(500);
  const digest = sha256(JSON.stringify(large));
  const journalWith = async (blob: string | undefined) => {
    const journal = SqliteJournal.inMemory();
    const blobs = new Map(blob === undefined ? [] : [[digest, blob]]);
    await journal.create("r", thisProcess(), { rows: [], blobs });
    return journal;
  };

  it.each([
    ["missing", undefined],
    ["changed", JSON.stringify("another")],
  ])("says of a value that is %s that it is gone, and keeps the others", async (gone, blob) => {
    const { raw } = outline(patch({ large, small: 1 }, {}));
    const whole = await inlineEvent(raw, await journalWith(blob));
    expect(whole).toMatchObject({ patch: { set: { large: { $blob: digest, gone }, small: 1 }, drop: ["gone"] } });
  });

  it("leaves alone what only looks like the name of a value", async () => {
    const error = { code: "BUG", message: "m", $blob: digest };
    const event = { type: "visit-failed", visit: 1, phase: "p", error } as unknown as DurableEvent;
    expect(await inlineEvent(event, await journalWith(JSON.stringify(large)))).toEqual(event);
  });

  it("tells a value that is gone from every other, the name of one that is only not read included", () => {
    expect(isGone({ $blob: digest, gone: "released" })).toBe(true);
    for (const value of [null, undefined, "gone", 5, { gone: "released" }, { $blob: digest }])
      expect(isGone(value)).toBe(false);
  });
});

describe("L10: the chain", () => {
  let run: string;

  /** The rows of a run of three iterations. */
  async function chained(): Promise<Row[]> {
    const { engine, journal } = memoryEngine();
    ({ run } = await engine.start(climb(), { top: 3 }));
    return journal.read(run);
  }

  const broken = (rows: readonly Row[]) => brokenLink(run, rows);

  it("starts at the run, and links each row to all before it", async () => {
    const rows = await chained();
    expect(rows[0]!.link).toBe(linkOf(firstLink(run), rows[0]!.body));
    for (let i = 1; i < rows.length; i++) expect(rows[i]!.link).toBe(linkOf(rows[i - 1]!.link, rows[i]!.body));
    expect(broken(rows)).toBeUndefined();
    expect(broken([])).toBeUndefined();
  });

  it("finds every single change of a body, of a link and of a number", async () => {
    const rows = await chained();
    for (const [index, row] of rows.entries()) {
      const changed: Row[] = [
        { ...row, body: row.body.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) },
        { ...row, body: `${row.body} ` },
        { ...row, body: "{}" },
        { ...row, link: row.link.replace(/^./, (c) => (c === "0" ? "1" : "0")) },
      ];
      for (const other of changed) expect(broken(rows.with(index, other))).toContain(`event ${row.seq} `);
      expect(broken(rows.with(index, { ...row, seq: row.seq + 1 }))).toBe(`event ${row.seq} is missing`);
    }
  });

  it("finds every row that is missing, except at the end, which only a remembered head can tell", async () => {
    const rows = await chained();
    for (const index of rows.keys()) {
      const expected = index === rows.length - 1 ? undefined : `event ${index + 1} is missing`;
      expect(broken(rows.toSpliced(index, 1))).toBe(expected);
    }
  });

  it("is another for another run", async () => {
    const rows = await chained();
    expect(brokenLink(`${run}-2`, rows)).toBe("event 1 was changed, or does not belong here");
  });

  it.each(["", "null", "5", "[]", "{}"])("that begins with %j breaks no reader", (body) => {
    expect(brokenLink("run", [{ seq: 1, body, link: "f".repeat(64) }])).toBe(
      "event 1 was changed, or does not belong here",
    );
  });
});
