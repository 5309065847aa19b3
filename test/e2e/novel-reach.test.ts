// The measure of the reach itself: recorded answers are read again and scored, and an endpoint can be asked.

import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { run, totals } from "../../bench/novel-reach.ts";
import { startFaultServer } from "../fakes/fault-server.ts";

const fixtures = join(import.meta.dirname, "../fixtures/novel-reach");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lw-reach-"));
});
afterEach(() => {
  delete process.env.REACH_URL;
  rmSync(folder, { recursive: true, force: true });
});

it("scores recorded answers without a model, and what needs none", async () => {
  const figures = await run({ folder: fixtures });
  expect(figures.unanswered).toBe(0);
  expect(figures.feedbacks).toBeGreaterThanOrEqual(3);
  expect(figures.recall).toBeGreaterThanOrEqual(0.9);
});

it("asks an endpoint, and records what it is told with the prompt that it was told it to", async () => {
  cpSync(join(fixtures, "example.json"), join(folder, "example.json"));
  await using server = await startFaultServer();
  server.otherwise = { text: JSON.stringify({ files: [{ file: "chapter-2", why: "x" }] }) };
  process.env.REACH_URL = server.url;
  const figures = await run({ folder });
  expect(server.requests).toHaveLength(2);
  expect(server.requests[0]!.prompt).toContain("The rider should come on foot");
  expect(server.requests[0]!.prompt).toContain("his horse was lame");
  expect(figures).toMatchObject({ feedbacks: 3, recall: 0.6, precision: 1, outdated: 0, unanswered: 0 });
  const kept = JSON.parse(readFileSync(join(folder, "example.answers.json"), "utf8"));
  expect(Object.keys(kept)).toEqual(["horse", "book"]);
  delete process.env.REACH_URL;
  expect(await run({ folder })).toEqual(figures);
});

it("counts what was found and what was proposed beside it, over all feedbacks", () => {
  const each = (expected: string[], proposed: string[], found: number) => ({ id: "x", expected, proposed, found });
  expect(totals([each(["a", "b"], ["a"], 1), each(["c"], ["c", "d", "e"], 1)])).toEqual({
    ...{ feedbacks: 2, recall: 0.667, precision: 0.5, missed: 0.333 },
  });
  expect(totals([])).toMatchObject({ recall: null, precision: null });
});
