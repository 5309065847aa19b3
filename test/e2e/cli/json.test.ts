// `--json`: every line and every document has the shape that is documented and shipped, and stdout holds nothing else.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { allDocuments, events, jsonOutput } from "../../../scripts/docs/json-schema.ts";
import { schemaOf } from "../../../scripts/docs/schema.ts";
import { type Ended, fixtureProject, lastLine, runIn } from "../../fakes/cli.ts";

const [JsonOutput, documents] = [await jsonOutput(), await allDocuments()];

const shipped = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../packages/loopwright/json-v1.schema.json"), "utf8"),
);
const fromShipped = z.fromJSONSchema(shipped);

/** Every line must fit the schema of its type, the union, and the shipped file. */
function expectLines({ lines, stderr }: Ended): Record<string, unknown>[] {
  expect(lines.length, stderr).toBeGreaterThan(0);
  return lines.map((line) => {
    const value = JSON.parse(line) as Record<string, unknown>;
    const schema = events[value.type as keyof typeof events];
    expect(schema, `no event is called ${value.type}`).toBeDefined();
    for (const shape of [schema, JsonOutput, fromShipped]) expect(faultsOf(shape, value), line).toEqual([]);
    return value;
  });
}

function faultsOf(schema: z.ZodType, value: unknown): unknown[] {
  return schema.safeParse(value).error?.issues ?? [];
}

describe.concurrent("the lines of a command that drives a run", () => {
  it.each([
    ["done", "done"],
    ["endless", "ceiling"],
    ["stagnant", "stagnant"],
    ["escalated", "escalated"],
    ["failed", "failed"],
    ["declined", "declined"],
    ["retry", "done"],
  ])("of a run that is told to be %s fit, and the last one is run-ended", async (way, outcome) => {
    using at = fixtureProject();
    const ended = await at.steer({ way }, "--json");
    const lines = expectLines(ended);
    expect(ended.stderr).toBe("");
    const run = lines[0]!.run as string;
    expect(lines[0]).toMatchObject({ type: "run-started", loop: "steer", folder: join(at.dir, "runs", run) });
    const last = { v: 1, type: "run-ended", run, outcome, folder: join(at.dir, "runs", run) };
    expect(lines.at(-1)).toMatchObject(last);
    for (const key of ["reason", "iterations", "score"]) expect(lines.at(-1)).toHaveProperty(key);
    expect(lines.filter(({ type }) => type === "run-ended")).toHaveLength(1);
  });

  it("of a bug fit too, and what happened is on stderr", async () => {
    using at = fixtureProject();
    const ended = await at.steer({ way: "bug" }, "--json");
    expect(expectLines(ended).at(-1)).toMatchObject({ type: "visit-failed" });
    expect(ended.stderr).not.toBe("");
  });

  it("of gates, child runs, answers, resumes, forks and changed ceilings fit, and a wait ends with the gate", async () => {
    using at = fixtureProject();
    const waiting = await at.cli("run family --json");
    expect(expectLines(waiting).at(-1)).toMatchObject({
      type: "gate-opened",
      choices: ["yes", "no", "not sure"],
      default: "no",
    });
    expect(lastLine(waiting)).toHaveProperty("question", "The child asks: Saltwind?");
    const resumed = expectLines(await at.cli("resume --continue --json --answer accept=yes"));
    expect(resumed.at(-1)).toMatchObject({ type: "run-ended", outcome: "done" });
    const types = new Set([...waiting.lines.map((line) => JSON.parse(line)), ...resumed].map(({ type }) => type));
    for (const type of ["child-waiting", "gate-answered", "run-resumed", "verdict-recorded"])
      expect([...types]).toContain(type);
    const run = runIn(await at.steer({ way: "endless" }, "--slug ceiling"));
    expectLines(await at.cli(`resume ${run} --json --max-iterations 8`));
    const { run: forked } = await at.document(`fork ${run} --at 2`);
    expectLines(await at.cli(`resume ${forked} --json`));
    const answered = runIn(await at.steer({ way: "escalated" }, "--slug look"));
    await at.cli(`answer ${answered} again`);
    expectLines(await at.cli(`resume ${answered} --json`));
  });

  it("of the event that a run waits at say nothing that needs a person's terminal", async () => {
    using at = fixtureProject();
    const ended = await at.cli("run ask --input {} --json --yes");
    expect(expectLines(ended).at(-1)).toMatchObject({ outcome: "declined" });
  });
});

describe.concurrent("the document of a command that looks", () => {
  it("fits for every one of them", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }, "--slug one"));
    const family = runIn(await at.cli("run family --slug two -c notify.command=exit"));
    const talk = runIn(await at.cli("run talk --model command:cat --slug three"));
    const seen = new Set<string>();
    for (const words of [
      "runs",
      "runs --all",
      `show ${run}`,
      `show ${family} --rebuild`,
      `explain ${run}`,
      `explain ${family}`,
      `show ${talk} --calls`,
      `show ${talk} --call 1`,
      `verify ${run}`,
      `answer ${family} yes`,
      `fork ${run} --at 2`,
      "graph steer",
      "code --estimate",
      "prompts",
      "prompts models mend-error",
      "doctor",
      "doctor --models --model command:cat",
      "doctor --models --model command:false",
      "init new --dry-run",
      "run ask --input {} --dry-run",
      `resume ${run} --dry-run`,
      `cancel ${family}`,
      "issue create --title one --kind car --dry-run",
      "issue create --title one --kind car --tag a --gate car_realism_v001",
      "issue list",
      "issue show lw",
      "issue export",
      "issue export out.jsonl",
      "issue import out.jsonl",
      "fab review",
      "fab lineage lw",
      "issue drain --dry-run",
      "prune --older-than 0h --dry-run",
      "prune --older-than 0h",
    ]) {
      const { stdout, stderr } = await at.cli(`${words} --json`);
      const value = JSON.parse(stdout || JSON.stringify({ words, stderr }));
      const schema = documents[value.type as string]!;
      expect(schema, `${words}: ${stdout}${stderr}`).toBeDefined();
      for (const shape of [schema, JsonOutput, fromShipped]) expect(faultsOf(shape, value), words).toEqual([]);
      seen.add(value.type);
    }
    // A pause needs a run under way, and amendments one of the code loop; they are held to their shapes where they are made.
    const elsewhere = [
      "pause",
      "amendments",
      "apply",
      "undo",
      "novel-said",
      "novel-asked",
      "novel-plan",
      "review",
      "drained",
      "prove",
    ];
    expect([...seen, ...elsewhere].sort()).toEqual(Object.keys(documents).sort());
  });

  it("of the writing REPL fits, line by line", async () => {
    using at = fixtureProject();
    const env = {
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@b.c",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@b.c",
    };
    expect(await at.cli("init book --loop novel", { env })).toMatchObject({ code: 0 });
    const plan = await at.document("novel book --dry-run");
    expect(faultsOf(documents["novel-plan"]!, plan)).toEqual([]);
    const { lines, stderr } = await at.cli("novel book --json", {
      env,
      input: "/status\n/cull\n/generate premise\n/nonsense\n/quit\n",
    });
    expect(lines.length, stderr).toBeGreaterThan(2);
    for (const line of lines) expect(faultsOf(JsonOutput, JSON.parse(line)), line).toEqual([]);
  });

  it("of pause fits", async () => {
    using at = fixtureProject();
    const program = at.startSteer({ way: "slow", rounds: 900, seconds: 0.05 }, "--json --max-iterations 1000");
    await program.line('"verdict-recorded"');
    expect(faultsOf(documents.pause!, await at.document(`pause ${at.runs()[0]}`))).toEqual([]);
    expectLines(await program.ended);
  });
});

describe("the schema", () => {
  const line = { v: 1, type: "progress", run: "r", at: "2026-01-02T03:04:05.678Z", key: "work", data: null };

  it("is the one that is shipped", () => {
    expect(shipped).toEqual(JSON.parse(JSON.stringify(schemaOf(JsonOutput))));
  });

  it("has every event and every document", () => {
    expect(shipped.anyOf).toHaveLength(Object.keys(events).length + Object.keys(documents).length);
  });

  it.each([
    ["as it is", {}, true],
    ["with a field missing", { key: undefined }, false],
    ["with a field too many", { shade: "blue" }, false],
    ["of another version", { v: 2 }, false],
    ["of a type that is not there", { type: "regress" }, false],
    ["with a time that is none", { at: "yesterday" }, false],
    ["with a field of the wrong type", { key: 5 }, false],
  ])("takes or refuses a line %s", (_what, change, isRight) => {
    const value = JSON.parse(JSON.stringify({ ...line, ...change }));
    expect(JsonOutput.safeParse(value).success).toBe(isRight);
    expect(fromShipped.safeParse(value).success).toBe(isRight);
  });
});
