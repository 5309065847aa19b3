// `loopwright code` on what agents have answered by hand, served again by a real server while the program is killed in each of its
// phases. Real sandbox, real pytest, real node --test.

import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Folder } from "../fakes/cli.ts";
import { type FaultServer, startFaultServer } from "../fakes/fault-server.ts";

const recorded = join(import.meta.dirname, "../fixtures/code");
const MINUTE = 60_000;

interface Entry {
  request: { system?: string[]; prompt: string[] };
  answer: { text: string[] };
}

function entriesOf(name: string): Entry[] {
  return JSON.parse(readFileSync(join(recorded, name, "cassette.json"), "utf8")).entries;
}

/** A project with a recorded task. */
function project(name: string): Folder {
  const folder = new Folder();
  cpSync(join(recorded, name), folder.dir, { recursive: true });
  return folder;
}

describe("a run of the code loop that is killed with SIGKILL", () => {
  /** A server that gives the recorded answers again, and remembers what it was asked. */
  async function serve(name: string): Promise<FaultServer> {
    const entries = entriesOf(name);
    const server = await startFaultServer();
    server.otherwise = ({ prompt }) => {
      const entry = entries.find(({ request }) => prompt.endsWith(request.prompt.join("\n")));
      return entry ? { text: entry.answer.text.join("\n") } : { status: 400 };
    };
    return server;
  }

  const flags = ({ url }: FaultServer) => ["--url", url, "--model", "desk", "--seed", "1", "--json"];
  let unbroken: { asked: number; workspace: Record<string, string>; task: string };

  beforeAll(async () => {
    await using server = await serve("python");
    using at = project("python");
    const ended = await at.cli(["code", ...flags(server)]);
    expect(ended.code, ended.stderr).toBe(0);
    unbroken = { asked: server.requests.length, workspace: at.listing("workspace"), task: at.read("task.md") };
  });

  // At every commit: packages/code/src/crash.test.ts.
  it("in each of its phases ends the same: program, task and outcome, and no recorded request is sent again", {
    timeout: 5 * MINUTE,
  }, async () => {
    const phases = ["summarize", "plan", "implement", "test", "audit", "review", "finalize"];
    await using server = await serve("python");
    using at = project("python");
    let words = ["code", ...flags(server)];
    for (const phase of phases) {
      const running = at.start(words);
      await running.line(new RegExp(`"type":"phase-started".*"phase":"${phase}"`));
      running.send("SIGKILL");
      expect((await running.ended).signal).toBe("SIGKILL");
      words = ["resume", "--continue", "--json"];
    }
    const resumed = await at.cli(words);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(at.listing("workspace")).toEqual(unbroken.workspace);
    expect(at.read("task.md")).toBe(unbroken.task);
    // One request may have been under way at each kill; none whose answer was recorded is sent again.
    expect(server.requests.length - unbroken.asked).toBeLessThanOrEqual(phases.length);
  });
});

it("in a dirty repository, leaves status, branch, index and hooks as they were, but for the workspace", {
  timeout: 2 * MINUTE,
}, async () => {
  using at = project("python");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: at.dir, encoding: "utf8" });
  git("init", "-q", "-b", "work");
  git("add", "task.md");
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "task");
  await at.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch hooked\n");
  await at.write("task.md", `${at.read("task.md")}\n`);
  const before = { status: git("status", "--porcelain"), files: at.listing(".git") };
  const ended = await at.cli("code --model lmstudio:desk --cassette cassette.json --cassette-mode replay");
  expect(ended.code, ended.stderr).toBe(0);
  expect(at.listing(".git")).toEqual(before.files);
  expect(git("status", "--porcelain")).toBe(`${before.status}?? workspace/\n`);
});
