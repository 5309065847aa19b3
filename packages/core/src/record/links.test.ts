import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { climb, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { MemoryJournal } from "../journal/memory.ts";
import type { Row } from "../ports.ts";
import { brokenLink, GENESIS, linkOf, newChain, relink, seal, unseal } from "./links.ts";

describe("L10: the chain", () => {
  let run: string;

  /** The rows of a run of three iterations. */
  async function chained(): Promise<Row[]> {
    const { engine, journal } = memoryEngine();
    ({ run } = await engine.start(climb(), { top: 3 }));
    return journal.read(run);
  }

  const broken = (rows: readonly Row[]) => brokenLink(run, rows);

  it("starts at the run and its loop, and links each row to all before it", async () => {
    const rows = await chained();
    expect(rows[0]!.link).toBe(linkOf(newChain(run, "climb").link, rows[0]!.body));
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

  it("finds every row that is missing when the rest is numbered anew", async () => {
    const rows = await chained();
    for (let index = 0; index < rows.length - 1; index++) {
      const rest = rows.toSpliced(index, 1).map((row, i) => ({ ...row, seq: i + 1 }));
      expect(broken(rest)).toBe(`event ${index + 1} was changed, or does not belong here`);
    }
  });

  it("finds every two rows that have changed places, with their numbers or without", async () => {
    const rows = await chained();
    for (let a = 0; a < rows.length; a++) {
      for (let b = a + 1; b < rows.length; b++) {
        const [first, second] = [rows[a]!, rows[b]!];
        expect(broken(rows.with(a, second).with(b, first))).toBeDefined();
        const renumbered = rows.with(a, { ...second, seq: first.seq }).with(b, { ...first, seq: second.seq });
        expect(broken(renumbered)).toBe(`event ${a + 1} was changed, or does not belong here`);
      }
    }
  });

  it("finds a row that was put in twice", async () => {
    const rows = await chained();
    for (const index of rows.keys()) expect(broken(rows.toSpliced(index, 0, rows[index]!))).toBeDefined();
  });

  it("is another for another run, and for another loop", async () => {
    const rows = await chained();
    expect(brokenLink(`${run}-2`, rows)).toBe("event 1 was changed, or does not belong here");
    const starts = [
      newChain("a", "b"),
      newChain("a", "c"),
      newChain("b", "b"),
      newChain("a,b", ""),
      newChain("", "a,b"),
    ];
    expect(new Set(starts.map(({ link }) => link)).size).toBe(starts.length);
  });

  it("of a run from before the chain covered it starts at the genesis", () => {
    const bodies = ['{"type":"run-started","loop":"climb"}', "{}"];
    const first = { seq: 1, body: bodies[0]!, link: linkOf(GENESIS, bodies[0]!) };
    const rows = [first, { seq: 2, body: bodies[1]!, link: linkOf(first.link, bodies[1]!) }];
    expect(brokenLink("any", rows)).toBeUndefined();
  });

  it.each([
    "",
    "null",
    "5",
    "[]",
    '{"chain":null}',
    '{"chain":{"form":3}}',
    '{"chain":{"form":"2"}}',
    '{"chain":{"form":2}}',
  ])("that begins with %j breaks no reader", (body) => {
    expect(brokenLink("run", [{ seq: 1, body, link: "f".repeat(64) }])).toBe(
      "event 1 was changed, or does not belong here",
    );
  });

  it("with a key is one that only the key makes, for a run with children and its fork too", async () => {
    const journal = new MemoryJournal({ key: "secret" });
    const test = memoryEngine({ journal });
    const parent = singlePhase(async (ctx) => {
      await ctx.spawn("child", climb(), { top: 3 });
      return passed(ctx);
    });
    const { run: id } = await test.engine.start(parent, null);
    await test.fork(id, 1);
    expect(await journal.runs()).toHaveLength(3);
    for (const name of await journal.runs()) {
      const rows = await journal.read(name);
      expect(brokenLink(name, rows, "secret")).toBeUndefined();
      expect(() => brokenLink(name, rows, "other")).toThrow(expect.objectContaining({ code: "JOURNAL_KEY_WRONG" }));
      expect(() => brokenLink(name, rows)).toThrow(expect.objectContaining({ code: "JOURNAL_KEY_MISSING" }));
      let { link } = newChain(name, "climb");
      for (const { body, link: made } of rows) {
        link = linkOf(link, body);
        expect(made).not.toBe(link);
      }
    }
  });

  it("is made anew for the same events in another run", async () => {
    const rows = await chained();
    const copied = relink(rows, "other");
    expect(brokenLink("other", copied)).toBeUndefined();
    expect(broken(copied)).toBeDefined();
    expect(copied.map(({ seq, body }) => ({ seq, body }))).toEqual(rows.map(({ seq, body }) => ({ seq, body })));
  });
});

describe("a seal", () => {
  it("is the key's, over the whole text", () => {
    const sealed = seal('{"a":1}', "secret");
    expect(unseal(sealed, "secret")).toBe('{"a":1}');
    for (const other of [sealed.replace("1", "2"), `${sealed}x`, '{"a":1}', `{"a":1}\n`, "", seal('{"a":1}', "other")])
      expect(unseal(other, "secret")).toBeUndefined();
  });

  it("is none without a key", () => {
    expect(seal("text", undefined)).toBe("text");
    expect(unseal("text", undefined)).toBe("text");
    expect(unseal(seal("text", "secret"), undefined)).toBe("text");
  });
});
