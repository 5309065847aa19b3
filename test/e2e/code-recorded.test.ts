// `loopwright code` on what agents have answered by hand, replayed from cassettes. Real sandbox, real pytest, real node --test.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";

const recorded = join(import.meta.dirname, "../fixtures/code");
const MINUTE = 60_000;

/** A project with a recorded task. */
function project(name: string): Folder {
  const folder = new Folder();
  cpSync(join(recorded, name), folder.dir, { recursive: true });
  return folder;
}

const replay = "--model lmstudio:desk --cassette cassette.json --cassette-mode replay";

describe.each([
  ["python", "schedule.py"],
  ["typescript", "durations.ts"],
])("a recorded task in %s", (name, program) => {
  it("goes from an empty workspace to green, with a failing iteration on the way", {
    timeout: 3 * MINUTE,
  }, async () => {
    using at = project(name);
    const ended = await at.cli(`code ${replay} --json`);
    expect(ended.code, ended.stderr).toBe(0);
    const verdicts = ended.lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "verdict-recorded");
    expect(verdicts.at(-1)).toMatchObject({ verdict: "pass", score: 1 });
    expect(verdicts.map(({ verdict }) => verdict)).toContain("fail");
    expect(at.has(`workspace/${program}`)).toBe(true);
    expect(lastLine(ended)).toMatchObject({ type: "run-ended", outcome: "done" });
    const [run] = at.runs();
    const { calls } = await at.document(`show ${run} --calls`);
    expect((calls as unknown as { role: string }[]).map(({ role }) => role)).toEqual([
      "consultant",
      "implementer",
      "reviewer",
      "reviewer",
      "implementer",
    ]);
    expect((await at.cli(`show ${run} --call 2`)).stdout).toContain("===FILE: ");
    expect((await at.cli(`amendments ${run}`)).stdout).toContain("amended nothing");
    expect(await at.document(`amendments ${run}`)).toMatchObject({ type: "amendments", run, amendments: [] });
  });
});
