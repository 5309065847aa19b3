// A folder that came from elsewhere, further: what stands where a file is expected, what its settings ask for, and what its
// records show.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secretsOf } from "@loopwright/models";
import { describe, expect, it } from "vitest";
import { showAmendments } from "../../packages/code/src/commands/amendments.ts";
import { workspaceSecrets } from "../../packages/loopwright/src/configuration/configuration.ts";
import { type Ended, Folder, fixtureProject, runIn } from "../fakes/cli.ts";
import { fixingModel } from "../fakes/fixing-model.ts";
import { Foreign, foreign, marking } from "../fakes/foreign.ts";
import { forgeRun, putLink } from "./foreign-folder.ts";

/** How a command ended, or "waits" where it did not within a time that none of them needs. */
async function endOf(at: Folder, words: string): Promise<Ended | "waits"> {
  const { ended, child } = at.start(words, { isTrusted: false });
  child.stdin.end();
  const { promise, resolve } = Promise.withResolvers<"waits">();
  const timer = setTimeout(() => resolve("waits"), 45_000);
  const end = await Promise.race([ended, promise]);
  clearTimeout(timer);
  if (end === "waits") child.kill("SIGKILL");
  return end;
}

const nothingRan = { stdout: expect.any(String), stderr: expect.not.stringMatching(/\n\s+at /) };

describe.concurrent("something else where a file is expected", { timeout: 180_000 }, () => {
  const kinds: Record<string, (path: string) => void> = {
    "a pipe": (path) => execFileSync("mkfifo", [path]),
    "a device without end": (path) => symlinkSync("/dev/zero", path),
    "a file of many megabytes": (path) => writeFileSync(path, "#".repeat(2 ** 23)),
  };
  for (const [kind, make] of Object.entries(kinds)) {
    it.each([".env", "loopwright.yaml"])(
      `${kind} at %s is refused with a sentence, and nothing waits`,
      async (name) => {
        using at = new Foreign();
        make(join(at.dir, name));
        for (const words of ["doctor", "help", "demo --max-iterations 1"]) {
          const end = await endOf(at, words);
          expect(end, words).toMatchObject(nothingRan);
          if (words.startsWith("demo")) expect((end as Ended).stderr).toMatch(/no plain file|too large/);
        }
      },
    );

    it(`${kind} at .env.local keeps no command from looking`, async () => {
      using at = new Foreign();
      make(join(at.dir, ".env.local"));
      for (const words of ["doctor", "demo --max-iterations 1"])
        expect(await endOf(at, words), words).toMatchObject({ code: words === "doctor" ? 0 : 3, ...nothingRan });
    });
  }

  it.each(["task.md", "philosophy.md"])("a pipe at %s is refused by code", async (name) => {
    using at = new Foreign();
    await at.write("task.md", "Do it.\n");
    rmSync(join(at.dir, name), { force: true });
    execFileSync("mkfifo", [join(at.dir, name)]);
    expect(await endOf(at, "code --model lmstudio:x")).toMatchObject({ code: 2, stderr: expect.stringMatching(name) });
  });

  it.each(["task.md", "philosophy.md"])("a link at %s tells no model what lies elsewhere", async (name) => {
    using at = new Foreign();
    using around = new Folder();
    await around.write("id_rsa", "precious words");
    await at.write("task.md", "Do it.\n");
    putLink(at, name, join(around.dir, "id_rsa"));
    const ended = await at.cli(["code", "--url", "http://127.0.0.1:9/v1", "--model", "x", "--max-iterations", "1"]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/leads out of the project/) });
    expect(at.has(".loopwright/journal.db")).toBe(false);
  });

  it.each(["journal.db-wal", "journal.db-shm", "journal.db-journal"])(
    "a link at .loopwright/%s has nothing written or deleted where it leads",
    async (name) => {
      using at = fixtureProject();
      using around = new Folder();
      await at.steer({ way: "done" });
      await around.write("kept", "precious");
      putLink(at, `.loopwright/${name}`, join(around.dir, "kept"));
      for (const words of ["runs", "prune --older-than 0h", "verify --all"]) await endOf(at, words);
      await at.steer({ way: "done" });
      expect(around.read("kept")).toBe("precious");
    },
  );

  it.each(["run.json", "head.json", "summary.json", "state.json"])(
    "a pipe at a run's %s is not waited for",
    async (name) => {
      using at = fixtureProject();
      const run = runIn(await at.steer({ way: "done" }));
      rmSync(join(at.dir, "runs", run, name), { force: true });
      execFileSync("mkfifo", [join(at.dir, "runs", run, name)]);
      for (const words of ["runs", `show ${run}`, `verify ${run}`, `show ${run} --rebuild`])
        expect(await endOf(at, words), words).not.toBe("waits");
    },
  );
});

describe.concurrent("a configuration", { timeout: 180_000 }, () => {
  it.each([
    [
      "aliases that multiply",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefgh"].map((n, i) => `${n}: &${n} [${Array(9).fill(`*${"abcdefgh"[i]}`)}]`).join("\n")}\n`,
    ],
    ["an alias of itself", "loops: &x\n  a: *x\n"],
    ["a thousand brackets", `a: ${"[".repeat(1e4)}`],
    [
      "ten thousand mappings in each other",
      `${Array.from({ length: 3e3 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")}\n`,
    ],
    ["the same key twice", "ceilings: { usd: 1 }\nceilings: { usd: 1000 }\n"],
    ["a tag that makes things", "loops: !!js/function 'function () { return 1 }'\n"],
    ["several documents", "ceilings: { usd: 1 }\n---\nloops: { a: b }\n"],
    ["a key called __proto__", "__proto__: { ceilings: { usd: 1000 } }\nconstructor: { prototype: { x: 1 } }\n"],
    ["a loop called __proto__", "loops: { __proto__: evil.js, constructor: evil.js, tostring: evil.js }\n"],
    ["a merged key", "x: &x { notify: { command: MARK } }\n<<: *x\n"],
  ])("with %s is refused, and nothing of it is run", async (_, yaml) => {
    using at = await foreign(yaml, { "evil.js": marking });
    for (const words of ["demo --max-iterations 1", "run __proto__"]) {
      const end = await endOf(at, words);
      expect(end, words).toMatchObject(nothingRan);
      if (words.startsWith("run")) expect((end as Ended).code).not.toBe(0);
    }
    expect(at.hasRun).toBe(false);
  });

  it.each([
    "ceilings: { usd: 1, iterations: 40 }",
    "prices: { gpt-5: { input: 9, output: 90 } }",
    "prices: { own: { input: 0, output: 0 } }",
  ])("that spends no more needs none: %s", async (yaml) => {
    using at = await foreign(`${yaml}\n`);
    expect(await at.cli("code fix --model lmstudio:m --dry-run")).toMatchObject({ code: 0 });
  });
});

describe.concurrent("programs and modules of the folder", { timeout: 180_000 }, () => {
  it("take the place of none of ours: packages, imports and exports by their names", async () => {
    using at = new Foreign();
    const text = `require("node:child_process").execSync(${JSON.stringify(at.mark)}); module.exports = {};`;
    const names = ["@loopwright/core", "@loopwright/code", "@loopwright/models", "loopwright", "zod", "yaml"];
    for (const name of [...names, "@loopwright/workspace"]) {
      await at.write(
        `node_modules/${name}/package.json`,
        JSON.stringify({ name, main: "index.js", exports: { ".": "./index.js", "./*": "./index.js" } }),
      );
      await at.write(`node_modules/${name}/index.js`, text);
    }
    await at.write(
      "package.json",
      JSON.stringify({
        name: "@loopwright/core",
        imports: { "#x": "./evil.js" },
        exports: "./evil.js",
        loopwright: { loops: { code: "./evil.js" } },
      }),
    );
    await at.write("evil.js", text);
    await at.write("task.md", "Do it.");
    for (const words of ["doctor", "demo --max-iterations 1", "help code", "code --dry-run", "runs"])
      await at.cli(words);
    expect(at.hasRun).toBe(false);
  });

  it.each(["git", "bwrap", "python3", "node", "sh"])("called %s are not what is started", async (name) => {
    using at = new Foreign();
    await at.write("calc.py", "def add(a, b):\n    return a - b\n");
    await at.write("tests/test_calc.py", "from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n");
    for (const folder of ["", "bin/", "node_modules/.bin/", ".venv/bin/"]) {
      await at.write(`${folder}${name}`, `#!/bin/sh\n${at.mark}\n`);
      execFileSync("chmod", ["755", join(at.dir, `${folder}${name}`)]);
    }
    await at.cli(
      `code fix --workspace . --tests tests --seed 1 ${await fixingModel("calc.py", "def add(a, b):\n    return a + b")}`,
      {
        isTrusted: true,
      },
    );
    await at.cli("doctor");
    expect(at.hasRun).toBe(false);
  });

  it("are not reached by what a .env says of programs, git, Node or where trust is kept", async () => {
    using at = new Foreign();
    const state = join(at.dir, "state");
    await at.write("evil.cjs", `require("node:child_process").execSync(${JSON.stringify(at.mark)});`);
    await at.write(
      "evil.gitconfig",
      `[core]\n\tfsmonitor = ${at.mark}\n\thooksPath = ${at.dir}\n[alias]\n\trev-parse = !${at.mark}\n`,
    );
    await at.write("git", `#!/bin/sh\n${at.mark}\n`);
    execFileSync("chmod", ["755", join(at.dir, "git")]);
    const lines = {
      ...{ PATH: at.dir, NODE_OPTIONS: `--require=${at.dir}/evil.cjs`, GIT_CONFIG_GLOBAL: `${at.dir}/evil.gitconfig` },
      ...{ GIT_EXEC_PATH: at.dir, LD_PRELOAD: `${at.dir}/evil.so`, XDG_STATE_HOME: state, XDG_CONFIG_HOME: state },
      ...{ SHELL: `${at.dir}/git`, EDITOR: at.mark, BROWSER: at.mark, PYTHONSTARTUP: `${at.dir}/x`, TMPDIR: at.dir },
    };
    await at.write(
      ".env",
      Object.entries(lines)
        .map(([name, value]) => `${name}="${value}"`)
        .join("\n"),
    );
    await at.write("state/loopwright/config.yaml", `notify: { command: '${at.mark}' }\n`);
    await at.write("calc.py", "def add(a, b):\n    return a - b\n");
    await at.write("tests/test_calc.py", "from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n");
    await at.cli(
      `code fix --workspace . --tests tests --seed 1 ${await fixingModel("calc.py", "def add(a, b):\n    return a + b")}`,
      {
        isTrusted: true,
      },
    );
    await at.cli("demo --max-iterations 1");
    expect(at.hasRun).toBe(false);
  });
});

describe.concurrent("records of a foreign folder", { timeout: 180_000 }, () => {
  const codes = "\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u202e seen";
  const page = "<script>alert(1)</script><img src=x onerror=alert(1)>";

  it("with escape codes in their words change no terminal", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    forgeRun(at, run, (body) => body.replaceAll("as it was told", codes));
    for (const words of [`show ${run}`, "runs", `explain ${run}`, `verify ${run}`, `resume ${run}`]) {
      const { stdout, stderr } = await at.cli(words, { isTrusted: false });
      if (words.startsWith("show")) expect(stdout).toContain("seen");
      const found = ["\u001b]", "\u001b[2J", "\u0007", "\u009b", "\u202e"].filter((each) =>
        (stdout + stderr).includes(each),
      );
      expect(found, words).toEqual([]);
    }
  });

  it("with a page in their words run nothing in a report", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    forgeRun(at, run, (body) => body.replaceAll("as it was told", page));
    await at.cli(`show ${run} --rebuild`, { isTrusted: false });
    const text = at.read(`runs/${run}/report.html`);
    expect(text).toContain("alert(1)");
    expect(text).not.toContain("<script>alert");
    expect(text).not.toContain("<img src=x");
  });

  it("with keys of JavaScript's own in input, state and settings change no program", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    forgeRun(at, run, (body) =>
      body.replace(
        /"(input|settings|flags|config)":\{/g,
        '"$1":{"__proto__":{"isTrusted":true,"command":"x"},"constructor":{"prototype":{"polluted":1}},',
      ),
    );
    for (const words of [`show ${run}`, `resume ${run}`, `show ${run} --json`, `fork ${run}`])
      expect(await endOf(at, words), words).toMatchObject(nothingRan);
  });
});

describe("secrets", () => {
  it.each([
    "API_KEY_PROD",
    "STRIPE_SECRET_LIVE",
    "DB_PASSWORD_STAGING",
    "TOKEN_OLD_2",
    "SECRET_KEY_BASE",
    "KEY_V2",
    "api_key_dev",
  ])("called %s are known for what they are", (name) => {
    expect(secretsOf({}, { [name]: "hummingbird-42" })).toEqual(["hummingbird-42"]);
  });

  it.each(["TOKEN_LIMIT", "KEY_PATH", "PASSWORD_MIN_LENGTH", "MONKEY_TEST_NAME", "TOKEN_URL", "API_KEY_HEADER"])(
    "are none called %s",
    (name) => {
      expect(secretsOf({}, { [name]: "hummingbird-42" })).toEqual([]);
    },
  );

  it("of .env files in folders of a workspace are known, but not of others' packages, and no link is followed", () => {
    const folder = mkdtempSync(join(tmpdir(), "loopwright-secrets-"));
    try {
      for (const [path, value] of Object.entries({
        "a/b/.env": "kingfisher-1",
        "a/.env.local": "kingfisher-2",
        "node_modules/x/.env": "kingfisher-3",
        "a/.env.example": "kingfisher-4",
      })) {
        mkdirSync(join(folder, path, ".."), { recursive: true });
        writeFileSync(join(folder, path), `API_KEY=${value}\n`);
      }
      symlinkSync("/", join(folder, "root"));
      symlinkSync(".", join(folder, "a/again"));
      expect(workspaceSecrets(folder).sort()).toEqual(["kingfisher-1", "kingfisher-2"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("an amendment that a foreign journal would have taken out of a file", () => {
  const text = "# Task\n\n- [Auto-DK iteration 5] Known words.\n[Auto-DK iteration 5] Known words.\n";

  /** Reverts the first amendment of a run whose journal names a task file. */
  async function revert(file: string, isTrusted: boolean): Promise<unknown> {
    const amendments = [
      { iteration: 5, addition: "Known words.", confidence: "high", diagnosis: "x", made_section: false },
    ];
    const project = {
      find: async (run: string) => run,
      state: async () => ({ loop: "code", state: { amendments }, input: { task_file: file } }),
    };
    const context = {
      arguments: ["a-run"],
      existingProject: async () => project,
      isSet: () => false,
      number: () => 1,
      output: { say: () => {}, print: () => {}, isJson: false },
      trustRun: async () => {
        if (!isTrusted) throw new Error("not trusted");
      },
    };
    return showAmendments(context as unknown as Parameters<typeof showAmendments>[0]).catch((error) => error);
  }

  it("is left there where the run is not trusted", async () => {
    using at = new Folder();
    await at.write("elsewhere.md", text);
    expect(await revert(join(at.dir, "elsewhere.md"), false)).toMatchObject({ message: "not trusted" });
    expect(at.read("elsewhere.md")).toBe(text);
  });

  it("is taken out without a word where a link beside it leads", async () => {
    using at = new Folder();
    await at.write("precious", "precious");
    await at.write("task.md", text);
    putLink(at, "task.md.new", join(at.dir, "precious"));
    expect(await revert(join(at.dir, "task.md"), true)).toBe(0);
    expect(at.read("precious")).toBe("precious");
    expect(at.read("task.md").length).toBeLessThan(text.length);
  });
});
