// `loopwright issue start` and `drain` with the real binary and a loop of the project's own: the run hangs on its issue, and its end closes
// the issue or leaves it to a person, whoever died in between.

import { setTimeout } from "node:timers/promises";
import { openProject } from "@loopwright/core";
import { openTracker } from "@loopwright/tracker";
import { describe, expect, it } from "vitest";
import { type Ended, type Folder, fixtureProject, lastLine } from "../../fakes/cli.ts";
import steer from "../../fixtures/project/loops/steer.ts";

interface Shown {
  id: string;
  status: string;
  runs: string[];
  closeReason?: string;
  assignee?: string;
}

/** A project with the loop `steer`. */
function project() {
  const at = fixtureProject();
  const create = async (way: string, ...more: string[]) => {
    const words = ["issue", "create", "--title", `${way} it`, "--loop", "steer", "--set", `way=${way}`, ...more];
    const ended = await at.cli(words);
    if (ended.code !== 0) throw new Error(ended.stderr);
    return ended.stdout.trim();
  };
  return { at, create, start: (id: string, ...more: string[]) => at.cli(["issue", "start", id, ...more]) };
}

async function shown(at: Folder, id: string): Promise<Shown & { why: (string | undefined)[] }> {
  const { issue, history } = (await at.document(`issue show ${id}`)) as unknown as {
    issue: Shown;
    history: { why?: string }[];
  };
  return { ...issue, why: history.map(({ why }) => why).filter(Boolean) };
}

const drained = ({ stdout }: Ended) => JSON.parse(stdout) as { issues: Record<string, unknown>[]; done: number };

describe.concurrent("loopwright issue start", { timeout: 120_000 }, () => {
  it.each([
    ["done", 0, "closed", "as it was told"],
    ["stagnant", 4, "escalated", "stagnant: as it was told"],
    ["declined", 8, "escalated", "declined: as it was told"],
    ["escalated", 5, "escalated", "escalated: "],
    ["endless", 3, "escalated", "ceiling: "],
    ["failed", 7, "escalated", "failed: "],
    ["bug", 1, "open", "undefined is not a boat"],
  ])("hangs a run that ends %s on its issue, and says so there", async (way, code, status, why) => {
    const { at, create, start } = project();
    using _ = at;
    const id = await create(way);
    const ended = await start(id);
    expect(ended.code, ended.stderr).toBe(code);
    expect(ended.stderr).not.toMatch(/^ {4}at .*tracker/m);
    const issue = await shown(at, id);
    expect(issue).toMatchObject({ status, runs: at.runs() });
    expect(issue.runs).toHaveLength(1);
    expect([issue.closeReason, ...issue.why].join("\n")).toContain(why);
    expect(issue.assignee).toBe(status === "open" ? undefined : issue.assignee);
  });

  it("goes on with the run of an issue that waited for a person, and begins anew with one that was opened again", async () => {
    const { at, create, start } = project();
    using _ = at;
    const id = await create("escalated");
    expect((await start(id)).code).toBe(5);
    const [run] = at.runs();
    await at.cli(["answer", run!, "again"]);
    expect(lastLine(await start(id, "--json"))).toMatchObject({ run, type: "run-ended", outcome: "escalated" });
    expect(at.runs()).toEqual([run]);
    await at.cli(["issue", "close", id]);
    expect((await start(id)).stdout).toContain(`${id} is closed`);
    await at.cli(["issue", "reopen", id]);
    await start(id);
    expect((await shown(at, id)).runs).toEqual([run, at.runs().find((each) => each !== run)]);
  });

  it("is refused for what waits for another, names no loop, or another process has; and such issues are not made", async () => {
    const { at, create, start } = project();
    using _ = at;
    const [first, second] = [await create("done"), await create("done")];
    await at.cli(["issue", "link", first, "blocks", second]);
    expect(await start(second)).toMatchObject({ code: 2, stderr: expect.stringContaining(`waits for ${first}`) });
    const bare = (await at.cli(["issue", "create", "--title", "anything"])).stdout.trim();
    expect(await start(bare)).toMatchObject({ code: 2, stderr: expect.stringContaining("names no loop") });
    for (const [words, message] of [
      ["--loop steer --set way=sideways", /way/],
      ["--loop steer --set way=done --set rounds=many", /rounds/],
      ["--loop ster", /did you mean 'steer'/],
      ["--loop steer --set way", /KEY=VALUE/],
    ] as const)
      expect(await at.cli(`issue create --title wrong ${words}`), words).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(message),
      });
    const slow = await create("slow", "--set", "seconds=20");
    const working = at.start(["issue", "start", slow, "--json"]);
    await working.line("phase-started");
    expect(await start(slow)).toMatchObject({ code: 2, stderr: expect.stringContaining("by another process") });
    working.send("SIGINT");
    expect((await working.ended).code).toBe(130);
    expect(await shown(at, slow)).toMatchObject({ status: "open", runs: at.runs() });
  });

  it("starts no second run where it was killed before the issue knew of the first, and takes up the ending that was cut off", async () => {
    const { at, create, start } = project();
    using _ = at;
    const id = await create("done");
    // What is on the disk when a process dies between two writes: the run has its issue, and the issue nothing.
    const { run } = lastLine(await at.steer({ way: "done" }, "--json"));
    await using opened = await openProject({ dir: at.dir });
    const cut = await opened.start(steer, steer.input.parse({ way: "done" }), {
      config: { issue: id },
      slug: "cut off",
    });
    expect(cut.outcome).toBe("done");
    const tracker = await openTracker({ dir: at.dir });
    expect(await tracker.claim(id)).toMatchObject({ status: "in_progress" });
    await tracker.release(id);
    await tracker.close();
    expect((await start(id)).code).toBe(0);
    expect(await shown(at, id)).toMatchObject({ status: "closed", runs: [cut.run] });
    expect(at.runs().sort()).toEqual([run, cut.run].sort());
  });

  it("has several attempts compete for it, and goes on with them", async () => {
    const { at, create, start } = project();
    using _ = at;
    const id = await create("slow", "--set", "seconds=2", "--set", "rounds=1");
    const working = at.start(["issue", "start", id, "--attempts", "2", "--json"]);
    await working.line("progress");
    working.send("SIGINT");
    expect((await working.ended).code).toBe(130);
    const ended = await start(id);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { status, runs } = await shown(at, id);
    expect([status, runs.length]).toEqual(["closed", 1]);
  });

  it("asks before it does what an issue that came with the folder says", async () => {
    const { at, create, start } = project();
    using _ = at;
    const id = await create("done", "--set", "words=/etc/passwd");
    await at.cli("doctor");
    const ended = await at.cli(["issue", "start", id], { isTrusted: false });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("run.input.words: /etc/passwd") });
    expect(at.runs()).toEqual([]);
    expect((await start(id)).code).toBe(0);
  });
});

describe("loopwright issue drain", { timeout: 120_000 }, () => {
  it("works through what is ready, in order, and then through what waited for it", async () => {
    const { at, create } = project();
    using _ = at;
    const [last, first, wrong] = [
      await create("done"),
      await create("done", "--priority", "P0"),
      await create("stagnant", "--priority", "P1"),
    ];
    await at.cli(["issue", "create", "--title", "a note"]);
    await at.cli(["issue", "link", first, "blocks", last]);
    expect(await at.document("issue drain --dry-run")).toMatchObject({ issues: [{ id: first }, { id: wrong }] });
    const told = await at.cli("issue drain");
    expect(told.code, told.stderr).toBe(0);
    expect(told.stdout).toContain("3 issues: 2 done, 1 waits for a person");
    expect(told.stdout).toContain("names no loop, and was left");
    expect(at.runs()).toHaveLength(3);
    // What waits for a person is not taken up again.
    expect(drained(await at.cli("issue drain --json"))).toMatchObject({ issues: [], done: 0 });
  });

  it("takes an issue up again whose worker is killed, once, and leaves none in progress", async () => {
    const { at, create } = project();
    using _ = at;
    const slow = await create("slow", "--set", "seconds=2", "--set", "rounds=1");
    const draining = at.start("issue drain --json");
    while ((await shown(at, slow)).runs.length === 0) await setTimeout(50);
    const holder = Number(/process (\d+)/.exec((await shown(at, slow)).assignee!)![1]);
    process.kill(holder, "SIGKILL");
    const ended = await draining.ended;
    expect(ended.stderr).toContain("its worker died (SIGKILL)");
    expect(drained(ended)).toMatchObject({ issues: [{ id: slow, outcome: "done", exit: 0 }], done: 1 });
    expect(await shown(at, slow)).toMatchObject({ status: "closed", runs: at.runs() });
    expect(at.runs()).toHaveLength(1);
  });
});
