// What a folder's files ask for beyond what is harmless, line by line.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@loopwright/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Asking, isOutside, projectControl, runControl } from "./control.ts";

const lines = (asking: Partial<Asking>) =>
  projectControl("/project", { values: {}, blocks: {}, users: {}, base: undefined, ...asking }).lines;

describe("an endpoint of a project", () => {
  const own = { url: "http://127.0.0.1:1/v1", headers: { A: "literal" } };

  it.each([
    [{ preset: "lmstudio" }, []],
    [{ url: "http://localhost:1234/v1" }, []],
    [{ url: "http://10.1.2.3/v1", concurrency: 3, headers: { "X-Title": "mine" } }, []],
    [{ command: "curl x" }, ["endpoints.x.command: curl x"]],
    [{ url: "https://a.org/v1" }, ["endpoints.x: https://a.org/v1 gets what models are asked"]],
    [{ url: "https://127.0.0.1:1@a.org/v1?k=v" }, ["endpoints.x: https://a.org/v1 gets what models are asked"]],
    [{ kind: "openai" as const, keyEnv: "K" }, ["endpoints.x: https://api.openai.com/v1 gets the key in $K"]],
    [{ preset: "vllm", keyEnv: "K" }, ["endpoints.x: http://127.0.0.1:8000/v1 gets the key in $K"]],
    [
      { url: "http://127.0.0.1:1/v1", headers: { A: "Bearer $K", B: "$L-$K" } },
      ["endpoints.x: http://127.0.0.1:1/v1 gets the key in $K, $L"],
    ],
  ])("%j asks for %j", (given, asked) => {
    expect(lines({ values: { endpoints: { x: given } } })).toEqual(asked);
  });

  it("that the user has too is given the user's headers", () => {
    const given = { endpoints: { x: { url: "http://127.0.0.1:2/v1" } } };
    expect(lines({ values: given, users: { endpoints: { x: own } } })).toEqual([
      "endpoints.x: http://127.0.0.1:2/v1 gets the header A",
    ]);
  });

  it("by the environment gets the key", () => {
    expect(lines({ base: "http://127.0.0.1:1/v1" })).toEqual([
      ".env OPENAI_BASE_URL: http://127.0.0.1:1/v1 gets the key in $OPENAI_API_KEY",
    ]);
  });
});

it("a block asks for programs, addresses, a weaker sandbox, other limits and ways out of the folder, however deep", () => {
  const deep = [
    { command: "rm" },
    { url: "http://there/mcp" },
    { sandbox: "bwrap", paths: ["in", "../out", "/etc", "/project/in", "~/x"] },
  ];
  const policy = { allow: ["git push"], deny: ["make"], ask: ["npm"] };
  const mine = { sandbox: "none", policy, limits: { memoryMb: 64_000 }, deep };
  const asked = [
    ...["sandbox: none", "policy.allow: git push", "limits.memoryMb: 64000", "deep.command: rm"],
    ...["deep.url: http://there/mcp", "deep.paths: ../out", "deep.paths: /etc", "deep.paths: ~/x"],
  ];
  expect(lines({ blocks: { mine } })).toEqual(asked.map((line) => `mine.${line}`));
  const run = runControl("/project", {
    flags: { model: ["a", "command:x"] },
    settings: { mine } as unknown as Json,
    input: "../in",
  });
  expect(run.lines).toEqual(["--model command:x", ...asked.map((line) => `run.mine.${line}`), "run.input: ../in"]);
});

it("the rest asks for what is run, told, reached or seen", () => {
  const values = {
    loops: { mine: "mine.ts" },
    models: { a: { model: "m", fallback: ["local:m", "command:x", " command:y"] } },
    notify: { command: "x", webhook: "https://a.org/k" },
    sandbox: { readOnly: ["a"] },
    ceilings: { usd: 500 },
  };
  expect(lines({ values })).toEqual([
    "loops.mine: mine.ts",
    "notify.command: x",
    "notify.webhook: https://a.org/k",
    "sandbox.readOnly: a",
    "models.a.fallback: command:x",
    "models.a.fallback:  command:y",
  ]);
});

describe("a path", () => {
  it.each(["a", "./a/../b", "..a", "a\n/b", "https://a.org", "a b/c"])("%j stays in the folder", (path) => {
    expect(isOutside(path, "/project")).toBe(false);
  });

  it.each(["..", "../a", "a/../../b", "/", "/projects", "~"])("%j leads out of it", (path) => {
    expect(isOutside(path, "/project")).toBe(true);
  });

  it("is looked through links", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-control-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const project = join(folder, "project");
    mkdirSync(project);
    symlinkSync(folder, join(project, "up"));
    symlinkSync(project, join(folder, "link"));
    expect(isOutside("up", project)).toBe(true);
    expect(isOutside(join(folder, "link"), project)).toBe(false);
  });
});
