// Two tasks on a router of others', with the tests that it ships, and what an agent answered by hand, given again by a real server. A
// cassette would hold the router's own source in its requests; the answers alone are ours.

import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";
import { startFaultServer } from "../fakes/fault-server.ts";
import { copyRepository } from "../fixtures/repositories/repositories.ts";

const recorded = join(import.meta.dirname, "../fixtures/repositories");
const ANSWERS = ["1-plan.json", "2-implement.md", "3-review.json"];

/** Test files that the second task does without: the first runs the suite as it is shipped, a process for each file, each time. */
const FURTHER = /^(issue|fastify-issue|constraint|pretty)/;

it.each([
  ["absolute-url", "find-my-way", /^$/, "test/full-url-without-path.test.js", "[^/?#]*"],
  ["optional-off", "find-my-way-9.6", FURTHER, "test/optional-params-root-off.test.js", "'$2') || '/'\n\n    this.off"],
])(
  "%s is fixed where its cause is, in three requests, with a test of its own, and nothing else changes",
  {
    timeout: 300_000,
  },
  async (task, name, without, newTest, fix) => {
    using at = new Folder();
    cpSync(join(recorded, task, "task.md"), join(at.dir, "task.md"));
    copyRepository(name, join(at.dir, "repo"));
    const tests = join(at.dir, "repo/test");
    for (const file of readdirSync(tests)) if (without.test(file)) rmSync(join(tests, file));
    const before = at.listing("repo");
    await using server = await startFaultServer();
    server.next(...ANSWERS.map((file) => ({ text: readFileSync(join(recorded, task, file), "utf8") })));
    server.otherwise = { status: 400 };
    const ended = await at.cli(["code", "--workspace", "repo", "--url", server.url, "--model", "desk", "--json"]);
    expect(lastLine(ended), ended.stderr).toMatchObject({ type: "run-ended", outcome: "done", iterations: 1 });
    expect(server.requests).toHaveLength(ANSWERS.length);
    const after = at.listing("repo");
    expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual(["index.js", newTest]);
    expect(at.read("repo/index.js")).toContain(fix);
  },
);
