// The tracker: what each of its calls does, its history, and lines in the shape of beads.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EdgeKind, Issue, NewIssue, Status } from "../issue.ts";
import { issuesFile, openTracker, type Tracker } from "./tracker.ts";

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

describe("the tracker", () => {
  let tracker: Tracker;
  beforeEach(async () => {
    tracker = await open();
  });

  const make = (title: string, more: Partial<NewIssue> = {}) => tracker.create({ title, ...more });
  const readyTitles = async () => (await tracker.ready()).map(({ title }) => title);
  const has = (issue: Issue | undefined, edge: { from: string; kind: EdgeKind; to: string }) =>
    expect(issue?.edges).toContainEqual(expect.objectContaining(edge));

  it("keeps all that an issue is created with, whatever characters stand in it", async () => {
    const issue: NewIssue = {
      title: '-d "a" \u001b[31mred\u001b[0m, хэтчбек 🚗 --title=x',
      description: "one\ntwo, 'three' $HOME `id` \u202e\n",
      priority: "P1",
      tags: ["@gate:car_realism_v001", "asset:car", 'a "b", c'],
      asset: { kind: "car", prompt: "a red hatchback", gate: "car_realism_v001", deep: { list: [1, null, true] } },
      iteration: { index: 0, gateConfig: "car_realism_v001" },
    };
    const made = await tracker.create(issue);
    expect(made).toMatchObject({ ...issue, status: "open", runs: [], edges: [] });
    expect(await (await open()).get(made.id)).toEqual(made);
    expect(await tracker.list()).toEqual([made]);
  });

  it("creates an issue with a key once, and gives it as it stands when it is asked for again", async () => {
    const first = await make("one", { key: "repair of run 7" });
    await tracker.update(first.id, { priority: "P0" });
    const second = await make("another title", { key: "repair of run 7" });
    expect(second).toMatchObject({ id: first.id, title: "one", priority: "P0" });
    expect(await make("other", { key: "repair of run 8" })).not.toMatchObject({ id: first.id });
    expect(await tracker.list()).toHaveLength(2);
  });

  it("changes what is named and nothing else, and knows every status", async () => {
    const asset = { kind: "car" };
    const { id } = await make("one", { asset, tags: ["a", "b"], iteration: { index: 2, attempts: 1 } });
    const changed = await tracker.update(id, {
      title: "two",
      description: "text",
      tags: ["b", "c"],
      priority: "P3",
      iteration: {
        attempts: 2,
        lastFailCodes: ["GEO_ASYMMETRIC"],
        lastReport: "fab/runs/7/verdict/gate_verdict.json",
      },
    });
    const fields = { index: 2, attempts: 2, lastFailCodes: ["GEO_ASYMMETRIC"] };
    expect(changed).toMatchObject({ title: "two", description: "text", tags: ["b", "c"], priority: "P3", asset });
    expect(changed.iteration).toMatchObject(fields);
    for (const status of ["blocked", "escalated", "closed", "in_progress", "open"] satisfies Status[])
      expect((await tracker.update(id, { status })).status).toBe(status);
    expect(await tracker.get(id)).not.toHaveProperty("closedAt");
  });

  it("closes with a reason and a time, and opens again without them", async () => {
    const { id } = await make("one");
    const closed = await tracker.update(id, { status: "closed", reason: "it passed" });
    expect(closed).toMatchObject({ status: "closed", closeReason: "it passed", closedAt: expect.any(String) });
    const open = await tracker.update(id, { status: "open" });
    expect(open).not.toHaveProperty("closedAt");
    expect(open).not.toHaveProperty("closeReason");
    const kinds = (await tracker.history(id)).map(({ what }) => what);
    expect(kinds[0]).toBe("created");
  });

  it("lets a change see the issue as it stands", async () => {
    const { id } = await make("one");
    const other = await open();
    const raise = (each: Tracker) =>
      each.update(id, ({ iteration }) => ({ iteration: { attempts: (iteration.attempts ?? 0) + 1 } }));
    await Promise.all([tracker, other, tracker, other].map(raise));
    expect((await tracker.get(id))?.iteration.attempts).toBe(4);
  });

  it("hangs a run on an issue once", async () => {
    const { id } = await make("one");
    for (const run of ["run-1", "run-2", "run-2"]) await tracker.attach(id, run);
    const issue = await tracker.get(id);
    expect(issue).toMatchObject({ runs: ["run-1", "run-2"], iteration: { currentRun: "run-2" } });
  });

  it("says what is ready: open and not blocked, the most urgent first, then the oldest", async () => {
    const [low, first, second, urgent] = [
      await make("low", { priority: "P3" }),
      await make("first"),
      await make("second"),
      await make("urgent", { priority: "P0", tags: ["mine"] }),
    ];
    expect(await readyTitles()).toEqual(["urgent", "first", "second", "low"]);
    await tracker.link(urgent.id, "blocks", first.id);
    await tracker.link(second.id, "fix-for", low.id);
    await tracker.update(second.id, { status: "escalated" });
    expect(await readyTitles()).toEqual(["urgent", "low"]);
    await tracker.update(urgent.id, { status: "closed" });
    expect(await readyTitles()).toEqual(["first", "low"]);
    await tracker.unlink(urgent.id, "blocks", first.id);
    await tracker.update(urgent.id, { status: "open" });
    expect(await readyTitles()).toEqual(["urgent", "first", "low"]);
    expect((await tracker.ready({ tags: ["mine"] })).map(({ title }) => title)).toEqual(["urgent"]);
    expect(await tracker.ready({ limit: 1 })).toHaveLength(1);
    expect((await tracker.list({ status: ["escalated"] })).map(({ title }) => title)).toEqual(["second"]);
  });

  it("keeps edges of every kind at both ends, and takes them away", async () => {
    const [a, b] = [await make("a"), await make("b")];
    for (const kind of ["blocks", "fix-for"] as const) {
      await tracker.link(a.id, kind, b.id);
      await tracker.link(a.id, kind, b.id);
      for (const { id } of [a, b]) has(await tracker.get(id), { from: a.id, kind, to: b.id });
    }
    for (const kind of ["fix-for", "blocks"] as const) await tracker.unlink(a.id, kind, b.id);
    await tracker.link(a.id, "parent", b.id);
    expect((await tracker.get(a.id))?.edges).toEqual([
      expect.objectContaining({ from: a.id, kind: "parent", to: b.id }),
    ]);
  });

  it("refuses a circle over any kinds of edges, and names it", async () => {
    const [a, b, c] = [await make("a"), await make("b"), await make("c")];
    await tracker.link(a.id, "blocks", b.id);
    await tracker.link(b.id, "parent", c.id);
    for (const kind of ["blocks", "fix-for", "parent"] as const) {
      const error = await tracker.link(c.id, kind, a.id).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: "ISSUE_CIRCLE" });
      expect(error.message).toContain(`${a.id}, which blocks ${b.id}, which is a part of ${c.id}`);
    }
    await expect(tracker.link(a.id, "blocks", a.id)).rejects.toMatchObject({ code: "ISSUE_CIRCLE" });
    expect((await tracker.get(c.id))?.edges).toHaveLength(1);
  });

  it("says which issue is not there", async () => {
    const { id } = await make("one");
    expect(await tracker.get("lw-none")).toBeUndefined();
    for (const act of [
      () => tracker.update("lw-none", { title: "x" }),
      () => tracker.link(id, "blocks", "lw-none"),
      () => tracker.unlink("lw-none", "blocks", id),
      () => tracker.claim("lw-none"),
      () => tracker.closeChain("lw-none", ""),
      () => tracker.history("lw-none"),
    ])
      await expect(act()).rejects.toThrow("there is no issue 'lw-none': `loopwright issue list` shows them");
  });

  it("refuses what is no issue", async () => {
    for (const wrong of [
      { title: " " },
      { title: "x".repeat(501) },
      { title: "a", priority: "P9" },
      { title: "a", x: 1 },
    ])
      await expect(tracker.create(wrong as NewIssue)).rejects.toMatchObject({ code: "ISSUE_INVALID" });
    expect(await tracker.list()).toEqual([]);
  });

  it("gives each issue to one claim, the most urgent first, and takes one back", async () => {
    await make("low");
    await make("high", { priority: "P0" });
    const other = await open();
    const [first, second] = await tracker.ready();
    const taken = await Promise.all([tracker.claim(first!.id), other.claim(first!.id), tracker.claim(second!.id)]);
    expect(taken.map((issue) => issue?.title).toSorted()).toEqual(["high", "low", undefined]);
    const high = taken.find((issue) => issue?.title === "high")!;
    expect(high).toMatchObject({
      status: "in_progress",
      assignee: expect.stringContaining(`process ${process.pid}`),
    });
    expect(await other.claim(high.id)).toBeUndefined();
    await other.release(high.id);
    expect(await tracker.get(high.id)).not.toHaveProperty("assignee");
    expect(await tracker.claim(high.id)).toMatchObject({ id: high.id, status: "in_progress" });
  });

  it("makes one repair for a key, which blocks the root and what failed, and closes their chain", async () => {
    const root = await make("car", { priority: "P2" });
    const first = await tracker.repair(
      { root: root.id, failed: root.id },
      { title: "[REPAIR] car (iter 1)", key: "1" },
    );
    const again = await tracker.repair(
      { root: root.id, failed: root.id },
      { title: "[REPAIR] car (iter 1)", key: "1" },
    );
    expect(again).toEqual(first);
    expect(await readyTitles()).toEqual(["[REPAIR] car (iter 1)"]);
    const second = await tracker.repair(
      { root: root.id, failed: first.id },
      { title: "[REPAIR] car (iter 2)", key: "2" },
    );
    for (const edge of [
      { from: second.id, kind: "fix-for", to: root.id },
      { from: second.id, kind: "blocks", to: root.id },
      { from: second.id, kind: "blocks", to: first.id },
    ] as const)
      has(second, edge);
    expect((await tracker.list({ status: ["blocked"] })).map(({ id }) => id)).toEqual([root.id, first.id]);
    expect(await readyTitles()).toEqual(["[REPAIR] car (iter 2)"]);
    expect((await tracker.chain(root.id)).map(({ id }) => id)).toEqual([first.id, second.id, root.id]);
    await tracker.closeChain(root.id, "it passed");
    await tracker.closeChain(root.id, "a second time");
    const closed = await tracker.list({ status: ["closed"] });
    expect(closed.map(({ closeReason }) => closeReason)).toEqual(["it passed", "it passed", "it passed"]);
    const late = { title: "[REPAIR] car (iter 2)", key: "2" };
    expect(await tracker.repair({ root: root.id, failed: first.id }, late)).toMatchObject({
      id: second.id,
      status: "closed",
    });
    expect(await tracker.get(root.id)).toMatchObject({ status: "closed" });
    expect(await readyTitles()).toEqual([]);
  });

  it("finishes a repair that was cut off after its issue was made", async () => {
    const [root, cut] = [await make("car"), await make("repair", { key: "1" })];
    const repair = await tracker.repair({ root: root.id, failed: root.id }, { title: "repair", key: "1" });
    expect(repair.id).toBe(cut.id);
    expect(repair.edges.map(({ kind }) => kind).toSorted()).toEqual(["blocks", "fix-for"]);
    expect((await tracker.get(root.id))?.status).toBe("blocked");
  });

  it("exports lines in the shape of beads, and takes them in all or none", async () => {
    const a = await make("a", {
      asset: { kind: "car" },
      iteration: { index: 1, parentRun: "run-0" },
      tags: ["t"],
      key: "k",
    });
    const b = await make("b", { priority: "P0" });
    await tracker.link(a.id, "blocks", b.id);
    await tracker.update(b.id, { status: "escalated" });
    const lines = await Array.fromAsync(tracker.export());
    const [lineA, lineB] = lines.map((line) => JSON.parse(line));
    expect(lineA).toMatchObject({
      id: a.id,
      title: "a",
      priority: 2,
      status: "open",
      labels: ["t"],
      issue_type: "task",
    });
    expect(lineA.metadata).toMatchObject({
      asset: { kind: "car" },
      dk_iteration_index: 1,
      dk_parent_run_id: "run-0",
    });
    const dependency = { issue_id: b.id, depends_on_id: a.id, type: "blocks" };
    expect(lineB).toMatchObject({ status: "escalated", priority: 0, dependencies: [dependency] });

    expect(await tracker.import(lines)).toEqual({ created: 0, updated: 0, kept: 2, skipped: 0 });
    const newer = { ...lineA, title: "newer", updated_at: "2040-01-01T00:00:00Z" };
    const fresh = {
      ...lineB,
      id: "bd-fresh",
      dependencies: [{ ...dependency, issue_id: "bd-fresh", type: "parent-child" }],
    };
    const given = [newer, { ...lineB, updated_at: "2001-01-01T00:00:00Z" }, fresh, { id: "bd-x", status: "tombstone" }];
    const text = given.map((line) => JSON.stringify(line));
    const counts = { created: 1, updated: 1, kept: 1, skipped: 1 };
    expect(await tracker.import(text, { dryRun: true })).toEqual(counts);
    expect(await tracker.list()).toHaveLength(2);
    for (const wrong of ["{", '{"id":"bd-y"}']) {
      const error = await tracker.import([...text, wrong]).catch((thrown) => thrown);
      expect(error.message).toMatch(/^nothing was imported:\nline 5: /);
    }
    expect(await tracker.list()).toHaveLength(2);
    expect(await tracker.import(text)).toEqual(counts);
    expect(await tracker.get(a.id)).toMatchObject({ title: "newer", key: "k", iteration: { index: 1 } });
    has(await tracker.get("bd-fresh"), { from: "bd-fresh", kind: "parent", to: a.id });
    expect(await tracker.import(text)).toMatchObject({ created: 0, updated: 0, kept: 3 });
  });
});

describe("the history of an issue", () => {
  it("says who changed what and when, and a change of nothing is none", async () => {
    const tracker = await open("ada");
    const { id } = await tracker.create({ title: "one" });
    await (await open("run 7")).update(id, {
      status: "escalated",
      tags: ["@human-escalated"],
      reason: "twice the same",
    });
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
