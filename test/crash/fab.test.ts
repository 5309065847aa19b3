// The fab loop on the real Blender: chains that are killed, two processes at one issue, and a drain that is stopped in every way.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { hasBlender } from "../fakes/blender.ts";
import type { Folder, Started } from "../fakes/cli.ts";
import { createIssue, fabProject } from "../fakes/fab-project.ts";
import { statuses, workersOf } from "./fab-drain.ts";
import { killedChain, places } from "./fab-kills.ts";

const LONG = 600_000;
type Fields = Record<string, unknown>;

describe.skipIf(!hasBlender)("a chain that is killed", { timeout: LONG }, () => {
  // Every place in a run of its own: npm run soak -- fab-kills.
  it.each([
    ["search", 0],
    ["model", 2],
  ] as const)(
    "in every phase of both of its runs ends as it should: one repair, one asset in the library, and that whole, by %s",
    async (builder, asked) => {
      const dir = mkdtempSync(join(tmpdir(), "loopwright-fab-kill-"));
      const { killed, end } = await killedChain(dir, places[builder], builder);
      expect(killed).toBeGreaterThan(5);
      expect(end).toMatchObject({
        asked,
        issues: [
          { title: "a sedan", status: "closed", priority: "P2", runs: 1, edges: ["blocks", "fix-for"] },
          { title: "[REPAIR] a sedan (iter 1)", status: "closed", priority: "P1", runs: 1, attempts: 1 },
        ],
        links: [{ outcome: "superseded" }, { outcome: "done", codes: [] }],
        folders: 2,
        library: { ROOT: { files: ["asset.blend", "asset.glb", "manifest.json"], isWhole: true } },
        problems: [],
      });
      expect(end.issues).toHaveLength(2);
    },
  );
});

describe("two processes at one issue", { timeout: LONG }, () => {
  it("one works, and the other says so", async () => {
    using at = await fabProject();
    const issue = await createIssue(at);
    const first = at.start(`fab ${issue} --from start.glb --json`);
    await first.line('"phase":"render"');
    // It lives, and does nothing until it is let go on.
    first.send("SIGSTOP");
    const second = await at.cli(`fab ${issue} --from start.glb`);
    expect(second).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${issue} is being worked on by another`),
    });
    first.send("SIGCONT");
    expect((await first.ended).code).toBe(0);
    expect(at.runs()).toHaveLength(1);
    expect((await at.cli(`fab ${issue}`)).stdout).toContain(`${issue} is closed`);
  });

  it("at the same moment: one run, one asset", async () => {
    using at = await fabProject();
    const issue = await createIssue(at);
    const ends = await Promise.all([1, 2].map(() => at.cli(`fab ${issue} --from start.glb`)));
    expect(ends.map(({ code }) => code)).toContain(0);
    for (const { code, stderr } of ends) expect([0, 2], stderr).toContain(code);
    expect(at.runs()).toHaveLength(1);
    expect(at.has(`library/${issue}/asset.glb`)).toBe(true);
  });
});

describe.skipIf(!hasBlender)("a drain", { timeout: LONG }, () => {
  it("that is stopped, loses a worker, and is killed, ends each issue once", async () => {
    using at = await fabProject();
    const issues: string[] = [];
    for (let nth = 0; nth < 5; nth += 1)
      issues.push(await createIssue(at, { title: `sedan ${nth}`, priority: nth === 3 ? "P0" : "P2" }));
    expect(await at.document("issue drain --dry-run")).toMatchObject({
      issues: [{ id: issues[3] }, ...issues.filter((id) => id !== issues[3]).map((id) => ({ id }))],
    });
    expect(at.runs()).toEqual([]);

    // Ctrl-C reaches the workers, and they end cleanly.
    const stopped = await drainUntilWorking(at);
    stopped.send("SIGINT");
    const told = await stopped.ended;
    expect(told.code, told.stderr).toBe(130);
    expect(JSON.parse(told.stdout)).toMatchObject({ type: "drained", isStopped: true, issues: expect.any(Array) });
    expect(workersOf(at.dir)).toEqual([]);

    // A worker that dies is no hang: its issue is left for later, and the next one is worked on; then all are killed.
    const losing = await drainUntilWorking(at);
    process.kill(workersOf(at.dir)[0]!, "SIGKILL");
    while ((await statuses(at.dir)).closed === undefined) await setTimeout(100);
    for (const pid of [losing.pid, ...workersOf(at.dir)]) process.kill(pid, "SIGKILL");
    expect((await losing.ended).stderr).toContain("its worker died (SIGKILL)");

    // Two drains at once: each issue is had by one of them.
    for (const last of await Promise.all([1, 2].map(() => at.cli("issue drain --json"))))
      expect(last.code, last.stdout + last.stderr).toBe(0);
    expect(await statuses(at.dir)).toEqual({ closed: 5 });
    expect(at.runs()).toHaveLength(5);
    for (const issue of issues) {
      const { links } = (await at.document(`fab lineage ${issue}`)) as unknown as { links: Fields[] };
      expect(links.map(({ outcome }) => outcome)).toEqual(["done"]);
      expect(JSON.parse(at.read(`library/${issue}/manifest.json`))).toMatchObject({ issue, run_id: links[0]!.run });
    }
    expect(JSON.parse((await at.cli("issue drain --json")).stdout)).toMatchObject({ type: "drained", issues: [] });
  });
});

async function drainUntilWorking(at: Folder, flags = "--workers 2"): Promise<Started> {
  const drain = at.start(`issue drain --json ${flags}`);
  while (drain.child.exitCode === null && workersOf(at.dir).length === 0) await setTimeout(50);
  return drain;
}
