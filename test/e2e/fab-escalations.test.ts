// When a person must look, and what their answers lead to: through the real binary, with no model but scripted ones.

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { findBlender } from "@loopwright/blender";
import { openProject } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { Folder } from "../fakes/cli.ts";
import { createIssue, DYING, type FabProject, fabProject, spoiledBlender } from "../fakes/fab-project.ts";
import { type FaultServer, startFaultServer } from "../fakes/fault-server.ts";

type Fields = Record<string, never>;

/** Critics that take the asset for a car, nearly, and whose votes come to nothing. */
function undecided(server: FaultServer): void {
  server.otherwise = ({ prompt }) =>
    prompt.includes("What to vote on")
      ? { text: JSON.stringify({ vote: "unsure", reason: "I cannot tell" }) }
      : { text: JSON.stringify({ score: 0.75, reason: "nearly", findings: [] }) };
}

interface Case extends FabProject {
  trigger: string;
  codes: string[];
  /** How many runs the chain has. */
  runs: number;
  isDying?: boolean;
  flags?: string;
}

const cases: Case[] = [
  {
    trigger: "max_iterations_exceeded",
    ways: ["a wheel missing", "ten times too large"],
    gate: ({ iteration }) => ({ iteration: { ...iteration, max_iterations: 1 } }),
    codes: ["GEO_WHEEL_COUNT_LOW"],
    runs: 2,
  },
  {
    trigger: "repeated_hard_fail",
    // No template has so many triangles.
    gate: ({ geometry }) => ({ geometry: { ...geometry, trivial: 400_000, triangles: [450_000, 500_000] } }),
    codes: ["GEO_TRI_COUNT_TRIVIAL"],
    runs: 2,
  },
  {
    trigger: "import_crash",
    gate: ({ critics }) => ({ critics: { ...critics, realism: { weight: 0.2 } } }),
    isDying: true,
    codes: ["BLENDER_CRASH"],
    runs: 1,
    flags: "--profile draft",
  },
  {
    trigger: "critic_inconsistency",
    gate: () => ({ critics: { category: { weight: 1, by: "model" } }, uncertainty_band: 0.03 }) as never,
    codes: [],
    runs: 1,
    flags: "--model critic=fake --model tiebreaker=fake",
  },
  {
    trigger: "suspected_adversarial",
    ways: ["floating", "inverted normals", "holes"],
    codes: ["GEO_NON_MANIFOLD", "GEO_NORMALS_INCONSISTENT", "GEO_FLOATING"],
    runs: 1,
  },
];

async function escalate(at: Folder, { isDying, flags = "" }: Partial<Case>, server: FaultServer) {
  const issue = await createIssue(at);
  mkdirSync(join(at.dir, "programs"));
  const env = isDying
    ? { LOOPWRIGHT_BLENDER: spoiledBlender(join(at.dir, "programs"), (await findBlender()).path, DYING) }
    : undefined;
  const words = `fab ${issue} --from start.glb --url ${server.url} --json ${flags}`;
  return { issue, ended: await at.cli(words, env && { env }) };
}

/** Blender is started for every repair, twice. */
const LONG = 300_000;

describe("a chain escalates", { timeout: LONG }, () => {
  it.each(cases)("for $trigger", async ({ trigger, codes, runs, ...given }) => {
    await using server = await startFaultServer();
    undecided(server);
    using at = await fabProject(given);
    const { issue: root, ended } = await escalate(at, given, server);
    expect(ended.code, ended.stdout.slice(-2_000) + ended.stderr).toBe(5);
    const told = ended.lines.map((line) => JSON.parse(line)).filter(({ name }) => name === "fab-escalated");
    const { issues } = (await at.document("fab review")) as unknown as { issues: Fields[] };
    const [waiting, ...others] = issues;
    expect(others).toEqual([]);
    expect(waiting).toMatchObject({
      status: "escalated",
      tags: expect.arrayContaining(["@human-escalated", `@escalate:${trigger}`]),
      iteration: { lastFailCodes: expect.arrayContaining(codes) },
    });
    expect(told.map(({ data }) => data)).toMatchObject([
      {
        issue_id: waiting!.id,
        reason: trigger,
        iteration_index: runs - 1,
        last_fail_codes: expect.arrayContaining(codes),
      },
    ]);
    const { links } = (await at.document(`fab lineage ${root}`)) as unknown as { links: Fields[] };
    expect(links.map(({ outcome }) => outcome)).toEqual([...Array(runs - 1).fill("superseded"), "escalated"]);
    // Asked again, it still waits, and nothing was done twice.
    const again = await at.cli(`fab ${root}`);
    expect(again.code, again.stderr).toBe(5);
    expect(at.runs()).toHaveLength(runs);
  });
});

/** Stops a chain once its first repair has begun, so that nothing is built. */
const ONE = "--max-iterations 1";

describe("a trigger that is set to false leaves an ordinary fail, which is repaired", { timeout: LONG }, () => {
  it.each([
    ["on_import_crash", cases[2]!, "hard fail: BLENDER_CRASH"],
    ["on_critic_inconsistency", cases[3]!, "the score is near the threshold, and the votes are undecided"],
  ])("%s", async (name, { gate, ...given }, reason) => {
    await using server = await startFaultServer();
    undecided(server);
    using at = await fabProject({
      gate: (shape) => ({
        ...gate!(shape),
        iteration: { ...shape.iteration, escalation: { [name]: false } },
      }),
    });
    const { issue, ended } = await escalate(at, { ...given, flags: `${given.flags} ${ONE}` }, server);
    expect(ended.code, ended.stdout.slice(-2_000) + ended.stderr).toBe(3);
    const { issues } = (await at.document("issue list")) as unknown as { issues: Fields[] };
    expect(issues).toMatchObject([
      { id: issue, status: "blocked" },
      { title: "[REPAIR] a sedan (iter 1)", description: expect.stringContaining(`FAIL (${reason}`) },
    ]);
    // The ceiling has stopped it: no trigger has.
    for (const { tags } of issues) expect(tags).not.toContain("@human-escalated");
  });
});

describe("a person's answer", { timeout: LONG }, () => {
  it("accept merges it as it is, reject closes the chain, retry and template lead to a repair", async () => {
    using escalated = await fabProject({
      ways: ["a wheel missing"],
      gate: ({ iteration }) => ({ iteration: { ...iteration, max_iterations: 0 } }),
    });
    const issue = await createIssue(escalated);
    expect((await escalated.cli(`fab ${issue} --from start.glb`)).code).toBe(5);
    const shown = await escalated.cli(`fab review ${issue}`);
    expect(shown.stdout).toMatch(/GEO_WHEEL_COUNT_LOW.*views\/shaded_front_3q\.png.*0 {2}0\.\d\d {2}escalated/s);

    const answered = async (words: readonly string[]) => {
      const at = new Folder();
      cpSync(escalated.dir, at.dir, { recursive: true });
      const ended = await at.cli(["fab", "review", issue, ...words]);
      const { issues } = (await at.document("issue list --all")) as unknown as { issues: Fields[] };
      return { at, ended, issues };
    };

    using accept = await wrapped(answered(["accept"]));
    expect(accept.ended.code, accept.ended.stderr).toBe(0);
    expect(accept.issues).toMatchObject([{ status: "closed", closeReason: expect.stringContaining("by a person") }]);
    expect(JSON.parse(accept.at.read(`library/${issue}/manifest.json`))).toMatchObject({
      ...{ issue, accepted_by: "person", iteration_index: 0, parent_run_id: null, run_id: accept.at.runs()[0] },
    });

    using reject = await wrapped(answered(["reject", "--note", "too plain"]));
    expect(reject.ended.code, reject.ended.stderr).toBe(8);
    expect(reject.issues).toMatchObject([{ status: "closed", closeReason: "a person said no to it: too plain" }]);
    expect(reject.at.has("library")).toBe(false);

    const note = "the front left wheel is gone";
    using retry = await wrapped(answered(["retry", "--note", note, ...ONE.split(" ")]));
    expect(retry.ended.code, retry.ended.stderr).toBe(3);
    expect(retry.issues).toMatchObject([
      { status: "blocked" },
      { title: "[REPAIR] a sedan (iter 1)", description: expect.stringContaining(`### From the review\n\n${note}`) },
    ]);
    const [, next] = retry.at.runs();
    await using project = await openProject({ dir: retry.at.dir });
    expect((await project.state(next!)).input).toMatchObject({
      iteration_index: 1,
      work: { note, issue: retry.issues[1]!.id },
    });

    using template = await wrapped(answered(["template"]));
    expect(template.ended.code, template.ended.stdout + template.ended.stderr).toBe(0);
    expect(template.issues[1]).toMatchObject({ asset: { template: "car_sedan_template_v001" }, status: "closed" });
    expect(JSON.parse(template.at.read(`library/${issue}/manifest.json`))).toMatchObject({
      ...{ accepted_by: "gate", iteration_index: 1 },
    });
  });

  it("is taken only where one is waited for", async () => {
    using at = await fabProject();
    const issue = await createIssue(at);
    const ended = await at.cli(`fab review ${issue} accept`);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(`${issue} does not wait for a person`) });
  });
});

/** What has a folder is let go with it. */
async function wrapped<Made extends { at: Folder }>(making: Promise<Made>): Promise<Made & Disposable> {
  const made = await making;
  return { ...made, [Symbol.dispose]: () => made.at[Symbol.dispose]() };
}
