// What a project says is secret stays so: the values of key-like names in .env and the environment are in no byte that a run
// writes or prints, whatever a test, a command or a loop makes of them.

import { describe, expect, it } from "vitest";
import { findCanaries, printed, written } from "../fakes/canaries.ts";
import { type Ended, Folder, runIn } from "../fakes/cli.ts";
import { startFaultServer } from "../fakes/fault-server.ts";
import { fixingModel } from "../fakes/fixing-model.ts";

const secrets = {
  stripe: "cnry-STRIPE~1/Qz7+x",
  shadowed: "cnry-SHADOWED-2-Wk4",
  environment: "cnry-ENVIRONMENT-3-Vb9",
  local: "cnry-LOCAL-4-Tg2",
  line: "cnryPEMline5xHn8cnryPEMline5xHn8",
  suffixed: "cnry-SUFFIXED-6-Lq8",
};
const dotEnv = `STRIPE_SECRET_KEY=${secrets.stripe}
SHARED_TOKEN=${secrets.shadowed}
STRIPE_SECRET_LIVE=${secrets.suffixed}
SIGNING_KEY="-----BEGIN KEY-----
${secrets.line}
-----END KEY-----"
DB_PASSWORD=postgres
KEY_FILE_KEY=/etc/hostname
`;
const env = { SHARED_TOKEN: secrets.environment };

/** Everything that was written and printed, without what was planted, and copied to be worked on. */
function leaks(at: Folder, ended: readonly Ended[]): string[] {
  const found = Object.entries(written(at)).filter(
    ([name]) => !/^(ws\/)?(\.env|task\.md|values\.txt|test_|[a-z]+\.py)|^\.loopwright\/workspaces\//.test(name),
  );
  const said = ended.map((each, index) =>
    Object.fromEntries(Object.entries(printed(each)).map(([name, text]) => [`${index} ${name}`, text])),
  );
  return findCanaries(Object.assign({}, Object.fromEntries(found), ...said), Object.values(secrets));
}

const telling = "def check():\n    return False\n";
const tellingTests = `import os
from telling import check

def read():
    return "".join(open(name).read() for name in [".env", ".env.local", "values.txt"] if os.path.exists(name))

def test_a():
    print(read())
    assert check(), "the file says " + read()

def test_b():
    raise RuntimeError(read())

def test_c():
    assert True
`;

describe("what tests print", { timeout: 180_000 }, () => {
  it.each(["", "ws"])("of a workspace with its own .env (%s) is redacted everywhere", async (folder) => {
    using at = new Folder();
    const inside = folder === "" ? "" : `${folder}/`;
    await at.write(`${inside}telling.py`, telling);
    await at.write(`${inside}test_telling.py`, tellingTests);
    await at.write(`${inside}.env`, dotEnv);
    await at.write(`${inside}.env.local`, `LOCAL_TOKEN=${secrets.local}\n`);
    // The project's own .env is no part of a workspace; what it says may stand elsewhere.
    await at.write(`${inside}values.txt`, `${dotEnv}${secrets.local}\n`);
    const model = await fixingModel("telling.py", `${telling}\n`);
    const words = `code fix --workspace ${folder || "."} --tests ${inside}test_telling.py --max-iterations 1 ${model}`;
    const ended = [await at.cli(words, { env })];
    expect([3, 4]).toContain(ended[0]!.code);
    const run = runIn(ended[0]!);
    for (const look of [`show ${run}`, `show ${run} --json`, `explain ${run}`]) ended.push(await at.cli(look, { env }));
    expect(leaks(at, ended)).toEqual([]);
    const all = Object.values(written(at)).map((bytes) => bytes.toString());
    expect(all.some((text) => text.includes("STRIPE_SECRET_KEY=[secret]"))).toBe(true);
    expect(all.some((text) => text.includes("DB_PASSWORD=postgres"))).toBe(true);
    expect(all.some((text) => text.includes("KEY_FILE_KEY=/etc/hostname"))).toBe(true);
  });
});

describe("a model that is shown a mark", { timeout: 180_000 }, () => {
  it("may not write it into a file or a command, and is told why", async () => {
    await using server = await startFaultServer();
    const block = `===FILE: client.py===\nKEY = "[secret]"\n===END FILE===\n`;
    const commands = `===CMD===\necho [secret] > note.txt\n===END CMD===\n`;
    server.otherwise = ({ prompt }) => {
      const json = { tests_correct: true, issues: [], diagnosis: "x", dk_addition: "", confidence: "low" };
      const plan = [{ file: "client.py", action: "create", functions: [] }];
      return { text: /===FILE/.test(prompt) ? `APPROACH: a\n${block}${commands}` : JSON.stringify({ ...json, plan }) };
    };
    using at = new Folder();
    await at.write("task.md", `Use the key ${secrets.stripe}.\n`);
    await at.write(".env", dotEnv);
    await at.write("tests/test_client.py", "def test_a():\n    assert False\n");
    const ended = await at.cli(
      `code --url ${server.url} --model fake --tests tests/test_client.py --min-iterations 1 --max-iterations 2`,
    );
    expect(at.has("workspace/client.py"), ended.stdout + ended.stderr).toBe(false);
    expect(at.has("workspace/note.txt")).toBe(false);
    const asked = server.requests.map(({ prompt }) => prompt).join("\n");
    expect(asked).toContain("Use the key [secret].");
    expect(asked).toContain("The file client.py was refused: 'client.py' holds '[secret]', which only stands where");
    expect(asked).not.toContain(secrets.stripe);
    expect(asked).toContain("$ echo [secret] > note.txt\nstderr: refused: it holds '[secret]'");
    expect(leaks(at, [ended])).toEqual([]);
  });
});

const loop = `
import { readFileSync } from "node:fs";
import { ExecutionError, defineLoop, fail, pass } from "loopwright";
import { z } from "zod";

const all = () => readFileSync(".env", "utf8") + process.env.SHARED_TOKEN;

export default defineLoop({
  name: "leaky",
  version: 1,
  input: z.any(),
  state: z.object({ kept: z.any(), round: z.number() }),
  initial: (input) => ({ kept: input, round: 0 }),
  start: "work",
  iteration: "work",
  phases: {
    work: {
      to: ["work"],
      run: async (state, ctx) => {
        const said = await ctx.effect("read", {
          input: { all: all() },
          run: async (effect) => {
            effect.progress({ all: all() });
            await effect.save("effect.txt", all());
            return { text: all(), [all()]: 1 };
          },
        });
        await ctx.effect("fail", { run: () => { throw new ExecutionError("BAD", all()); } }).catch(() => {});
        await ctx.tell("warning", { message: all() });
        await ctx.save("bytes.txt", Buffer.from(all()));
        if (state.round === 0) {
          ctx.verdict(fail(0.5, all()));
          return ctx.to("work", { kept: [said.text, all()], round: 1 });
        }
        const { choice } = await ctx.ask({ name: "go", question: "Is it " + all(), choices: ["yes", "no"], default: "no" });
        ctx.verdict(pass(1, all()));
        return ctx.end("done", { reason: all() });
      },
    },
  },
  finish: async (_state, _ending, ctx) => { await ctx.save("note.md", all()); },
});
`;

it("What a loop reads is redacted in its effects, notes, verdicts, gates, files, state, reason and input.", async () => {
  using at = new Folder();
  await at.write("loops/leaky.ts", loop);
  await at.write("loopwright.yaml", "loops: { leaky: loops/leaky.ts }\n");
  await at.write(".env", dotEnv);
  const input = JSON.stringify({ said: `use ${secrets.stripe}`, file: at.dir });
  const ended = [
    await at.cli(["run", "leaky", "--input", input, "--json"], { env }),
    await at.cli("resume", { env, input: "yes\n" }),
  ];
  expect(ended.map(({ code }) => code)).toEqual([6, 0]);
  for (const look of ["show", "show --json", "explain", "verify RUN"])
    ended.push(await at.cli(look.replace("RUN", runIn(ended[1]!)), { env }));
  expect(ended.at(-1)!.code).toBe(0);
  expect(leaks(at, ended)).toEqual([]);
  expect(ended[1]!.stdout).toContain("STRIPE_SECRET_KEY=[secret]");
});
