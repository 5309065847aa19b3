// Beads behind the same contract, by a stand-in for its program: `bd` itself was never tried.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { claimsOfProcesses } from "../contract/claims.ts";
import { trackerContract } from "../contract/index.ts";
import { openTracker } from "../open.ts";
import { runBd } from "./bd.ts";

const standIn = join(import.meta.dirname, "../contract/stand-in");
const { PATH } = process.env;
beforeAll(() => {
  process.env.PATH = `${standIn}${delimiter}${PATH}`;
});
afterAll(() => {
  process.env.PATH = PATH;
});

async function open() {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-beads-"));
  const again = () => openTracker({ dir, kind: "beads", by: "tester" });
  return { dir, tracker: await again(), again, close: async () => rmSync(dir, { recursive: true, force: true }) };
}

trackerContract("beads, by a stand-in", open);
claimsOfProcesses("beads", { issues: 4, processes: 2 }, open);

it("keeps the seed's fields in the metadata, and asks beads to know the status 'escalated' once", async () => {
  const { dir, tracker, close } = await open();
  await runBd(dir, ["config", "set", "status.custom", "in_review:active"]);
  const { id } = await tracker.create({ title: "car", iteration: { index: 1 }, key: "k" });
  await tracker.attach(id, "run-1");
  for (const status of ["escalated", "open", "escalated"] as const) await tracker.update(id, { status });
  const line = JSON.parse(await runBd(dir, ["export"]));
  expect(line).toMatchObject({
    status: "escalated",
    created_by: "tester",
    metadata: { dk_iteration_index: 1, dk_current_run_id: "run-1", runs: ["run-1"], loopwright_key: "k" },
  });
  const custom = JSON.parse(await runBd(dir, ["config", "get", "status.custom", "--json"]));
  expect(custom.value).toBe("in_review:active,escalated");
  await close();
});

it("has the issue itself say what it is a fix for where beads takes no kind of edge but its own", async () => {
  process.env.BD_STAND_IN_TYPES = "own";
  const { dir, tracker, close } = await open();
  const root = await tracker.create({ title: "car" });
  const repair = await tracker.repair({ root: root.id, failed: root.id }, { title: "repair", key: "1" });
  expect((await tracker.chain(root.id)).map(({ id }) => id)).toEqual([repair.id, root.id]);
  expect(await runBd(dir, ["export"])).toContain(`"fix_for": ["${root.id}"]`);
  await tracker.update(repair.id, { iteration: { attempts: 1 } });
  expect((await tracker.get(repair.id))?.edges.map(({ kind }) => kind).toSorted()).toEqual(["blocks", "fix-for"]);
  await tracker.unlink(repair.id, "fix-for", root.id);
  expect((await tracker.get(repair.id))?.edges.map(({ kind }) => kind)).toEqual(["blocks"]);
  await expect(tracker.link(root.id, "fix-for", repair.id)).rejects.toMatchObject({ code: "ISSUE_CIRCLE" });
  delete process.env.BD_STAND_IN_TYPES;
  await close();
});

it("says what to do where there is no bd, and what bd said where it failed", async () => {
  const { dir, tracker, close } = await open();
  await expect(runBd(dir, ["update", "bd-none", "--title=x"])).rejects.toThrow(
    "bd update failed: issue not found: bd-none",
  );
  process.env.PATH = "/nowhere";
  await expect(tracker.list()).rejects.toThrow(/no program 'bd' on the PATH: install beads, or take that line out/);
  process.env.PATH = `${standIn}${delimiter}${PATH}`;
  await close();
});
