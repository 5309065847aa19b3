// What every tracker must do, whoever keeps its issues.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EdgeKind, Issue, NewIssue, Status } from "../issue.ts";
import type { Tracker } from "../tracker.ts";

export interface Opened {
  tracker: Tracker;
  /** Another opening of the same issues. */
  again(): Promise<Tracker>;
  close(): Promise<void>;
}

/** Runs the suite. */
export function trackerContract(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened;
    let tracker: Tracker;
    beforeEach(async () => {
      opened = await open();
      tracker = opened.tracker;
    });
    afterEach(() => opened.close());

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
      expect(await (await opened.again()).get(made.id)).toEqual(made);
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
      const other = await opened.again();
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
      const other = await opened.again();
      const taken = await Promise.all([tracker, other, tracker].map((each) => each.claimNext()));
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
      const given = [
        newer,
        { ...lineB, updated_at: "2001-01-01T00:00:00Z" },
        fresh,
        { id: "bd-x", status: "tombstone" },
      ];
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
}
