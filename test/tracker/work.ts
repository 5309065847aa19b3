// What a loop does to its issues, in calls that can be asked for again after a kill; and what must hold at every moment.

import assert from "node:assert/strict";
import type { Issue, Tracker } from "@loopwright/tracker";

/** One round of work, from an issue to its closed chain. */
export async function work(tracker: Tracker, round: number): Promise<void> {
  const root = await tracker.create({ title: "car", key: `root ${round}` });
  if (root.status === "open") await tracker.claim(root.id);
  await tracker.attach(root.id, "run-0");
  const repair = await tracker.repair(
    { root: root.id, failed: root.id },
    { title: "[REPAIR] car (iter 1)", key: `repair ${round}`, iteration: { index: 1 } },
  );
  await tracker.attach(repair.id, "run-1");
  const [one, two] = [`bd-${round}.1`, `bd-${round}.2`];
  const dependencies = [{ issue_id: two, depends_on_id: one, type: "blocks" }];
  await tracker.import(
    [{ id: one }, { id: two, dependencies }].map((line) => JSON.stringify({ title: "imported", ...line })),
  );
  await tracker.closeChain(root.id, "it passed");
}

/** No call of a round was done by halves. */
export function expectWhole(issues: readonly Issue[], round: number): void {
  const find = (name: string) => issues.find(({ id, key }) => id === name || key === name);
  const kindsOf = (issue: Issue | undefined) => issue?.edges.map(({ kind }) => kind).toSorted();
  const [root, repair] = [find(`root ${round}`), find(`repair ${round}`)];
  if (repair) {
    assert.deepEqual(kindsOf(repair), ["blocks", "fix-for"]);
    assert.ok(root?.status === "blocked" || root?.status === "closed");
    assert.equal(root.status === "closed", repair.status === "closed");
  }
  const [one, two] = [find(`bd-${round}.1`), find(`bd-${round}.2`)];
  assert.equal(one === undefined, two === undefined);
  if (two) assert.deepEqual(kindsOf(two), ["blocks"]);
}
