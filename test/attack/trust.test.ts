// A folder that came from elsewhere, and that nobody has trusted: whatever lies in it, no command runs a program of its choice,
// writes or deletes outside of it, or takes its word for the user's.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, fixtureProject, runIn } from "../fakes/cli.ts";
import { fixingModel } from "../fakes/fixing-model.ts";
import { Foreign, foreign } from "../fakes/foreign.ts";
import { forgeRun, onlyIn, putLink } from "./foreign-folder.ts";

/** A project with a run that has ended, beside a folder that it has no business in. */
async function withRun(): Promise<{ at: Folder; around: Folder; run: string } & Disposable> {
  const [at, around] = [fixtureProject(), new Folder()];
  const run = runIn(await at.steer({ way: "done" }));
  await around.write("precious/kept.txt", "precious");
  await around.write("kept.txt", "precious");
  return { at, around, run, [Symbol.dispose]: () => [at, around].map((each) => each[Symbol.dispose]()) };
}

const looking = ["runs", "show --rebuild", "resume", "prune --older-than 0h"];

describe.concurrent("links and names of a foreign folder", { timeout: 180_000 }, () => {
  it.each(["prune --older-than 0h", "resume", "show --rebuild"])(
    "a run that is called like a path elsewhere has nothing deleted there by '%s'",
    async (words) => {
      using made = await withRun();
      const { at, around } = made;
      for (const from of [".loopwright/workcells", ".loopwright", "runs"]) {
        forgeRun(at, relative(join(at.dir, from), join(around.dir, "precious")));
        const before = around.listing();
        await at.cli(words, { isTrusted: false });
        expect(around.listing(), from).toEqual(before);
      }
    },
  );

  it.each([".loopwright/drafts", ".loopwright/workcells", ".loopwright/files", ".loopwright/workspaces"])(
    "a link at %s leads no command out of the folder",
    async (path) => {
      using made = await withRun();
      const { at, around, run } = made;
      await around.write(`${run}/kept.txt`, "precious");
      putLink(at, path, around.dir);
      const before = around.listing();
      for (const words of looking) await at.cli(words.replace("RUN", run), { isTrusted: false });
      expect(around.listing()).toEqual(before);
    },
  );

  it.each(["runs", ".loopwright"])("a link at %s has no file of ours put where it leads", async (path) => {
    using at = new Foreign();
    using around = new Folder();
    await around.write("kept.txt", "precious");
    await at.write("loopwright.yaml", "");
    putLink(at, path, around.dir);
    for (const words of ["runs", "show", "verify x", "prune", "doctor"]) await at.cli(words);
    expect(around.has(".gitignore")).toBe(false);
    expect(around.read("kept.txt")).toBe("precious");
  });

  it.each(["runs/.gitignore", ".loopwright/.gitignore"])("a link at %s forges no trust", async (path) => {
    using made = await withRun();
    const { at } = made;
    const state = mkdtempSync(join(tmpdir(), "loopwright-state-"));
    try {
      mkdirSync(join(state, "loopwright/trust"), { recursive: true });
      const line = `touch ${join(at.dir, "ran")}`;
      await at.write("loopwright.yaml", `notify: { command: ${JSON.stringify(line)} }\n`);
      const value = JSON.stringify([realpathSync(at.dir), "notify.command", line]);
      const id = createHash("sha256").update(value).digest("hex");
      putLink(at, path, join(state, "loopwright/trust", id));
      const env = { XDG_STATE_HOME: state };
      for (const words of looking) await at.cli(words, { isTrusted: false, env });
      await at.cli(["demo", "--max-iterations", "1"], { isTrusted: false, env });
      expect(at.has("ran")).toBe(false);
      expect(readdirSync(join(state, "loopwright/trust"))).toEqual([]);
    } finally {
      rmSync(state, { recursive: true });
    }
  });

  it("an empty file in the user's state is no trust", async () => {
    using at = await foreign("notify: { command: 'MARK' }\n");
    const state = mkdtempSync(join(tmpdir(), "loopwright-state-"));
    try {
      mkdirSync(join(state, "loopwright/trust"), { recursive: true });
      const value = JSON.stringify([realpathSync(at.dir), "notify.command", at.mark]);
      writeFileSync(join(state, "loopwright/trust", createHash("sha256").update(value).digest("hex")), "*\n");
      await at.cli(["demo", "--max-iterations", "1"], { env: { XDG_STATE_HOME: state } });
      expect(at.hasRun).toBe(false);
    } finally {
      rmSync(state, { recursive: true });
    }
  });
});

/** A program with one bug, fixed by a run. */
const program = "def add(a, b):\n    return a - b\n";
const tests =
  "from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_zero():\n    assert add(0, 0) == 0\n";

async function withFix(): Promise<{ at: Foreign; state: string; run: string }> {
  const at = new Foreign();
  await at.write("calc.py", program);
  await at.write("tests/test_calc.py", tests);
  const model = await fixingModel("calc.py", program.replace("-", "+"));
  const ended = await at.cli(`code fix --workspace . --tests tests --seed 1 --json ${model}`, { isTrusted: true });
  expect(ended.code, ended.stderr).toBe(0);
  const workspaces = join(at.dir, ".loopwright/workspaces");
  return { at, state: onlyIn(workspaces), run: at.runs()[0]! };
}

describe.concurrent("a run on a folder of code that came with the folder", { timeout: 180_000 }, () => {
  it("runs no program that the settings of its snapshots name", async () => {
    const { at, state, run } = await withFix();
    using _ = at;
    const git = join(state, "snapshots.git");
    const config = [
      "[core]\n\trepositoryformatversion = 1\n\tbare = true",
      "[extensions]\n\tpartialClone = o",
      `[remote "o"]\n\tpromisor = true\n\turl = ext::sh -c ${at.mark.replaceAll(" ", "% ")}`,
      ...["ext", "file"].map((name) => `[protocol "${name}"]\n\tallow = always`),
      `[core]\n\tfsmonitor = ${at.mark}\n\thooksPath = ${at.dir}\n\tsshCommand = ${at.mark}\n\tpager = ${at.mark}`,
    ];
    writeFileSync(join(git, "config"), `${config.join("\n")}\n`);
    // What is missing would be fetched.
    for (const name of ["objects/pack", "objects"])
      for (const each of readdirSync(join(git, name)))
        if (each !== "info" && each !== "pack") rmSync(join(git, name, each), { recursive: true });
    for (const word of ["undo", "apply"]) await at.cli(`${word} ${run}`);
    expect(at.hasRun).toBe(false);
  });

  it("has links in its state, and nothing is cleared or written where they lead", async () => {
    const { at, state, run } = await withFix();
    using _ = at;
    using around = new Folder();
    await around.write("precious/kept.txt", "precious");
    await around.write(".git/config", "precious");
    const before = around.listing();
    for (const name of ["checkout", "snapshots.git"]) {
      const place = join(state, name);
      renameSync(place, `${place}.own`);
      putLink(at, relative(at.dir, place), around.dir);
      for (const word of ["undo", "apply"]) await at.cli(`${word} ${run}`);
      expect(around.listing(), name).toEqual(before);
      rmSync(place);
      renameSync(`${place}.own`, place);
    }
  });

  it("names its folders from wherever the command is run, and nothing is written there", async () => {
    const { at, state, run } = await withFix();
    using _ = at;
    await at.cli(`undo ${run}`);
    const beside = mkdtempSync(join(dirname(at.dir), "loopwright-beside-"));
    try {
      writeFileSync(join(beside, "calc.py"), program);
      const inState = join("..", basename(at.dir), relative(at.dir, state));
      forgeRun(at, run, (body) =>
        body
          .replaceAll(`"workspace":"${at.dir}"`, '"workspace":"."')
          .replaceAll(`"state":"${state}"`, `"state":"${inState}"`),
      );
      await at.cli(["apply", run, "--dir", at.dir], { cwd: beside });
      expect(execFileSync("cat", ["calc.py"], { cwd: beside, encoding: "utf8" })).toBe(program);
      expect(readdirSync(beside)).toEqual(["calc.py"]);
    } finally {
      rmSync(beside, { recursive: true });
    }
  });

  it("names a folder elsewhere by a path with a line break, and is asked about", async () => {
    const { at, run } = await withFix();
    using _ = at;
    using around = new Folder();
    await around.write("calc.py", program);
    await at.cli(`undo ${run}`);
    mkdirSync(join(at.dir, "x\n"));
    const out = `${join(at.dir, "x\\n")}/../${relative(at.dir, around.dir)}`;
    forgeRun(at, run, (body) => body.replaceAll(`"workspace":"${at.dir}"`, `"workspace":"${out}"`));
    const ended = await at.cli(`apply ${run}`);
    expect(around.read("calc.py")).toBe(program);
    expect(ended.code).not.toBe(0);
  });
});
