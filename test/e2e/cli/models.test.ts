// Models that cannot be asked as they are named: said before anything is sent or done, with what to type.

import { describe, expect, it } from "vitest";
import { Folder, fixtureProject } from "../../fakes/cli.ts";
import { startFaultServer } from "../../fakes/fault-server.ts";

describe.concurrent("a key that is missing", () => {
  it("is named by doctor --models, and nothing is sent", async () => {
    using at = new Folder();
    const { code, stdout } = await at.cli("doctor --models --model openai:gpt-x");
    expect(code).toBe(1);
    expect(stdout).toBe(
      "fault  openai  the environment has no OPENAI_API_KEY; nothing was sent: put OPENAI_API_KEY=… into .env or the environment\n",
    );
    const { probes } = await at.document("doctor --models --model openai:gpt-x");
    expect(probes).toMatchObject([{ isReachable: false, models: [] }]);
  });

  it.each([
    ["code", ["code"]],
    ["hull", ["hull", "--builder", "model"]],
  ])("is named by %s before any work", async (loop, words) => {
    using at = new Folder();
    await at.cli(["init", ".", "--loop", loop]);
    const { code, stderr } = await at.cli([...words, "--model", "anthropic:claude"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^loopwright: anthropic:claude, the model of the role '(implementer|builder)', needs a key, and the environment has no ANTHROPIC_API_KEY \(put ANTHROPIC_API_KEY=… into .env or the environment\)$/m,
      ),
    });
    expect(at.runs()).toEqual([]);
  });
});

describe.concurrent("a command in a model's place", () => {
  it("is refused where it is empty", async () => {
    using at = fixtureProject();
    const { code, stderr } = await at.cli(["run", "talk", "--model", "command:"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--model command: names no command; write it as 'command:my-program --flag'");
  });

  it.each([
    ["true", "the command 'true' answered with nothing"],
    ["head -c 1000000 /dev/zero", "the command 'head -c 1000000 /dev/zero' answered with 1000000 characters, and none"],
  ])("is a fault to doctor where it gives no answer: %s", async (line, fault) => {
    using at = new Folder();
    const { code, stdout } = await at.cli(["doctor", "--models", "--model", `command:${line}`]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(`fault  command:${line}  ${fault}`) });
  });

  it("is named whole where it fails, with its exit code, what it wrote to stderr, and what to do about it", async () => {
    using at = fixtureProject();
    const talk = (line: string) => at.cli(["run", "talk", "-c", "retry.waits=[]", "--model", `command:${line}`]);
    const failed = await talk("echo no GPU left >&2; exit 3");
    expect(failed.stdout + failed.stderr).toContain(
      "command:echo no GPU left >&2; exit 3 after 1 try: it exited with 3: no GPU left. Fix the command, which must exit with 0, check it with `loopwright doctor --models --model 'command:echo no GPU left >&2; exit 3'`",
    );
    const silent = await talk("exit 3");
    expect(silent.stdout + silent.stderr).toContain(
      "command:exit 3 after 1 try: it exited with 3 and wrote nothing to stderr. Fix the",
    );
    expect((await at.cli("explain")).stdout).toContain("`loopwright doctor --models --model 'command:exit 3'`");
    const checked = await at.cli(["doctor", "--models", "--model", "command:echo no GPU left >&2; exit 3"]);
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining("exited with 3: no GPU left") });
    const missing = await talk("no-such-program --print");
    expect(missing.stdout + missing.stderr).toMatch(
      /command:no-such-program --print refused the call .*: it exited with 127: .*not found\. Install the program or fix the command/,
    );
  });
});

describe.concurrent("a name that nothing has", () => {
  it.each([
    ["code", "implementr", "code; did you mean 'implementer'?"],
    ["run code", "implementr", "code; did you mean 'implementer'?"],
    ["hull", "bilder", "hull; did you mean 'builder'?"],
    ["fab judge x.glb", "critics", "fab; did you mean 'critic'?"],
    ["novel", "poet", "novel; known are writer, judge, second-judge, summarizer"],
  ])("of a role is told by %s", async (words, role, told) => {
    using at = new Folder();
    const { code, stderr } = await at.cli(`${words} --model ${role}=command:cat`);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `loopwright: --model: there is no role '${role}' in ${told}\n`,
    });
  });

  it("of an endpoint is told, with those that there are", async () => {
    using at = new Folder();
    const { code, stderr } = await at.cli("code --model nope:foo");
    expect(code).toBe(2);
    expect(stderr).toMatch(/--model nope:foo: there is no endpoint 'nope'; known are lmstudio, .*anthropic/);
  });
});

describe.concurrent("doctor", () => {
  it("says of a server that it does not serve the model, where it lists others and one of them has answered", async () => {
    await using server = await startFaultServer();
    server.models = ["tiny", "small"];
    server.otherwise = { text: '{"words":[]}', model: "tiny" };
    using at = new Folder();
    const asked = await at.cli(["doctor", "--models", "--url", server.url, "--model", "large"]);
    expect(asked.code).toBe(1);
    expect(asked.stdout).toContain("fault  default  it does not serve large; tiny has answered in its place\n");
    const served = await at.cli(["doctor", "--models", "--url", server.url, "--model", "tiny"]);
    expect(served).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {2}default\n/) });
    expect(asked.stdout + served.stdout).not.toContain("?");
  });

  it("says that the placeholder of a template is to be changed, and does not ask for it", async () => {
    using at = new Folder();
    await at.cli("init . --loop code");
    const { code, stdout } = await at.cli("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fault +model +default: local:CHANGE-ME: CHANGE-ME is no model\n +put the model's name/m);
    expect((await at.cli("doctor --models")).stdout).toContain("CHANGE-ME is no model; nothing was sent");
    const begun = await at.cli("code");
    expect(begun).toMatchObject({ code: 2, stderr: expect.stringContaining("local:CHANGE-ME, the model of the role") });
  });
});
