import { describe, expect, it } from "vitest";
import { nameToText, profileOf, resolveModels, withRoleDefaults } from "./resolve.ts";

const local = { endpoints: { local: { preset: "lmstudio" } } };

describe("endpoints", () => {
  it("come from presets, with one call at a time on this machine", () => {
    const { endpoints } = resolveModels(local, {});
    expect(endpoints.local).toEqual({
      name: "local",
      kind: "openai-compatible",
      url: "http://127.0.0.1:1234/v1",
      concurrency: 1,
      isLocal: true,
    });
  });

  it("take their key from the environment variable that they name", () => {
    const { endpoints } = resolveModels(
      { endpoints: { far: { url: "https://far.example/v1", keyEnv: "FAR_KEY" } } },
      {
        FAR_KEY: "k",
      },
    );
    expect(endpoints.far).toMatchObject({ key: "k", isLocal: false, concurrency: 4 });
  });

  it("put environment variables into headers, and refuse one that is not there", () => {
    const given = { endpoints: { far: { url: "https://far.example/v1", headers: { "X-Key": "Bearer $TOKEN" } } } };
    expect(resolveModels(given, { TOKEN: "t" }).endpoints.far!.headers).toEqual({ "X-Key": "Bearer t" });
    expect(() => resolveModels(given, {})).toThrow("the environment has no TOKEN");
  });

  it.each([
    [{ preset: "lmstudo" }, "there is no preset 'lmstudo'"],
    [{}, "needs a preset, a url or a command"],
    [{ command: " " }, "endpoints.bad: its command is empty"],
    [{ url: "localhost:1234" }, "this is no http address"],
    [{ url: "file:///etc/passwd" }, "this is no http address"],
  ])("refuse %j", (endpoint, message) => {
    expect(() => resolveModels({ endpoints: { bad: endpoint } }, {})).toThrow(message);
  });

  it.each([
    ["http://localhost:1/v1", true],
    ["http://[::1]:1/v1", true],
    ["http://192.168.1.9/v1", true],
    ["http://172.20.0.2/v1", true],
    ["https://172.200.0.2/v1", false],
    ["https://127.evil.example/v1", false],
    ["https://api.example/v1", false],
  ])("know whether %s is near: %s", (url, isLocal) => {
    expect(resolveModels({ url }, {}).endpoints.default!.isLocal).toBe(isLocal);
  });

  it("have a default: --url, then OPENAI_BASE_URL, then the only one that is named, then the one that has a key", () => {
    const env = { OPENAI_BASE_URL: "http://b.example/v1", OPENAI_API_KEY: "k" };
    expect(resolveModels({ ...local, url: "http://a.example/v1" }, env).endpoints.default!.url).toBe(
      "http://a.example/v1",
    );
    expect(resolveModels(local, env).endpoints.default!.url).toBe("http://b.example/v1");
    expect(resolveModels(local, {}).endpoints.default!.name).toBe("local");
    expect(resolveModels({}, { ANTHROPIC_API_KEY: "k" }).endpoints.default!.kind).toBe("anthropic");
    expect(resolveModels({}, {}).endpoints.default).toBeUndefined();
  });
});

describe("the profile of a role", () => {
  it("is its own, else the default one", () => {
    const models = resolveModels({ ...local, models: { judge: { model: "j" }, default: { model: "d" } } }, {});
    expect(profileOf(models, "judge")!.model).toBe("j");
    expect(profileOf(models, "writer")!.model).toBe("d");
    expect(profileOf(models, "toString")!.model).toBe("d");
    expect(profileOf(resolveModels(local, {}), "judge")).toBeUndefined();
  });

  it("is served by one --model for all roles, keeping what else the profile says", () => {
    const given = { ...local, models: { judge: { model: "j", temperature: 0.1 } }, model: ["ollama:qwen2.5:7b"] };
    const models = resolveModels(given, {});
    expect(profileOf(models, "judge")).toMatchObject({ endpoint: "ollama", model: "qwen2.5:7b", temperature: 0.1 });
    expect(profileOf(models, "anything")).toMatchObject({ endpoint: "ollama", model: "qwen2.5:7b" });
  });

  it("has from the file what the file says, and its name from --model", () => {
    const given = { ...local, models: { default: { context: 65_536 } }, model: ["desk"] };
    expect(profileOf(resolveModels(given, {}), "writer")).toMatchObject({ model: "desk", context: 65_536 });
    expect(() => resolveModels({ ...given, model: ["judge=desk"] }, {})).toThrow("models.default names no model");
  });

  it("is changed by --model role=name for that role alone; a name may hold a colon", () => {
    const models = resolveModels({ ...local, model: ["base", "judge=qwen2.5:7b"] }, {});
    expect(profileOf(models, "judge")).toMatchObject({ endpoint: "default", model: "qwen2.5:7b" });
    expect(profileOf(models, "writer")).toMatchObject({ endpoint: "default", model: "base" });
  });

  it("may be a command", () => {
    const models = resolveModels({ model: ["builder=command:my-agent --print"] }, {});
    const profile = profileOf(models, "builder")!;
    expect(profile.model).toBe("my-agent");
    expect(models.endpoints[profile.endpoint]).toMatchObject({ kind: "command", url: "my-agent --print" });
  });

  it("has its fallbacks in order", () => {
    const given = { ...local, models: { judge: { model: "j", fallback: ["anthropic:claude", "other"] } } };
    expect(profileOf(resolveModels(given, {}), "judge")!.fallback).toEqual([
      { endpoint: "anthropic", model: "claude" },
      { endpoint: "default", model: "other" },
    ]);
  });

  it.each([
    [{ models: { judge: {} } }, "models.judge names no model"],
    [{ models: { judge: { model: "j", endpoint: "lokal" } } }, "there is no endpoint 'lokal'"],
    [{ model: ["judge="] }, "names no model"],
    [{ model: ["command:"] }, "--model command: names no command"],
    [{ model: ["judge=command: "] }, "names no command"],
    [{ models: { judge: { model: "j", fallback: ["command:"] } } }, "models.judge.fallback names no command"],
    [{ endpoints: {}, model: ["name"] }, "no endpoint is configured"],
    [{ endpoints: {}, model: ["nope:foo"] }, "--model nope:foo: there is no endpoint 'nope'; known are lmstudio, "],
    [{ models: { judge: { model: "j", context: 1000, maxTokens: 1000 } } }, "leaves no room for a prompt"],
  ])("is refused where it makes no sense: %j", (given, message) => {
    expect(() => resolveModels({ ...local, ...given }, {})).toThrow(message);
  });
});

describe("a loop's own word on its roles", () => {
  const roles = { implementer: { context: 16_000 }, consultant: { context: 61_440 } };
  const contextsOf = (given: Parameters<typeof resolveModels>[0]) => {
    const models = withRoleDefaults(resolveModels(given, {}), roles);
    return ["implementer", "consultant", "judge"].map((role) => profileOf(models, role)?.context);
  };

  it("holds where the user says nothing of the window, by a flag or in a file", () => {
    expect(contextsOf({ model: ["lmstudio:m"] })).toEqual([16_000, 61_440, 32_768]);
    expect(contextsOf({ models: { default: { endpoint: "lmstudio", model: "m" } } })).toEqual([16_000, 61_440, 32_768]);
  });

  it("gives way to what the user says, of the role or of all", () => {
    const all = { endpoint: "lmstudio", model: "m", context: 8_000 };
    expect(contextsOf({ models: { default: all } })).toEqual([8_000, 8_000, 8_000]);
    const own = { consultant: { endpoint: "lmstudio", model: "m", context: 100_000 } };
    expect(contextsOf({ models: own, model: ["lmstudio:n"] })).toEqual([16_000, 100_000, 32_768]);
  });

  it("is left aside where an answer may be longer than the window, and where no model is named", () => {
    expect(contextsOf({ models: { default: { endpoint: "lmstudio", model: "m", maxTokens: 20_000 } } })).toEqual([
      ...[32_768, 61_440, 32_768],
    ]);
    expect(contextsOf({})).toEqual([undefined, undefined, undefined]);
  });
});

describe("a model's name", () => {
  it("is not doubled where it says its endpoint again, or alone", () => {
    const models = {
      judge: { endpoint: "anthropic", model: "anthropic:claude-haiku-4-5" },
      writer: { model: "anthropic:claude-haiku-4-5" },
      planner: { endpoint: "ollama", model: "qwen2.5:7b" },
    };
    const long = `long=command:my-agent --system '${"be brief, ".repeat(9)}'`;
    const { profiles } = resolveModels({ models, model: ["critic=command:my-agent --print 'a b'", long] }, {});
    expect(Object.entries(profiles).map(([role, profile]) => `${role} ${nameToText(profile)}`)).toEqual([
      "judge anthropic:claude-haiku-4-5",
      "writer anthropic:claude-haiku-4-5",
      "planner ollama:qwen2.5:7b",
      "critic command:my-agent --print 'a b'",
      "long command:my-agent …",
    ]);
  });
});

describe("a key", () => {
  it("is needed where one is named, and may be missing where only an address is given", () => {
    const { endpoints } = resolveModels({ ...local, url: "http://127.0.0.1:9/v1" }, {});
    expect(endpoints.anthropic).toMatchObject({ keyEnv: "ANTHROPIC_API_KEY" });
    expect(endpoints.default).not.toHaveProperty("keyEnv");
    expect(endpoints.local).not.toHaveProperty("keyEnv");
  });

  it("is one thing, a longest answer another: it holds over prompts only where the user has named it", () => {
    const models = {
      judge: { endpoint: "local", model: "a", maxTokens: 9 },
      writer: { endpoint: "local", model: "a" },
    };
    const { profiles } = resolveModels({ ...local, models }, {});
    expect([profiles.judge!.hasMaxTokens, profiles.writer!.hasMaxTokens]).toEqual([true, undefined]);
  });
});
