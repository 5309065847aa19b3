// What a configuration asks for beyond what the user says.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ConfigurationValues } from "../configuration/schema.ts";
import { isOutside, projectRequests } from "./requests.ts";

const said = (values: ConfigurationValues, blocks: Record<string, unknown> = {}, base?: string) => ({
  values,
  blocks,
  base,
});
const nothing = said({});
const words = (all: ReturnType<typeof said>, users = nothing) =>
  projectRequests(all, users, "/project").map((request) => request.words ?? `${request.key}: ${request.value}`);

it("needs trust for a word in place of a loop's block: it names a program", () => {
  expect(words(said({}, { mine: "theirs" }))).toEqual(["mine: theirs"]);
  expect(words(said({}, { mine: "theirs" }), said({}, { mine: "theirs" }))).toEqual([]);
});

describe("an endpoint of a project", () => {
  const endpoint = (given: object, users?: object) =>
    words(said({ endpoints: { x: given } }), users && said({ endpoints: { x: users } }));

  it.each([
    { preset: "lmstudio" },
    { url: "http://localhost:1234/v1" },
    { url: "http://10.1.2.3/v1", concurrency: 3, headers: { "X-Title": "mine" } },
  ])("needs no trust on this machine or in its network, without a key: %j", (given) => {
    expect(endpoint(given)).toEqual([]);
  });

  it.each([
    [{ command: "curl x" }, "endpoints.x.command: curl x"],
    [{ url: "https://a.org/v1" }, "endpoints.x: https://a.org/v1 gets what models are asked"],
    [{ url: "https://127.0.0.1:1@a.org/v1?k=v" }, "endpoints.x: https://a.org/v1 gets what models are asked"],
    [{ kind: "openai", keyEnv: "K" }, "endpoints.x: https://api.openai.com/v1 gets the key in $K"],
    [{ preset: "vllm", keyEnv: "K" }, "endpoints.x: http://127.0.0.1:8000/v1 gets the key in $K"],
    [
      { url: "http://127.0.0.1:1/v1", headers: { A: "Bearer $K", B: "$L-$K" } },
      "endpoints.x: http://127.0.0.1:1/v1 gets the key in $K, $L",
    ],
  ])("needs it where a program, another machine or a key is concerned: %j", (given, line) => {
    expect(endpoint(given)).toEqual([line]);
  });

  it("that the user has too needs it for any change of it, and none for the number of calls at once", () => {
    const own = { url: "http://127.0.0.1:1/v1", headers: { A: "literal" } };
    expect(endpoint({ ...own, concurrency: 8 }, own)).toEqual([]);
    expect(endpoint({ ...own, url: "http://127.0.0.1:2/v1" }, own)).toEqual([
      "endpoints.x: http://127.0.0.1:2/v1 gets the header A",
    ]);
    expect(endpoint({ ...own, keyEnv: "K" }, own)).toEqual(["endpoints.x: http://127.0.0.1:1/v1 gets the key in $K"]);
  });

  it("by the environment needs it", () => {
    expect(words(said({}, {}, "http://127.0.0.1:1/v1"))).toEqual([
      ".env OPENAI_BASE_URL: http://127.0.0.1:1/v1 gets the key in $OPENAI_API_KEY",
    ]);
  });
});

describe("a block", () => {
  it("needs trust for commands that are refused as a rule, and for other limits; not for more refusals", () => {
    const policy = { allow: ["git push"], deny: ["make"], ask: ["npm"] };
    expect(words(said({}, { mine: { policy, limits: { memoryMb: 64_000 } } }))).toEqual([
      ...["mine.policy.allow: git push", "mine.limits.memoryMb: 64000"],
    ]);
  });

  it("needs trust for a weaker sandbox, a command, an address or a way out of the folder, however deep", () => {
    const block = {
      sandbox: "none",
      deep: [
        { command: "rm" },
        { url: "http://there/mcp" },
        { sandbox: "bwrap", paths: ["in", "../out", "/etc", "/project/in", "~/x"] },
      ],
    };
    expect(words(said({}, { mine: block }))).toEqual([
      "mine.sandbox: none",
      "mine.deep.command: rm",
      "mine.deep.url: http://there/mcp",
      "mine.deep.paths: ../out",
      "mine.deep.paths: /etc",
      "mine.deep.paths: ~/x",
    ]);
    expect(words(said({}, { mine: block }), said({}, { mine: block }))).toEqual([]);
  });

  it.each(["a", "./a/../b", "..a", "a\n/b", "https://a.org", "a b/c"])("%j stays in the folder", (path) => {
    expect(isOutside(path, "/project")).toBe(false);
  });

  it.each(["..", "../a", "a/../../b", "/", "/projects", "~"])("%j leads out of it", (path) => {
    expect(isOutside(path, "/project")).toBe(true);
  });

  it("is looked through links", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-requests-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const project = join(folder, "project");
    mkdirSync(project);
    symlinkSync(folder, join(project, "up"));
    symlinkSync(project, join(folder, "link"));
    expect(isOutside("up", project)).toBe(true);
    expect(isOutside(join(folder, "link"), project)).toBe(false);
  });
});

describe("the rest", () => {
  it("needs trust for what is run, told, reached or seen", () => {
    const values = {
      models: { a: { model: "m", fallback: ["local:m", "command:x", " command:y"] } },
      notify: { command: "x", webhook: "https://a.org/k" },
      sandbox: { readOnly: [".venv", "/opt"], network: ["a.org"] },
    };
    expect(words(said(values))).toEqual([
      "models.a.fallback: command:x",
      "models.a.fallback:  command:y",
      "notify.command: x",
      "notify.webhook: https://a.org/k",
      "sandbox.network: a.org",
      "sandbox.readOnly: /opt",
    ]);
  });
});
