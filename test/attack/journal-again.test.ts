// A journal, further: names of JavaScript's own, values without bottom, processes killed in the middle of what changes it, its
// key, and ceilings over forks.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Json, openProject } from "@loopwright/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { Folder, fixtureProject, lastLine, runIn } from "../fakes/cli.ts";
import { fixingModel } from "../fakes/fixing-model.ts";
import { passed, singlePhase } from "../fakes/loops.ts";

const OWN = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__", "then"];

function project() {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-journal-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return openProject({ dir });
}

describe("names of JavaScript's own", () => {
  it.each(OWN)("'%s' is a name like any other: of an effect, a note, a file, and in values", async (name) => {
    await using here = await project();
    // A value with the first of them is refused.
    const key = JSON.stringify(name === "__proto__" ? "prototype" : name);
    const value = JSON.parse(`{${key}:{"polluted":1},"a":[{${key}:2}]}`) as Json;
    let calls = 0;
    const loop = singlePhase(async (ctx) => {
      const made = await ctx.effect(name, {
        input: value,
        run: () => {
          calls++;
          return value;
        },
      });
      expect(JSON.stringify(made)).toBe(JSON.stringify(value));
      await ctx.tell(name, value);
      await ctx.save(`${name}.txt`, name);
      return passed(ctx, { result: value });
    });
    const { run, outcome } = await here.start(loop, value);
    expect({ outcome, calls }).toEqual({ outcome: "done", calls: 1 });
    expect(JSON.stringify((await here.state(run)).state)).toContain('"polluted":1');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((await here.verify(run)).problems).toEqual([]);
  });
});

describe.concurrent("the real program", { timeout: 180_000 }, () => {
  it.each([1_000, 100_000])("refuses an input that is %i deep with a sentence, or runs it", async (depth) => {
    using at = fixtureProject();
    await at.write("deep.json", `{"way":"done","words":${"[".repeat(depth)}${"]".repeat(depth)}}`);
    const { code, stderr } = await at.cli(["run", "steer", "--input", "@deep.json"]);
    expect(code).not.toBeNull();
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("killed at any moment of prune, fork and answer leaves a journal that is whole and can be gone on with", async () => {
    using at = fixtureProject();
    const done = runIn(await at.steer({ way: "done", ballast: "x".repeat(50_000) }));
    const waiting = runIn(await at.steer({ way: "escalated" }));
    for (const [index, words] of [
      "prune --older-than 0h",
      `fork ${done} --at 2`,
      `answer ${waiting} leave`,
    ].entries()) {
      for (const wait of [250, 330, 410, 600]) {
        const { send, ended } = at.start(words);
        await pause(wait + index);
        send("SIGKILL");
        await ended;
      }
    }
    for (const run of at.runs()) {
      const { code, stderr } = await at.cli(`verify ${run}`);
      expect(stderr, run).not.toMatch(/damaged|changed after/);
      expect([0, 1]).toContain(code);
    }
    expect((await at.cli("prune --older-than 0h")).code).toBe(0);
    expect((await at.cli(`verify ${done}`)).code).toBe(0);
    expect((await at.steer({ way: "done" })).code).toBe(0);
  });

  it("told the same by several at once does it once: forks, answers, prunes", async () => {
    using at = fixtureProject();
    const done = runIn(await at.steer({ way: "done" }));
    const waiting = runIn(await at.steer({ way: "escalated" }));
    const all = [`fork ${done} --at 2`, `fork ${done} --at 2`, `answer ${waiting} leave`, `answer ${waiting} leave`];
    const ends = await Promise.all(
      [...all, "prune --older-than 0h", "prune --older-than 0h"].map((words) => at.cli(words)),
    );
    for (const { stderr } of ends) expect(stderr).not.toMatch(/\n\s+at |SQLITE|damaged/);
    const { runs } = (await at.document("runs")) as unknown as { runs: { run: string }[] };
    expect(new Set(runs.map(({ run }) => run)).size).toBe(runs.length);
    for (const { run } of runs) expect((await at.cli(`verify ${run}`)).stderr).not.toMatch(/damaged|changed after/);
  });

  it("gives its journal's key to no program that it starts", async () => {
    using at = fixtureProject();
    const secret = "a-key-that-only-the-user-has-0123456789";
    const env = { LOOPWRIGHT_JOURNAL_KEY: secret };
    await at.write("show.sh", `#!/bin/sh\nenv > ${at.dir}/seen-$1.txt\necho '{}'\n`);
    const notify = `notify.command=sh ${at.dir}/show.sh notify; true`;
    const ended = await at.cli(["run", "steer", "--input", '{"way":"done"}', "-c", notify], { env });
    expect(ended.code, ended.stderr).toBe(0);
    await at.write("calc.py", "def add(a, b):\n    return a - b\n");
    await at.write(
      "tests/test_calc.py",
      `import os\nfrom calc import add\n\ndef test_add():\n    open("seen.txt", "w").write(repr(dict(os.environ)))\n    print(dict(os.environ))\n    assert add(1, 2) == 3\n`,
    );
    const model = await fixingModel("calc.py", "def add(a, b):\n    return a + b");
    await at.cli(`code fix --workspace . --tests tests --seed 1 --sandbox none ${model}`, { env });
    const found = Object.keys(at.listing()).filter(
      (path) => /\.(?:txt|json|html|db|py)$/.test(path) && at.read(path).includes(secret),
    );
    expect(found).toEqual([]);
    expect(at.read("seen-notify.txt")).toContain("PATH=");
  });

  it("mixes runs with a key and without, and shows all of them, but believes with the key only those that have it", async () => {
    using at = fixtureProject();
    const plain = runIn(await at.steer({ way: "done" }));
    const env = { LOOPWRIGHT_JOURNAL_KEY: "a-key-that-only-the-user-has-0123456789" };
    const keyed = runIn(await at.steer({ way: "done" }, "", { env }));
    expect((await at.cli("runs")).stdout).toContain(keyed);
    expect((await at.cli(`verify ${keyed}`, { env })).code).toBe(0);
    expect((await at.cli(`verify ${keyed}`)).code).not.toBe(0);
    expect((await at.cli(`verify ${plain}`, { env })).code).not.toBe(0);
    expect((await at.cli(`fork ${keyed} --at 2`)).code).not.toBe(0);
    expect((await at.cli(`fork ${plain} --at 2`, { env })).code).not.toBe(0);
    expect((await at.cli("prune --older-than 0h", { env })).stderr).not.toMatch(/\n\s+at /);
  });

  it("spends no more on a fork, a resume or a child than its ceiling says, what was spent before counted", async () => {
    using at = fixtureProject();
    const limits = ["-c", "ceilings.tokens=35", "-c", "ceilings.iterations=50"];
    const ended = await at.cli(["run", "steer", "--input", '{"way":"endless"}', "--json", ...limits]);
    const { run } = lastLine(ended) as { run: string };
    const tokens = async (id: string) => Number(/([\d,]+) tokens, \$/.exec((await at.cli(`show ${id}`)).stdout)![1]);
    const spent = await tokens(run);
    expect(spent).toBeLessThanOrEqual(40);
    for (let time = 0; time < 3; time++) await at.cli(`resume ${run}`);
    expect(await tokens(run)).toBe(spent);
    const fork = runIn(await at.cli(`fork ${run} --at 3`));
    await at.cli(`resume ${fork}`);
    expect(await tokens(fork)).toBeLessThanOrEqual(40);
  });
});

describe("a folder above that is another's", () => {
  it("is not the project of a folder that has its own", async () => {
    using at = new Folder();
    await at.write("loopwright.yaml", "notify: { command: 'touch ran' }\n");
    await at.write("own/loopwright.yaml", "");
    const ended = await at.cli("demo --max-iterations 1", { cwd: join(at.dir, "own"), isTrusted: false });
    expect(ended.code).toBe(3);
    expect(at.has("own/.loopwright")).toBe(true);
    expect(at.has(".loopwright")).toBe(false);
  });
});
