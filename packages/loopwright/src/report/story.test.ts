import type { StampedEvent } from "@loopwright/core";
import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { boatLoop } from "../../../../test/fakes/boat-loop.ts";
import { boatRun, ceilingRun, failedRun, sourceOf, waitingRun } from "../../../../test/fakes/report-runs.ts";
import type { ReportSource } from "./index.ts";
import { gatherStory, pageFrom, verdictOf } from "./story.ts";

const story = ({ record, events }: ReportSource) => gatherStory(record, events);

describe("a run's story", () => {
  it("has a section for each iteration, and one for what came before", async () => {
    const { sections } = story(await boatRun());
    expect(sections.map(({ iteration }) => iteration)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(sections.map((section) => verdictOf(section)?.score)).toEqual([
      0.41, 0.647, 0.78, 0.86, 0.866, 0.852, 0.939,
    ]);
  });

  it("puts each file where it belongs: before the first iteration, in its iteration, among the results", async () => {
    const { sections, results } = story(await boatRun());
    expect([...sections[0]!.files.keys()]).toEqual(["references/side.png", "renders/side.png", "renders/front.png"]);
    const names = ["plan.txt", "code.py", "renders/side.png", "renders/front.png", "feedback.json"];
    for (const section of sections.slice(1)) expect([...section.files.keys()]).toEqual(names);
    expect(results.map(({ name }) => name)).toEqual(["final.glb", "final_score.json"]);
  });

  it("gives each file its address from the page", async () => {
    const { sections, results } = story(await boatRun());
    expect(sections[2]!.files.get("code.py")!.href).toBe("attempt-000/iterations/iter-002/code.py");
    expect(sections[0]!.files.get("references/side.png")!.href).toBe("references/side.png");
    expect(results[0]!.href).toBe("attempt-000/final.glb");
  });

  it("counts time and cost where they were spent", async () => {
    const source = await boatRun();
    const { sections, longestVisit } = story(source);
    expect(sections[0]!.active).toBe(800);
    expect(sections[1]!).toMatchObject({ active: 2_950, usage: { tokens: 1_850 } });
    expect(sections[3]!).toMatchObject({ active: 5_250, usage: { tokens: 3_700 } });
    expect(sections.reduce((sum, { active }) => sum + active, 0)).toBe(source.record.active);
    expect(longestVisit).toBe(4_600);
  });

  it("tells moments where they happened", async () => {
    const kinds = async (source: Promise<ReportSource>) =>
      story(await source).sections.map(({ moments }) => moments.map(({ kind }) => kind));
    expect(await kinds(boatRun())).toEqual([[], [], [], ["failure", "note"], [], [], ["stop"]]);
    expect((await kinds(ceilingRun())).at(-1)).toEqual(["ceiling", "stop"]);
    expect(await kinds(waitingRun())).toEqual([["gate", "resume", "gate"], ["gate"]]);
    expect(await kinds(failedRun())).toEqual([[], ["failure", "failure", "stop"]]);
  });

  it("keeps the last file of a name, and one result of each", async () => {
    const made = memoryEngine();
    const loop = boatLoop(made.clock);
    const given = { task: "twice", reach: 0.99 };
    const { run } = await made.engine.start(loop, given, { ceilings: { iterations: 1 } });
    await made.engine.resume(loop, run, { ceilings: { iterations: 2 } });
    const { results, sections } = story(await sourceOf(made, run));
    expect(results).toHaveLength(2);
    expect(sections[2]!.moments.map(({ kind }) => kind)).toEqual(["ceiling", "stop"]);
  });

  it("finds a fork's earlier files and report in the folder of its origin", async () => {
    const made = memoryEngine();
    const loop = boatLoop(made.clock);
    const { run } = await made.engine.start(loop, { task: "x", reach: 0.85 }, { seed: 1 });
    const forked = await made.engine.fork(run, 3);
    await made.engine.resume(loop, forked);
    const { sections, forkedFrom, results } = story(await sourceOf(made, forked));
    expect(forkedFrom).toEqual({ run, iteration: 3, href: `../${run}/report.html` });
    expect(sections[1]!.files.get("code.py")!.href).toBe(`../${run}/attempt-000/iterations/iter-001/code.py`);
    expect(sections[3]!.files.get("code.py")!.href).toBe("attempt-000/iterations/iter-003/code.py");
    expect(results[0]!.href).toBe("attempt-000/final.glb");
  });

  it("leads to no file that a browser would run: a click must be as harmless as the page", async () => {
    const { record, events } = await boatRun();
    const names = ["a.html", "a.HTM", "a.svg", "a.xml", "a.xhtml", "a.mhtml", "a.html.txt", "html", "a.js", "a.png"];
    const saved = names.map<StampedEvent>((name) => {
      const artifact = { path: `attempt-000/iterations/iter-001/${name}`, digest: "", size: 1 };
      return { type: "artifact-saved", artifact, at: 1, active: 0 };
    });
    const { sections } = gatherStory(record, [events[0]!, ...saved]);
    const linked = [...sections[0]!.files.values()].filter(({ href }) => href !== undefined);
    expect(linked.map(({ name }) => name)).toEqual(["a.html.txt", "html", "a.js", "a.png"]);
  });

  it("takes a child run's files without an attempt's folder", async () => {
    const { record, events } = await boatRun();
    const saved = (path: string): StampedEvent => ({
      type: "artifact-saved",
      artifact: { path, digest: "", size: 1 },
      at: 1,
      active: 0,
    });
    const own = [...events.slice(0, 1), saved("iterations/iter-005/x.txt"), saved("attempt-000/y.txt")];
    const { sections } = gatherStory({ ...record, attempt: "" }, own);
    expect(sections[0]!.files.get("x.txt")!.href).toBe("iterations/iter-005/x.txt");
    expect(sections[0]!.files.has("attempt-000/y.txt")).toBe(true);
  });
});

describe("an address from one run's folder", () => {
  it("leads to itself, to a neighbor, up and down", () => {
    expect(pageFrom("r1", "r1", "a/b.txt")).toBe("a/b.txt");
    expect(pageFrom("r2", "r1", "b.txt")).toBe("../r1/b.txt");
    expect(pageFrom("r1/children/4-try", "r1", "report.html")).toBe("../../report.html");
    expect(pageFrom("r1", "r1/attempt-001", "report.html")).toBe("attempt-001/report.html");
  });

  it("is none for a path that leads out", () => {
    expect(pageFrom("r1", "r1", "../x")).toBeUndefined();
  });
});
