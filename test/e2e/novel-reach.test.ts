// The measure of how feedback is read: recorded answers are scored, and an endpoint can be asked.

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
  delete process.env.READ_URL;
  rmSync(folder, { recursive: true, force: true });
});

it("scores recorded answers without a model", async () => {
  const figures = await run({ folder: fixtures });
  expect(figures).toMatchObject({ feedbacks: 34, unanswered: 0 });
  expect(figures.recall).toBeGreaterThanOrEqual(0.95);
  expect(figures.precision).toBeGreaterThanOrEqual(0.8);
  expect(figures.longest_prompt).toBeLessThanOrEqual(16_000);
});

it("asks an endpoint, and records what it is told with the question that it was told it to", async () => {
  cpSync(join(fixtures, "example.json"), join(folder, "example.json"));
  await using server = await startFaultServer();
  server.otherwise = { text: JSON.stringify({ files: [{ file: "chapter-2", why: "x" }] }) };
  process.env.READ_URL = server.url;
  const figures = await run({ folder });
  expect(server.requests).toHaveLength(3);
  expect(server.requests[0]!.prompt).toContain("The rider should come on foot");
  expect(server.requests[0]!.prompt).toContain("his horse was lame");
  expect(figures).toMatchObject({ feedbacks: 3, recall: 0.2, precision: 0.667, outdated: 0, unanswered: 0 });
  const kept = JSON.parse(readFileSync(join(folder, "example.answers.json"), "utf8"));
  expect(Object.keys(kept).sort()).toEqual(["book", "horse", "sister"]);
  delete process.env.READ_URL;
  expect(await run({ folder })).toEqual(figures);
});

it("counts what was found and what was named beside it, over all feedbacks", () => {
  const each = (expected: string[], proposed: string[]) => ({ id: "x", expected, proposed });
  expect(totals([each(["a", "b"], ["a"]), each(["c"], ["c", "d", "e"])])).toEqual({
    ...{ feedbacks: 2, recall: 0.667, precision: 0.5, missed: 0.333, superfluous: 0.5 },
  });
  expect(totals([])).toMatchObject({ recall: null, precision: null });
});
