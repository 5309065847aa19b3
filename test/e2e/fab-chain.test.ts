// A chain of repairs through the real binary, on the real Blender, with no model.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Folder } from "../fakes/cli.ts";
import { createIssue, fabProject } from "../fakes/fab-project.ts";
import { startFaultServer } from "../fakes/fault-server.ts";

async function linksOf(at: Folder, issue: string): Promise<object[]> {
  return ((await at.document(`fab lineage ${issue}`)) as unknown as { links: object[] }).links;
}

/** Blender is started for every repair, twice. */
const LONG = 300_000;

describe("loopwright fab", { timeout: LONG }, () => {
  it("repairs a broken asset by issues of their own until it passes, and puts it into the library", async () => {
    using at = await fabProject({ ways: ["a wheel missing", "ten times too large"] });
    const issue = await createIssue(at);
    const ended = await at.cli(`fab ${issue} --from start.glb`);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(await linksOf(at, issue)).toMatchObject([
      { iteration_index: 0, outcome: "superseded", codes: expect.arrayContaining(["GEO_SCALE_IMPLAUSIBLE"]) },
      { iteration_index: 1, outcome: "superseded", plan: "Repair the last asset: GEO_SCALE_IMPLAUSIBLE." },
      { iteration_index: 2, outcome: "done", codes: [] },
    ]);
    const { issues } = (await at.document("issue list --all")) as unknown as { issues: Record<string, unknown>[] };
    expect(issues).toMatchObject([
      { id: issue, status: "closed", priority: "P2" },
      { title: "[REPAIR] a sedan (iter 1)", status: "closed", priority: "P1" },
      { title: "[REPAIR] a sedan (iter 2)", status: "closed", priority: "P0" },
    ]);
    for (const file of ["asset.glb", "asset.blend", "manifest.json"])
      expect(existsSync(join(at.dir, "library", issue, file)), file).toBe(true);
    expect((await at.cli(`fab ${issue}`)).stdout).toContain(`${issue} is closed`);
  });

  it("begins again from the template where two repairs did not help the geometry, and passes", async () => {
    // Wheels of which none is left cannot be mirrored, and triangles are seen to only once the wheels are there.
    const geometryAlone = { geometry: { weight: 1, floor: 0.6 } };
    using at = await fabProject({
      ways: ["no wheels", "too few triangles"],
      // Nobody tells what it is: that is another test's matter.
      gate: () => ({ critics: geometryAlone, unjudged: "pass" }),
    });
    const issue = await createIssue(at);
    const ended = await at.cli(`fab ${issue} --from start.glb`);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const failing = {
      outcome: "superseded",
      codes: expect.arrayContaining(["GEO_WHEEL_COUNT_LOW", "GEO_TRI_COUNT_LOW"]),
    };
    expect(await linksOf(at, issue)).toMatchObject([
      { ...failing, plan: "The asset is given." },
      { ...failing, plan: expect.stringMatching(/^Repair the last asset: .*GEO_WHEEL_COUNT_LOW/) },
      { ...failing, plan: "Repair the last asset: GEO_WHEEL_COUNT_LOW." },
      { iteration_index: 3, outcome: "done", plan: "Begin with car_sedan_template_v001.", codes: [] },
    ]);
  });

  it("passes on what a drain is told of models, and tells of an issue that cannot be worked on", async () => {
    await using server = await startFaultServer();
    server.otherwise = { text: JSON.stringify({ score: 0.9, reason: "a car", findings: [] }) };
    using at = await fabProject({ gate: () => ({ critics: { category: { weight: 1, by: "model" } } }) });
    const issue = await createIssue(at);
    const without = await at.cli("issue drain --json");
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("none is configured for the critic");
    expect(JSON.parse(without.stdout)).toMatchObject({ issues: [{ id: issue, outcome: "refused", exit: 2 }] });
    expect((await at.cli("issue drain")).lines.at(-1)).toBe("1 issue: 0 done, 0 wait for a person");
    const ended = await at.cli(`issue drain --json --url ${server.url} --model critic=fake`);
    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ issues: [{ id: issue, outcome: "done" }], done: 1 });
    expect(server.requests).toHaveLength(1);
  });
});
