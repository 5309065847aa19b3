import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { climb } from "../../../../test/fakes/loops.ts";
import type { Row } from "../ports.ts";
import { brokenLink, firstLink, linkOf } from "./chain.ts";

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
    expect(rows[0]!.link).toBe(linkOf(firstLink(run, "climb"), rows[0]!.body));
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
      firstLink("a", "b"),
      firstLink("a", "c"),
      firstLink("b", "b"),
      firstLink("a,b", ""),
      firstLink("", "a,b"),
    ];
    expect(new Set(starts).size).toBe(starts.length);
  });

  it.each(["", "null", "5", "[]", "{}"])("that begins with %j breaks no reader", (body) => {
    expect(brokenLink("run", [{ seq: 1, body, link: "f".repeat(64) }])).toBe(
      "event 1 was changed, or does not belong here",
    );
  });
});
