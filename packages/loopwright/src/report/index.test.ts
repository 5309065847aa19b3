import { fail, type StampedEvent } from "@loopwright/core";
import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { boatLoop, hullPicture } from "../../../../test/fakes/boat-loop.ts";
import { hostileRun } from "../../../../test/fakes/hostile-run.ts";
import { boatRun, ceilingRun, failedRun, longRun, sourceOf, waitingRun } from "../../../../test/fakes/report-runs.ts";
import { type ReportSource, writeReport } from "./index.ts";

describe("the report of a run", () => {
  it.each([
    ["done", boatRun, ["It is done: the views agree to 94 %", "loopwright verify 20260105"]],
    ["ceiling", ceilingRun, ["A ceiling ended it: all 4 iterations are used", "--max-iterations 6", ">reached<"]],
    [
      "waiting",
      waitingRun,
      ["It waits for a person: Call the dinghy", "answer 20260105-120000_christen yes", "too many herons"],
    ],
    ["failed", failedRun, ["It failed: the endpoint does not answer", "resume 20260105", "ENDPOINT_GONE"]],
  ])("says of one that stands at %s why, and what to type next", async (status, make, texts) => {
    const html = await writeReport(await make());
    expect(html).toMatch(new RegExp(`<h1>[^<]+ <span class="badge dim ${status}">${status}</span></h1>`));
    for (const text of texts) expect(html).toContain(text);
  });

  it("is the same bytes for the same source, and for the same run made again", async () => {
    const source = await boatRun();
    expect(await writeReport(source)).toBe(await writeReport(source));
    expect(await writeReport(await boatRun())).toBe(await writeReport(source));
  });

  it("holds no script, forbids any, and fetches nothing", async () => {
    for (const make of [boatRun, hostileRun]) {
      const html = await writeReport(await make());
      expect(html).not.toMatch(/<script/i);
      expect(html).toContain(
        `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">`,
      );
      expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<title>"));
      expect(html.match(/(src|href)="(?!data:|#|attempt-000\/|references\/)[^"]*"/g)).toBeNull();
    }
  });

  it("shows what the next steps are told to be", async () => {
    const html = await writeReport({ ...(await boatRun()), next: [{ command: "do <this>", does: "& that" }] });
    expect(html).toContain("<code>do &lt;this&gt;</code><span>&amp; that</span>");
    expect(html).not.toContain("loopwright verify");
    expect(await writeReport({ ...(await boatRun()), next: [] })).not.toContain("What to type next");
  });

  it("shows the input, with its long texts cut", async () => {
    const html = await writeReport({ ...(await boatRun()), input: { png: "A".repeat(50_000), name: "</pre>" } });
    expect(html).toContain("&quot;name&quot;: &quot;&lt;/pre&gt;&quot;");
    expect(html.length).toBeLessThan(60_000);
  });

  it("is written of a run that has only begun", async () => {
    const { record, events, ...rest } = await boatRun();
    const { ended: _, ...open } = record;
    const html = await writeReport({
      ...rest,
      record: { ...open, scores: [], phaseTimes: {} },
      events: events.slice(0, 1),
    });
    expect(html).toContain(">not ended</span></h1>");
    expect(html).not.toContain("<svg");
    expect(html).not.toContain('<h2 id="iterations">');
  });

  it("says the one score there is in words", async () => {
    expect(await writeReport(await failedRun())).toContain("There is one score so far: 0.250, in iteration 1.");
  });

  it("links files whose bytes are gone, and says so", async () => {
    const source = await boatRun();
    const load = async () => {
      throw new Error("released");
    };
    const html = await writeReport({ ...source, load });
    expect(html).not.toContain("<img");
    expect(html).toContain('side.png</a> <span class="dim">');
    expect(html).toContain("its bytes are gone: released, or missing from the store");
  });
});

describe("the report's relatives", () => {
  it("are named and linked: the origin of a fork", async () => {
    const made = memoryEngine();
    const loop = boatLoop(made.clock);
    const { run } = await made.engine.start(loop, { task: "x", reach: 0.7 });
    const forked = await made.engine.fork(run, 2);
    await made.engine.resume(loop, forked);
    const html = await writeReport(await sourceOf(made, forked));
    expect(html).toContain(`Forked from <a href="../${run}/report.html">${run}</a> at iteration 2.`);
  });

  it("are named and linked: the run that started a child", async () => {
    const source = await boatRun();
    const parent = { run: "r0", key: "try" };
    const child = (run: string, folder: string) =>
      writeReport({ ...source, record: { ...source.record, run, folder, parent } });
    expect(await child("r0.4-try", "r0/children/4-try")).toContain(
      'Started by the run <a href="../../report.html">r0</a>.',
    );
    expect(await child("r0.4-try", "r0/attempt-001")).toContain('Started by the run <a href="../report.html">r0</a>.');
    expect(await child("r0.4-try-fork", "r0.4-try-fork")).toContain("Started by the run r0.");
  });

  it("are named and linked: child runs, with how they stand", async () => {
    const source = await boatRun();
    const { folder } = source.record;
    const children = [
      { run: "r.2-a", folder: `${folder}/attempt-001`, status: "done", score: 0.9 },
      { run: "r.2-b", folder: `${folder}/children/2-b`, status: "waiting", score: null },
    ];
    const html = await writeReport({ ...source, children });
    expect(html).toContain('<a href="attempt-001/report.html">r.2-a</a>: done, score 0.900');
    expect(html).toContain('<a href="children/2-b/report.html">r.2-b</a>: waiting</li>');
  });
});

describe("what stands first", () => {
  const at = (html: string, text: string) => {
    expect(html).toContain(text);
    return html.indexOf(text);
  };

  it("is the task as the title, then the result, before anything else", async () => {
    const html = await writeReport(await boatRun());
    expect(html).toContain("<h1>a dinghy of 9.4 m <span");
    expect(html).toContain("<title>a dinghy of 9.4 m – boat, done</title>");
    expect(at(html, '<h2 id="result">')).toBeLessThan(at(html, "What to type next"));
    expect(at(html, "<img")).toBeLessThan(at(html, "What to type next"));
  });

  it("is a diff where the run leaves one, and the colors of an overlay are named", async () => {
    const source = await boatRun();
    const patch = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-old\n+new\n";
    const artifact = { path: "attempt-000/repair.diff", digest: "d", size: patch.length };
    const events = source.events.filter((event) => event.type !== "artifact-saved");
    const saved = { type: "artifact-saved", artifact, at: source.record.at, active: source.record.active } as const;
    const load = async () => Buffer.from(patch);
    const html = await writeReport({ ...source, events: [...events, saved], load });
    expect(at(html, "<ins>+new\n</ins>")).toBeLessThan(at(html, "What to type next"));
    expect(html).toContain("<b>+++ b/x.py\n</b>");
    const legends = { "renders/side.png": [{ color: "#0072b2", means: "too much" }] };
    const drawn = await writeReport({ ...source, legends });
    expect(at(drawn, '<li><i style="background:#0072b2"></i>too much</li>')).toBeLessThan(
      at(drawn, "What to type next"),
    );
  });

  it("is the text of the files that were written, where a run says so in JSON, and not the note about it", async () => {
    const source = await boatRun();
    const texts: Record<string, string> = {
      "attempt-000/iterations/iter-001/attempt-1.json": JSON.stringify([{ path: "a.md", content: "# A draft" }]),
      "attempt-000/iterations/iter-001/change.json": JSON.stringify({
        write: [
          { path: "chapters/1.md", content: "# One\n\nShe read it.\n" },
          { path: "chapters/2.md", content: "# Two\n" },
        ],
        remove: [],
      }),
      "attempt-000/iteration.md": "# generate prose",
    };
    const events = source.events.filter((event) => event.type !== "artifact-saved");
    const { at: time, active } = source.record;
    const saved = Object.entries(texts).map(([path, text]) => {
      const artifact = { path, digest: path, size: text.length };
      return { type: "artifact-saved", artifact, at: time, active } as const;
    });
    const load: ReportSource["load"] = async ({ path }) => Buffer.from(texts[path]!);
    const html = await writeReport({ ...source, events: [...events, ...saved], load });
    const head = html.slice(0, at(html, "What to type next"));
    for (const words of ["2 files in", "── chapters/1.md\n", "She read it.", "── chapters/2.md"])
      expect(head).toContain(words);
    expect(head).not.toContain("generate prose");
    expect(head).not.toContain("A draft");
    expect(head).not.toContain("&quot;write&quot;");
  });

  it("says of a single score which one passes", async () => {
    const source = await boatRun();
    const record = { ...source.record, scores: source.record.scores.slice(0, 1) };
    const html = await writeReport({ ...source, record, passesAt: () => 0.75 });
    expect(html).toMatch(/There is one score so far: 0\.\d+, [^.]+; 0\.750 passes\./);
  });

  it("has the score that passes in the curve", async () => {
    const source = await boatRun();
    const passesAt: ReportSource["passesAt"] = (input) => input.goal.score;
    const html = await writeReport({ ...source, passesAt, input: { task: "x", goal: { score: 0.93 } } });
    for (const words of ['class="threshold"', "passes at 0.930</span></figcaption>", "It passes at 0.930."])
      expect(html).toContain(words);
    expect(await writeReport({ ...source, passesAt })).not.toContain('class="threshold"');
  });
});

describe("a large run", () => {
  it("shows up to sixty iterations whole, and of more the first, the last and the best", async () => {
    const count = async (iterations: number) =>
      (await writeReport(await longRun(iterations))).match(/<article/g)?.length;
    expect(await count(60)).toBe(60);
    expect(await count(61)).toBe(35);
  });

  it("shows its best iteration whole, wherever it was", async () => {
    const { record, events, ...rest } = await longRun(100);
    const changed = events.map<StampedEvent>((event) =>
      event.type === "verdict-recorded" && event.iteration === 50
        ? { ...event, verdict: fail(1, "the best of all") }
        : event,
    );
    const scores = record.scores.map((point) => ({ ...point, score: point.iteration === 50 ? 1 : point.score * 0.9 }));
    const html = await writeReport({ ...rest, record: { ...record, scores }, events: changed });
    expect(html).toContain('<article id="i50">');
    expect(html).toContain('<tr id="i49">');
    expect(html).toContain('<tr id="i51">');
  });

  it("of 10,000 phases is written in a moment, and stays small", async () => {
    const source = await longRun(5_000);
    expect(source.events.length).toBeGreaterThan(19_000);
    const started = performance.now();
    const html = await writeReport(source);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(html.length).toBeLessThan(3_000_000);
    expect(html).toContain('<tr id="i2500">');
  }, 60_000);

  it("holds pictures up to its budget: the best, the first and the latest iterations before the others", async () => {
    const source = await boatRun();
    const large = Buffer.concat([hullPicture(0.5, "side"), Buffer.alloc(3_000_000)]);
    const events = source.events.map<StampedEvent>((event) =>
      event.type === "artifact-saved" && event.artifact.path.endsWith(".png")
        ? { ...event, artifact: { ...event.artifact, size: large.byteLength } }
        : event,
    );
    const record = {
      ...source.record,
      scores: source.record.scores.map((p) => (p.iteration === 3 ? { ...p, score: 1 } : p)),
    };
    const load: ReportSource["load"] = async (artifact) =>
      artifact.path.endsWith(".png") ? large : source.load(artifact);
    const html = await writeReport({ ...source, record, events, load });
    const [above, ...articles] = html.split("<article ");
    expect(above!.match(/<img/g)).toHaveLength(2);
    const shown = articles.map((part) => part.match(/<img/g)?.length ?? 0);
    expect(shown).toEqual([0, 2, 0, 0, 0, 0, 1]);
    expect(html).toContain("left out to keep this page small");
    expect(html.length).toBeLessThan(23_000_000);
  });
});
