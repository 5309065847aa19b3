// Loopwright's own tracker: the contract, and what only it promises.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { trackerContract } from "../contract/index.ts";
import { openTracker } from "../open.ts";
import type { Tracker } from "../tracker.ts";
import { issuesFile } from "./tracker.ts";

let dir: string;
const opened: Tracker[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "loopwright-issues-"));
});
afterEach(async () => {
  for (const tracker of opened.splice(0)) await tracker.close();
  rmSync(dir, { recursive: true, force: true });
});

async function open(by = "tester"): Promise<Tracker> {
  const tracker = await openTracker({ dir, by });
  opened.push(tracker);
  return tracker;
}

trackerContract("Loopwright's own tracker", async () => ({
  tracker: await open(),
  again: () => open(),
  close: async () => {},
}));

describe("the history of an issue", () => {
  it("says who changed what and when, and a change of nothing is none", async () => {
    const tracker = await open("ada");
    const { id } = await tracker.create({ title: "one" });
    await tracker.as("run 7").update(id, { status: "escalated", tags: ["@human-escalated"], reason: "twice the same" });
    await tracker.update(id, { status: "escalated" });
    const history = await tracker.history(id);
    expect(history).toEqual([
      { what: "created", by: "ada", at: expect.any(String) },
      {
        what: "changed",
        by: "run 7",
        at: expect.any(String),
        why: "twice the same",
        fields: { status: { from: "open", to: "escalated" }, tags: { from: [], to: ["@human-escalated"] } },
      },
    ]);
  });

  it("can be added to and not rewritten", async () => {
    await (await open()).create({ title: "one" });
    const db = new DatabaseSync(issuesFile(dir));
    for (const sql of ["UPDATE history SET body = '{}'", "DELETE FROM history"])
      expect(() => db.exec(sql)).toThrow("history is only added to");
    db.close();
  });
});

describe("a line that went in", () => {
  it("comes out the same, with all that only beads knows", async () => {
    const line = {
      id: "bd-a1b2.3",
      title: "a",
      description: "text",
      status: "deferred",
      priority: 4,
      issue_type: "bug",
      assignee: "alice",
      created_at: "2025-10-25T10:11:12.123456789-07:00",
      updated_at: "2025-10-26T10:11:12Z",
      labels: ["x"],
      dependencies: [
        {
          issue_id: "bd-a1b2.3",
          depends_on_id: "bd-1",
          type: "discovered-from",
          created_at: "2025-10-25T10:11:12Z",
          created_by: "a",
        },
        {
          issue_id: "bd-a1b2.3",
          depends_on_id: "bd-1",
          type: "parent-child",
          created_at: "2025-10-25T10:11:12Z",
          created_by: "a",
          metadata: "{}",
        },
        { issue_id: "bd-a1b2.3", depends_on_id: "external:other:thing", type: "blocks" },
      ],
      metadata: { asset: "a word", team: "platform", dk_attempts: 3 },
      _type: "issue",
      acceptance_criteria: "c",
      comments: [{ id: 1, issue_id: "bd-a1b2.3", author: "a", text: "t", created_at: "2025-10-25T10:11:12Z" }],
    };
    const other = {
      id: "bd-1",
      title: "b",
      status: "closed",
      priority: 0,
      closed_at: "2025-11-01T00:00:00Z",
      close_reason: "r",
    };
    const times = { issue_type: "task", created_at: "2025-10-20T00:00:00Z", updated_at: "2025-11-01T00:00:00Z" };
    const lines = [{ ...other, ...times }, line].map((each) => JSON.stringify(each));
    const tracker = await open();
    expect(await tracker.import(lines)).toMatchObject({ created: 2 });
    expect(await tracker.get(line.id)).toMatchObject({ status: "blocked", priority: "P3" });
    const once = await Array.fromAsync(tracker.export());
    expect(once.map((each) => JSON.parse(each))).toEqual(lines.map((each) => JSON.parse(each)));

    const second = await openTracker({ dir: join(dir, "second") });
    opened.push(second);
    await second.import(once);
    expect(await Array.fromAsync(second.export())).toEqual(once);
    const status = (await second.update(line.id, { status: "open" })).beads?.status;
    expect(status).toBeUndefined();
  });
});

describe("an import that is wrong", () => {
  const lineOf = (id: string, more: object = {}) => JSON.stringify({ id, title: id, ...more });
  const on = (id: string, target: string, type = "blocks") => ({
    dependencies: [{ issue_id: id, depends_on_id: target, type }],
  });

  it.each<[string, string[], RegExp]>([
    ["no JSON", [lineOf("a"), "", "nonsense"], /line 3: this is no JSON/],
    ["no issue", ['{"id":"a"}'], /line 1: title: /],
    ["an id that is a path", [lineOf("../../etc")], /line 1: id: /],
    ["an id twice", [lineOf("a"), lineOf("a")], /line 2: a stands in line 1 already/],
    ["an edge to nowhere", [lineOf("a", on("a", "b"))], /line 1: b blocks a, and one of them is neither/],
    [
      "a key twice",
      ["a", "b"].map((id) => lineOf(id, { metadata: { loopwright_key: "k" } })),
      /line 2: b has the key of a/,
    ],
    [
      "a circle of three kinds of edges",
      [
        lineOf("a", { dependencies: [...on("a", "b").dependencies, ...on("a", "c", "fix-for").dependencies] }),
        lineOf("b"),
        lineOf("c", on("c", "b", "parent-child")),
      ],
      /in a circle: .*(a is a fix for c, which is a part of b, which blocks a|c is a part of b, which blocks a|b blocks a)/,
    ],
  ])("is refused whole: %s", async (_what, lines, message) => {
    const tracker = await open();
    await expect(tracker.import(lines)).rejects.toThrow(message);
    expect(await tracker.list()).toEqual([]);
  });

  it("tells twenty lines and counts the rest", async () => {
    const tracker = await open();
    const error = await tracker.import(Array.from({ length: 30 }, () => "x")).catch((thrown) => thrown);
    expect(error.message.split("\n")).toHaveLength(22);
    expect(error.message).toMatch(/and 10 more$/);
  });
});
