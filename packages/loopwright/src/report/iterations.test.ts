import { type Finding, fail, pass, type Verdict } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { showIterations } from "./iterations.ts";
import type { Section } from "./story.ts";

function section(iteration: number, more: Partial<Section> = {}): Section {
  const facts = { startedAt: Date.UTC(2026, 0, 5, 12), active: 1_500, usage: { tokens: 0, usd: 0 } };
  return { iteration, ...facts, verdicts: [], files: new Map(), moments: [], ...more };
}

const judged = (iteration: number, ...verdicts: Verdict[]) => section(iteration, { verdicts });

/** The sections as the page shows them; those that are named are shown in short. */
function shown(sections: Section[], short: number[] = [], best?: number): string {
  const whole = new Set(sections.filter(({ iteration }) => !short.includes(iteration)));
  return showIterations({ sections, whole, contents: new Map(), best }).join("");
}

const finding = (code: string, severity: Finding["severity"], priority: Finding["priority"]): Finding => {
  return { code, severity, priority, message: `${code} is wrong` };
};

describe("an iteration", () => {
  it("says its number, score, verdict and reason", () => {
    const text = shown([judged(1, fail(0.5, "half of it"))]);
    expect(text).toContain(
      '<details class="iteration" open><summary class="head"><h3>Iteration 1</h3> <span class="score">0.500</span>',
    );
    expect(text).toContain('<span class="badge fail">fail</span>');
    expect(text).toContain("<p>half of it</p>");
    expect(text).not.toContain('class="change');
  });

  it("is told in words without the control codes of a terminal", () => {
    const red = { ...finding("COLOR", "hard", 1), message: "\u001b[31mred\u001b[0m", fix: "\u001b[1mbold\u001b[22m" };
    const text = shown([judged(1, fail(0.5, "\u001b[32mhalf\u001b[0m of it", [red]))]);
    for (const words of ["<p>half of it</p>", "<p>red</p>", "</span> bold</p>"]) expect(text).toContain(words);
    expect(text).not.toContain("␛");
  });

  it("says how its score changed since the last one that had a score", () => {
    const text = shown([
      judged(1, fail(0.5, "a")),
      section(2),
      judged(3, fail(0.7, "b")),
      judged(4, fail(0.65, "c")),
      judged(5, pass(0.65, "d")),
      judged(6, pass(0.9301, "e")),
      judged(7, pass(0.9639, "f")),
    ]);
    expect([...text.matchAll(/class="change \w+">([^<]+)</g)].map((match) => match[1])).toEqual([
      "+0.200",
      "−0.050",
      "±0",
      "+0.280",
      "+0.033",
    ]);
    expect(text).toContain("<h3>Iteration 2</h3></summary>");
    expect(text).toContain('<p class="dim">No verdict.</p>');
  });

  it("marks the best", () => {
    const text = shown([judged(1, fail(0.5, "a")), judged(2, fail(0.4, "b"))], [], 1);
    expect(text.match(/class="tag">best/g)).toHaveLength(1);
    expect(text.indexOf('class="tag">best')).toBeLessThan(text.indexOf("Iteration 2"));
  });

  it("shows its findings, hard ones first, then by priority, with the fix", () => {
    const soft = { ...finding("SOFT", "soft", 1), fix: "fix it" };
    const text = shown([judged(1, fail(0.1, "x", [finding("LATE", "soft", 4), soft, finding("HARD", "hard", 3)]))]);
    expect([...text.matchAll(/<code>(\w+)<\/code>/g)].map((match) => match[1])).toEqual(["HARD", "SOFT", "LATE"]);
    expect(text).toContain(
      '<li class="hard"><code>HARD</code> <span class="dim">hard, priority 3</span><p>HARD is wrong</p></li>',
    );
    expect(text).toContain('<p><span class="dim">Fix:</span> fix it</p>');
  });

  it("folds away findings beyond the first four, and counts those beyond thirty", () => {
    const many = Array.from({ length: 40 }, (_, n) => finding(`F${n}`, "soft", 2));
    const text = shown([judged(1, fail(0.1, "x", many))]);
    expect(text).toContain("<summary>26 more findings</summary>");
    expect(text).toContain("10 further findings not shown.");
    expect(text.match(/<code>/g)).toHaveLength(30);
    expect(shown([judged(1, fail(0.1, "x", many.slice(0, 4)))])).not.toContain("<details>");
  });

  it("keeps its earlier verdicts as a line each", () => {
    const text = shown([judged(1, fail(0.2, "first look"), fail(0.3, "second look"))]);
    expect(text).toContain("An earlier verdict: fail, 0.200. first look");
    expect(text).toContain('<span class="score">0.300</span>');
  });

  it("says when it began, how long it was active and what it cost", () => {
    expect(shown([section(1, { usage: { tokens: 12_000, usd: 0.5 } })])).toContain(
      "2026-01-05 12:00:00 UTC · 1.5 s active · 12,000 tokens · $0.50",
    );
    expect(shown([section(1)])).toContain("2026-01-05 12:00:00 UTC · 1.5 s active</p>");
  });

  it("tells what else happened, with the time of day", () => {
    const moment = { at: Date.UTC(2026, 0, 5, 12, 3, 4), kind: "failure" as const, text: "<lost>" };
    const text = shown([section(1, { moments: Array(67).fill(moment) })]);
    expect(text).toContain('<li><time>12:03:04</time> <b class="dim failure">failure</b> &lt;lost&gt;</li>');
    expect(text).toContain("and 7 more, in the journal");
  });

  it("cuts what a critic goes on and on about", () => {
    expect(shown([judged(1, fail(0.1, "x".repeat(50_000)))]).length).toBeLessThan(2_000);
  });
});

describe("iterations", () => {
  it("are folded, but the best and the last", () => {
    const text = shown(
      [1, 2, 3, 4].map((iteration) => judged(iteration, fail(0.5, "a"))),
      [],
      2,
    );
    expect(text.match(/<details class="iteration" open>/g)).toHaveLength(2);
    expect(text).toMatch(/ open><summary class="head"><h3>Iteration 2</);
    expect(text).toMatch(/ open><summary class="head"><h3>Iteration 4</);
  });
});

describe("what came before the first iteration", () => {
  it("is shown where there is something of it, under its own name", () => {
    expect(shown([judged(0, fail(0.4, "the start"))])).toContain(
      '<summary class="head"><h3>Before the first iteration</h3>',
    );
  });
});

describe("iterations in short", () => {
  const sections = [1, 2, 3, 4, 5].map((n) => judged(n, fail(n / 10, `reason ${n}`)));

  it("are a row each, between those that are shown whole", () => {
    const text = shown(sections, [2, 3, 4], 3);
    expect(text).toContain("<summary>3 iterations in short</summary>");
    expect(text).toContain(
      '<tr id="i3"><th scope="row">3<td class="n">0.300<td class="n"><span class="change good">+0.100</span><td>fail, best<td class="wide">reason 3\n',
    );
    expect(text.match(/<article/g)).toHaveLength(2);
    expect(text.indexOf('id="i1"')).toBeLessThan(text.indexOf('id="i3"'));
    expect(text.indexOf('id="i3"')).toBeLessThan(text.indexOf('id="i5"'));
  });

  it("stand at the end too, and in several places", () => {
    expect(shown(sections, [5])).toMatch(/1 iteration in short.*id="i5".*<\/details>\n$/s);
    expect(shown(sections, [2, 4]).match(/in short/g)).toHaveLength(2);
  });

  it("say what else happened, in a word, and that there was no verdict", () => {
    const moments = ["gate", "gate", "failure"].map((kind) => ({ at: 0, kind: kind as "gate" | "failure", text: "" }));
    const text = shown([section(1, { moments })], [1]);
    expect(text).toContain(
      '<td class="n">–<td class="n"><td>none<td class="wide"> <span class="dim">(also: gate, failure)</span>',
    );
  });

  it("have short reasons", () => {
    const many = Array.from({ length: 8_000 }, (_, n) => judged(n + 1, fail(0.5, "r".repeat(400))));
    const text = shown(
      many,
      many.map(({ iteration }) => iteration),
    );
    expect(text.length).toBeLessThan(2_800_000);
    expect(text).toContain(`${"r".repeat(160)}…`);
  });
});
