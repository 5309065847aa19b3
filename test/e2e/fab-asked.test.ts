// What passes is what was asked for: every word of a prompt is measured, seen, or named, through the real binary.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GateVerdict } from "../../packages/fab/src/verdict/gate-verdict.ts";
import { hasBlender } from "../fakes/blender.ts";
import { Folder } from "../fakes/cli.ts";
import { fabProject } from "../fakes/fab-project.ts";
import { startFaultServer } from "../fakes/fault-server.ts";

const LONG = 300_000;
const gates = join(import.meta.dirname, "../../packages/fab/gates");

/** A project with a shipped gate, without what needs pictures by Blender. */
async function projectAt(gate: string): Promise<Folder> {
  const at = new Folder();
  const text = readFileSync(join(gates, `${gate}.yaml`), "utf8");
  await at.write("gates/own.yaml", text.replace(gate, "own").replace(/^ {2}realism:.*\n/m, ""));
  return at;
}

async function issueFor(at: Folder, kind: string, prompt: string, gate = "own"): Promise<string> {
  const ended = await at.cli(["issue", "create", "--title", "x", "--kind", kind, "--gate", gate, "--prompt", prompt]);
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stdout.trim();
}

function verdictIn(at: Folder): GateVerdict {
  return GateVerdict.parse(JSON.parse(at.read(`runs/${at.runs().at(-1)!}/verdict/gate_verdict.json`)));
}

describe.skipIf(!hasBlender)("a prompt with words that no check measures", { timeout: LONG }, () => {
  it.each([
    ["furniture_realism_v001", "chair", "a wooden table", ["wooden", "table"]],
    ["car_realism_v001", "car", "a blue convertible from the 1960s", ["convertible", "from", "1960s"]],
  ])("at %s as %s: '%s' waits for a person with exactly those words", async (gate, kind, prompt, unjudged) => {
    using at = await projectAt(gate);
    const issue = await issueFor(at, kind, prompt);
    const ended = await at.cli(`fab ${issue}`);
    expect(ended.code, ended.stdout + ended.stderr).toBe(5);
    expect(at.has("library")).toBe(false);
    const { verdict, escalate_reason, requirements } = verdictIn(at);
    expect({ verdict, escalate_reason }).toEqual({ verdict: "escalate", escalate_reason: "unjudged_words" });
    const words = requirements.filter(({ result }) => result === "unjudged").map((each) => each.words);
    expect(words).toEqual(unjudged);
    const board = (await at.cli("fab review")).stdout;
    expect(board).toContain(`unjudged_words: ${unjudged.join(", ")}\n`);
    expect((await at.cli(`issue show ${issue}`)).stdout).toMatch(
      new RegExp(`judged +${kind}: met \\(category check: yes, [\\s\\S]*\n  unjudged +${unjudged.join(", ")}\n`),
    );
    expect((await at.cli(`fab review ${issue}`)).stdout).toMatch(new RegExp(`unjudged {2}${unjudged[0]}`));
    expect(at.read(`runs/${at.runs()[0]}/asset.html`)).toMatch(
      new RegExp(`<th>${unjudged[0]}</th><td class="escalate">unjudged</td>[\\s\\S]*nobody could judge it`),
    );
    // A person may take it as it is.
    const accepted = await at.cli(`fab review ${issue} accept`);
    expect(accepted.code, accepted.stderr).toBe(0);
    expect(JSON.parse(at.read(`library/${issue}/manifest.json`))).toMatchObject({ accepted_by: "person" });
  });

  it("passes where each word is measured, and where the gate lets the others pass", async () => {
    using at = await projectAt("car_realism_v001");
    const measured = await issueFor(at, "car", "a blue SUV");
    const ended = await at.cli(`fab ${measured}`);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(verdictIn(at).requirements.map(({ words, result }) => [words, result])).toEqual([
      ["car", "met"],
      ["blue", "met"],
      ["suv", "met"],
    ]);
    await at.write("gates/own.yaml", at.read("gates/own.yaml").replace("unjudged: review", "unjudged: pass"));
    const lenient = await issueFor(at, "car", "a blue car for the market");
    expect((await at.cli(`fab ${lenient}`)).code).toBe(0);
  });
});

describe("where models.critic is configured", { timeout: LONG }, () => {
  it("checks and the model are used together, and the verdict says which said what", async () => {
    await using server = await startFaultServer();
    server.otherwise = ({ prompt }) => {
      if (prompt.includes("Every single thing that it asks for")) {
        const requirements = ["red", "with a roof rack"].map((words) => ({ words, means: words }));
        return { text: JSON.stringify({ requirements, nothing: ["a", "car"] }) };
      }
      const says = ["yes", "yes", "no"].map((each, at) => ({ requirement: at + 1, says: each, reason: `seen ${at}` }));
      const more = prompt.includes("What to judge: alignment") && { requirements: says };
      return { text: JSON.stringify({ score: 0.9, reason: "I looked", findings: [], ...more }) };
    };
    using at = await fabProject();
    await at.write("loopwright.yaml", "models:\n  critic: { endpoint: default, model: fake }\n");
    const words = ["fab", "judge", "start.glb", "--gate", "shape", "--prompt", "a red car with a roof rack"];
    const ended = await at.cli([...words, "--url", server.url, "--trust"]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(7);
    const { opinions, requirements, verdict_reason } = verdictIn(at);
    expect(verdict_reason).toBe("not as asked for: with a roof rack");
    for (const critic of ["category", "geometry", "alignment"])
      expect(opinions[critic]!.map(({ by }) => by)).toEqual(["check", "model"]);
    expect(requirements).toMatchObject([
      {
        words: "car",
        result: "met",
        answers: [{ by: "category check" }, { by: "category model" }, { by: "alignment model" }],
      },
      { words: "red", result: "met", answers: [{ by: "color check" }, { by: "alignment model", reason: "seen 1" }] },
      {
        words: "with a roof rack",
        result: "unmet",
        answers: [{ by: "alignment model", says: "no", reason: "seen 2" }],
      },
    ]);
    expect(ended.stdout).toMatch(/category +0\.90 {2}check 1\.00, model 0\.90/);
    expect(ended.stdout).toContain("unmet     with a roof rack\n            alignment model: no, seen 2");
  });
});

describe("a kind", () => {
  it("that is not its gate's is refused as the issue is made and changed, and where the gate has changed since", async () => {
    using at = await projectAt("furniture_realism_v001");
    const refused = { code: 2, stderr: expect.stringContaining("own is a gate for the kind chair, and not for table") };
    const words = ["issue", "create", "--title", "a wooden table", "--gate", "own"];
    expect(await at.cli([...words, "--kind", "table"])).toMatchObject(refused);
    const issue = (await at.cli([...words, "--kind", "chair"])).stdout.trim();
    expect((await at.cli("issue list --quiet")).stdout.trim()).toBe(issue);
    expect(await at.cli(`issue update ${issue} --kind table`)).toMatchObject(refused);
    await at.write("gates/own.yaml", at.read("gates/own.yaml").replaceAll("chair", "bench"));
    await at.write("gates/own.yaml", at.read("gates/own.yaml").replace("bench_template", "chair_template"));
    const ended = await at.cli(`fab ${issue}`);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("and not for chair") });
    expect((await at.cli("issue ready --quiet")).stdout.trim()).toBe(issue);
    expect(at.runs()).toEqual([]);
  });

  it("that no template builds asks for a model as builder, and one that no check tells for a critic", async () => {
    using at = await projectAt("car_realism_v001");
    const text = at
      .read("gates/own.yaml")
      .replace("kind: car", "kind: garden_gnome")
      .replace(/^ {2}template_fallback:[\s\S]*/m, "");
    await at.write("gates/own.yaml", text);
    const made = await at.cli([
      ...["issue", "create", "--title", "a garden gnome with a red hat"],
      ...["--kind", "garden_gnome", "--gate", "own"],
    ]);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("no template builds a garden gnome") });
    const issue = made.stdout.trim();
    const ended = await at.cli(`fab ${issue}`);
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no template builds a garden gnome: a model must"),
    });
    expect((await at.cli(`fab ${issue} --builder search`)).stderr).toContain("no template builds a garden gnome");
    const withBuilder = await at.cli(`fab ${issue} --model builder=lmstudio:x`);
    expect(withBuilder).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("none is configured for the critic"),
    });
    expect((await at.cli("issue ready --quiet")).stdout.trim()).toBe(issue);
    expect(at.runs()).toEqual([]);
  });
});
