// Runs that take over from one another read as one story, in every command.

import { describe, expect, it } from "vitest";
import { events, jsonOutput } from "../../../scripts/docs/json-schema.ts";
import { fixtureProject } from "../../fakes/cli.ts";

const JsonOutput = await jsonOutput();

describe("a run that others took over from", () => {
  it("is driven to the last of them, and told in one story", async () => {
    using at = fixtureProject();
    const ended = await at.cli(["run", "relay", "--input", '{"left":2}']);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toMatch(
      /iteration 1 .*2 left\n {2}goes on as (\S+)\.2\n {2}iteration 2 .*\n {2}goes on as \1\.3\n/,
    );
    const [first, second, third] = at.runs() as [string, string, string];
    expect([second, third]).toEqual([`${first}.2`, `${first}.3`]);

    const { runs } = (await at.document("runs")) as unknown as { runs: object[] };
    expect(runs).toMatchObject([{ run: third, status: "done", iterations: 3, after: second }]);
    expect(((await at.document("runs --all")) as unknown as { runs: object[] }).runs).toHaveLength(3);

    const shown = await at.cli(`show ${first}`);
    expect(shown.stdout).toContain(`${first} was taken over by ${third}`);
    for (const words of ["iteration 1", "iteration 2", "iteration 3", "2 left", "1 left"])
      expect(shown.stdout).toContain(words);
    expect((await at.cli(`explain ${first}`)).stdout).toContain("It is done: handed on to the last");
    expect(at.read(`runs/${third}/report.html`)).toMatch(/2 left[\s\S]*1 left/);
    const again = await at.cli(`resume ${first}`);
    expect(again).toMatchObject({ code: 0 });
    expect(at.runs()).toHaveLength(3);
    for (const run of [first, second, third]) expect(await at.document(`verify ${run}`)).toMatchObject({ ok: true });
  });

  it("is followed to the last of them, and --json tells each end, the last one last", async () => {
    using at = fixtureProject();
    const { lines, code } = await at.cli(["run", "relay", "--input", '{"left":1}', "--json"]);
    expect(code).toBe(0);
    for (const line of lines) {
      const value = JSON.parse(line) as { type: keyof typeof events };
      for (const shape of [events[value.type], JsonOutput]) expect(shape.safeParse(value).error, line).toBeUndefined();
    }
    const ends = lines
      .map((line) => JSON.parse(line) as Record<string, string>)
      .filter(({ type }) => type === "run-ended");
    const [first, second] = at.runs();
    expect(ends).toMatchObject([
      { run: first, outcome: "superseded", by: second },
      { run: second, outcome: "done" },
    ]);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ type: "run-ended", run: second });
    const followed = await at.cli(`show ${first} --follow`);
    expect(followed.stdout).toMatch(/superseded {2}1 left\n.*goes on as \S+\.2\n[\s\S]*done {2}handed on to the last/);
  });
});
