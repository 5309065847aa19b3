// `openProject` of the package: what a script gets is what the command line gets.

import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineLoop, fail, openProject } from "loopwright";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { startFaultServer } from "../fakes/fault-server.ts";

const asking = defineLoop({
  name: "asking",
  version: 1,
  input: z.null(),
  state: z.object({ said: z.string() }),
  initial: () => ({ said: "" }),
  start: "ask",
  iteration: "ask",
  phases: {
    ask: {
      to: ["ask"],
      run: async (_, ctx) => {
        const { text } = await ctx.model("writer").call("ask", { prompt: "Say it." });
        ctx.verdict(fail(0.1, "not yet"));
        return ctx.to("ask", { said: text });
      },
    },
  },
});

function project(yaml: string): string {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-api-"));
  writeFileSync(join(dir, "loopwright.yaml"), yaml);
  return dir;
}

describe("a project that a script opens", () => {
  it("has the models and the limits of its loopwright.yaml", async () => {
    await using server = await startFaultServer();
    server.otherwise = { text: "it" };
    const dir = project(
      `endpoints: { mine: { url: "${server.url}" } }\nmodels: { writer: { endpoint: mine, model: fake } }\nceilings: { iterations: 2 }\n`,
    );
    await using opened = await openProject({ dir });
    const result = await opened.start(asking, null);
    expect(result).toMatchObject({ outcome: "ceiling", iterations: 2, state: { said: "it" } });
    expect(server.requests).toHaveLength(2);
  });

  it("takes what it is given before what the file says", async () => {
    const dir = project("ceilings: { iterations: 2 }\n");
    const models = () => ({
      estimate: () => ({ tokens: 0, usd: 0 }),
      call: async () => ({ text: "given", model: "m", finishReason: "stop", usage: { tokens: 1, usd: 0 } }) as never,
    });
    await using opened = await openProject({ dir, models });
    const result = await opened.start(asking, null, { ceilings: { iterations: 3 } });
    expect(result).toMatchObject({ outcome: "ceiling", iterations: 3, state: { said: "given" } });
  });

  it("gets no key of the user's and no command, unless it is trusted", async () => {
    await using server = await startFaultServer();
    server.otherwise = { text: "it" };
    const yaml = `endpoints: { mine: { url: "${server.url}", keyEnv: API_TEST_KEY } }\nmodels: { writer: { endpoint: mine, model: fake } }\nceilings: { iterations: 1 }\n`;
    const dir = project(yaml);
    await expect(openProject({ dir })).rejects.toThrow(
      /mine: http:\/\/127\.0\.0\.1:\d+\/v1 gets the key in \$API_TEST_KEY\n.*openProject\(\{ trust: true \}\)/,
    );
    expect(existsSync(join(dir, ".loopwright"))).toBe(false);
    vi.stubEnv("API_TEST_KEY", "a key for a test");
    await using opened = await openProject({ dir, trust: true });
    await opened.start(asking, null);
    vi.unstubAllEnvs();
    expect(server.requests).toHaveLength(1);
  });

  it("has no loop imported for the words of its report, where the folder came to name one that nobody trusts", async () => {
    const dir = project("");
    const models = () => ({
      estimate: () => ({ tokens: 0, usd: 0 }),
      call: async () => ({ text: "given", model: "m", finishReason: "stop", usage: { tokens: 1, usd: 0 } }) as never,
    });
    await using opened = await openProject({ dir, models });
    writeFileSync(join(dir, "loopwright.yaml"), "loops: { asking: asking.ts }\n");
    writeFileSync(join(dir, "asking.ts"), "globalThis.wasImported = true;\nexport default {};\n");
    const { run } = await opened.start(asking, null, { ceilings: { iterations: 1 } });
    await opened.rebuild(run);
    expect("wasImported" in globalThis).toBe(false);
  });

  it("says what is wrong with its file, with the line", async () => {
    const dir = project("ceilings: { iteratons: 2 }\n");
    await expect(openProject({ dir })).rejects.toThrow(/loopwright\.yaml:1:\d+: .*did you mean 'iterations'/);
  });

  it("refuses a ceiling on dollars that nothing can hold", async () => {
    const dir = project(
      'endpoints: { mine: { url: "https://example.com/v1" } }\nmodels: { writer: { endpoint: mine, model: fake } }\nceilings: { usd: 1 }\n',
    );
    await expect(openProject({ dir, trust: true })).rejects.toThrow("the price of fake (role writer) is not known");
  });
});
