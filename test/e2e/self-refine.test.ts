// The self-refine example: on its cassette, and on a server that is watched while the program is killed.

import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli, startCli } from "../fakes/cli.ts";
import { type FaultServer, startFaultServer } from "../fakes/fault-server.ts";

const example = join(import.meta.dirname, "../../examples/self-refine");

/** The example in a folder of its own. */
function exampleFolder(): { cwd: string } & Disposable {
  const cwd = mkdtempSync(join(tmpdir(), "loopwright-refine-"));
  cpSync(example, cwd, { recursive: true, filter: (path) => !/\.loopwright|runs$/.test(path) });
  return { cwd, [Symbol.dispose]: () => rmSync(cwd, { recursive: true, force: true }) };
}

const input = ["--input", "@task.json"];
const replay = ["--model", "lmstudio:desk", "--cassette", "cassette.json", "--cassette-mode", "replay"];

describe("the self-refine example on its cassette", () => {
  it("runs by the command in its head and in the docs", async () => {
    using at = exampleFolder();
    const root = join(at.cwd, "root");
    cpSync(example, join(root, "examples/self-refine"), {
      recursive: true,
      filter: (path) => !/\.loopwright|runs$/.test(path),
    });
    const head = readFileSync(join(example, "loop.ts"), "utf8");
    const [asked, replayed] = [...head.matchAll(/^\/\/ +loopwright (run .+)$/gm)].map(([, words]) => words!);
    const recorded = " --cassette examples/self-refine/cassette.json --cassette-mode replay";
    expect(replayed).toBe(`${asked!.replace("lmstudio:NAME", "lmstudio:desk")}${recorded}`);
    expect(readFileSync(join(example, "../../docs/models.md"), "utf8")).toContain(`\nloopwright ${replayed}\n`);
    const { code, stdout, stderr } = await cli(replayed!, { cwd: root });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("done");
  });

  it("fails loudly, and says what was recorded, where the task is another one", async () => {
    using at = exampleFolder();
    const other = ["--input", '{"task":"A notice for the door of a small boatyard, in verse."}'];
    const { code, stdout } = await cli(["run", "self-refine", ...other, ...replay], at);
    expect(code).toBe(7);
    expect(stdout).toContain("in verse");
    expect(stdout).toContain("exactly 311 characters");
  });
});

describe("a run that is killed with SIGKILL while a model answers", () => {
  const flags = (server: FaultServer) => ["--url", server.url, "--model", "some-model"];
  const good = '{"score": 1, "faults": []}';

  it("does not send a request again whose answer is recorded", async () => {
    using at = exampleFolder();
    await using server = await startFaultServer();
    server.next({ text: "A first text." }, { fault: "hang" });
    const words = ["run", "self-refine", ...input, ...flags(server), "--json"];
    const running = startCli(words, at);
    await running.line(/"type":"effect-started".*judge/);
    await waitFor(() => server.requests.length === 2);
    running.send("SIGKILL");
    expect((await running.ended).signal).toBe("SIGKILL");
    server.otherwise = { text: good };
    const resumed = await cli(["resume", "--continue"], at);
    expect(resumed.code, resumed.stderr).toBe(0);
    const prompts = server.requests.map(({ prompt }) => (prompt.startsWith("Judge") ? "judge" : "write"));
    expect(prompts).toEqual(["write", "judge", "judge"]);
  });

  it("at any of four moments, pays for no recorded answer twice", async () => {
    for (let moment = 0; moment < 4; moment++) {
      using at = exampleFolder();
      await using server = await startFaultServer();
      server.otherwise = ({ prompt }) => ({
        text: !prompt.startsWith("Judge")
          ? "A text."
          : prompt.includes("round 3")
            ? good
            : '{"score":0.5,"faults":["x"]}',
      });
      const running = startCli(
        ["run", "self-refine", ...input, ...flags(server), "--max-iterations", "3", "--json"],
        at,
      );
      const recorded: string[] = [];
      await running.line(/"type":"run-started"/);
      await Promise.race([running.ended, new Promise((resolve) => setTimeout(resolve, 20 + moment * 90))]);
      running.send("SIGKILL");
      for (const line of (await running.ended).lines) {
        const event = JSON.parse(line);
        if (event.type === "effect-finished") recorded.push(event.key);
      }
      const before = server.requests.length;
      const resumed = await cli(["resume", "--continue"], at);
      expect(resumed.code, resumed.stderr).toBe(3);
      // Six answers in all; a request that was under way at the kill is sent once more, a recorded one never.
      expect(server.requests.length).toBeLessThanOrEqual(7);
      expect(server.requests.length - before).toBeLessThanOrEqual(6 - recorded.length);
    }
  });
});

async function waitFor(isSo: () => boolean): Promise<void> {
  for (const until = Date.now() + 20_000; !isSo(); await new Promise((resolve) => setTimeout(resolve, 20)))
    if (Date.now() > until) throw new Error("it did not come to that in 20 s");
}
