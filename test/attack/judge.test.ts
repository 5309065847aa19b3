// No program that is wrong is taken for done because of what it does to the judge in its own process: every trick is a model's
// answer, through the real binary, as whoever runs this and as an ordinary user. Each costs its iteration, and the run is done
// with the right program and no other. Several tricks are answered in one run.

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CliOptions, Folder, lastLine, users } from "../fakes/cli.ts";
import { bwrap } from "../sandbox/bwrap-works.ts";
import { asking, file, scriptedModel } from "./holes/model.ts";
import { type Stage, stages } from "./judge-tricks.ts";

interface Verdict {
  type: string;
  verdict: string;
  reason: string;
  findings?: { code: string }[];
}

/** A run in which a model answers with one trick after another, and then with the right program. */
async function answerWith(stage: Stage, tricks: Stage["tricks"], user: CliOptions["user"]) {
  using at = new Folder();
  await at.write("task.md", `# Task\n\nWrite ${stage.program}.\n`);
  await at.write(`workspace/${stage.program}`, stage.before);
  await at.write(`workspace/${stage.test}`, stage.tests);
  if (stage.name === "vitest")
    symlinkSync(join(import.meta.dirname, "../../node_modules"), join(at.dir, "workspace/node_modules"));
  at.giveTo(user);
  const answers = [...tricks.map(({ source }) => source), stage.right].map((text) => file(stage.program, text));
  await using server = await scriptedModel({ program: stage.program, answers });
  const words = ["code", "--tests", `workspace/${stage.test}`, "--max-iterations", `${answers.length + 1}`, "-y"];
  const ended = await at.cli([...words, ...asking(server)], user ? { user } : {});
  const verdicts = ended.lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "verdict-recorded");
  const made = at.read(`workspace/${stage.program}`);
  return { ended, verdicts: verdicts as Verdict[], last: server.shown.length - 1, made };
}

/** As many tricks as a run takes before it counts as stuck. */
const AT_ONCE = 4;
const rounds = stages.flatMap((stage) =>
  Array.from({ length: Math.ceil(stage.tricks.length / AT_ONCE) }, (_, round) => {
    const tricks = stage.tricks.slice(round * AT_ONCE, (round + 1) * AT_ONCE);
    return { stage, tricks, titles: tricks.map(({ title }) => title).join("; ") };
  }),
);

describe.skipIf(!bwrap).each(users)(
  "A model that answers with tricks, for $name (skipped where bwrap does not work)",
  ({ user }) => {
    it.each(rounds)("is done once it is right, and not by $titles", { timeout: 240_000 }, async ({ stage, tricks }) => {
      const { ended, verdicts, last, made } = await answerWith(stage, tricks, user);
      const said = verdicts.map(({ verdict, findings = [] }) =>
        [verdict, ...findings.map(({ code }) => code)].join(" "),
      );
      const expected = [...tricks.map(({ code = "" }) => expect.stringMatching(new RegExp(`^fail.*${code}`))), "pass"];
      expect(said, `${tricks[last]?.title}: ${ended.stderr}`).toEqual(expected);
      expect(lastLine(ended)).toMatchObject({ outcome: "done" });
      expect(made).toBe(stage.right);
    });
  },
);
