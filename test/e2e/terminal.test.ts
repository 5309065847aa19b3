// The live display in a real terminal: whole lines at every moment, whatever the terminal and the loop do.

import { describe, expect, it } from "vitest";
import {
  brokenLines,
  ESCAPE,
  expectEnd,
  hasColors,
  hasFrame,
  isForGood,
  isHeldIn,
  isOfFrame,
  iterationsIn,
  kill,
  letGo,
  newProject,
  show,
  untilEnd,
  upTo,
  VERDICT,
} from "../fakes/shown-run.ts";
import { hasTmux, replay } from "../fakes/tmux.ts";

describe.skipIf(!hasTmux)("The live display", () => {
  const sizes = [
    [80, 24],
    [200, 50],
    [40, 10],
  ] as const;
  const looks = [
    { name: "with color", more: "", hasColor: true },
    { name: "without", more: "--no-color", hasColor: false },
  ];
  it.each(sizes.flatMap(([columns, rows]) => looks.map((look) => ({ columns, rows, ...look }))))(
    "tears no line at $columns×$rows, $name, and leaves only what is for good",
    async ({ columns, rows, more, hasColor }) => {
      const cwd = newProject();
      using pane = show({ columns, rows, more, cwd, input: { holds: 4 } });
      const broken = new Set<string>();
      let frames = 0;
      const look = (screen: string[]) => {
        if (!hasFrame(screen)) return;
        if (++frames > 5) letGo(cwd);
        for (const line of brokenLines(screen)) broken.add(line);
        expect(Math.max(0, ...screen.map((line) => line.length))).toBeLessThanOrEqual(columns);
      };
      await expectEnd(pane, 0, look);
      expect([...broken]).toEqual([]);
      expect(frames).toBeGreaterThan(5);
      expect(iterationsIn(pane.scrollback())).toEqual(upTo(5));
      expect(pane.scrollback().filter(isOfFrame)).toEqual([]);
      const { damaged, foreign } = replay(pane.raw(), isForGood);
      expect({ damaged, foreign }).toEqual({ damaged: [], foreign: [] });
      expect(hasColors(pane.raw())).toBe(hasColor);
    },
  );

  it("shows the phase, the iteration of how many, the scores, what is used of each ceiling, and the time", async () => {
    using pane = show({ input: { holds: 4 } });
    const screen = await pane.until(isHeldIn(4));
    const [doing, scores, used] = screen.slice(-3);
    expect(doing).toMatch(/^\S work · iteration 4 of 20 · step 2, of 3$/);
    expect(scores).toBe("  score 0.600  ▂▄▅  best 0.600");
    expect(used).toMatch(/^ {2}[\d.]+ m?s of 720 min · 3,702 of 2,000,000 tokens · \$0\.03 of \$5\.00$/);
  });

  it("keeps every line of 300 quick iterations, once and in order", async () => {
    using pane = show({ input: { rounds: 300, steps: 0 }, more: "--max-iterations 400" });
    await expectEnd(pane, 0);
    expect(iterationsIn(pane.scrollback())).toEqual(upTo(300));
    expect(replay(pane.raw(), isForGood)).toMatchObject({ damaged: [], foreign: [] });
  });

  it("holds its shape with wide characters, pictures and more words than there is room for", async () => {
    const words = `船体の側面が参照画像と一致しません 👍🏽 ⛵️ 🇩🇪 ${"and more ".repeat(40)}`;
    const cwd = newProject();
    const input = { holds: 3, reason: words, progress: { 船体: words, deep: [[[[1]]]] } };
    using pane = show({ cwd, columns: 60, rows: 12, input });
    const frame = /^\S work · iteration 3 of 20 · 船体 船.*…$/m;
    const screen = await pane.until((lines) => frame.test(lines.join("\n")));
    expect(screen.slice(-2).filter((line) => !isOfFrame(line))).toEqual([]);
    expect(screen.slice(2, -3).filter((line) => !VERDICT.test(line) || !line.endsWith("…"))).toEqual([]);
    letGo(cwd);
    await expectEnd(pane, 0);
    expect(pane.scrollback().filter((line) => line.startsWith("  iteration"))).toHaveLength(5);
    expect(hasFrame(pane.scrollback())).toBe(false);
  });

  it("prints what the loop itself writes above the frame, whole", async () => {
    using pane = show({ input: { prints: "seen by the loop in round" } });
    await pane.untilEnded();
    const lines = pane.scrollback();
    const story = untilEnd(lines)
      .slice(2)
      .map((line) => line.replace(/^ +(iteration \d).*/, "$1"));
    expect(story).toEqual(upTo(5).flatMap((n) => [`seen by the loop in round ${n}`, `iteration ${n}`]));
  });

  it("stands whole again after the terminal was made narrower, wider and narrower", async () => {
    const cwd = newProject();
    using pane = show({ cwd, input: { rounds: 10, holds: 9 } });
    await pane.until(isHeldIn(9));
    for (const columns of [50, 120, 44]) {
      pane.resize(columns, 24);
      await pane.until((screen) => isOfFrame(screen.at(-1)!) && screen.at(-1)!.endsWith("…") === columns < 70);
    }
    pane.resize(80, 24);
    await pane.until((screen) => screen.at(-1)!.endsWith("$5.00"));
    letGo(cwd);
    await expectEnd(pane, 0);
    expect(untilEnd(pane.scrollback()).filter((line) => !isForGood(line))).toEqual([]);
    expect(iterationsIn(pane.scrollback())).toEqual(upTo(10));
  });

  it("leaves the terminal to the shell when it is suspended, and comes back", async () => {
    const cwd = newProject();
    using pane = show({ cwd, input: { holds: 2 } });
    await pane.until(isHeldIn(2));
    pane.press("C-z");
    const still = await pane.until((screen) => !hasFrame(screen));
    expect(still.filter((line) => line !== "^Z" && !isForGood(line))).toEqual([]);
    letGo(cwd);
    kill(cwd, "SIGCONT");
    await expectEnd(pane, 0);
    expect(iterationsIn(pane.scrollback())).toEqual(upTo(5));
    expect(hasFrame(pane.scrollback())).toBe(false);
  });
});

describe.skipIf(!hasTmux)("Plain lines", () => {
  const plain: { where: string; env: Record<string, string>; more: string }[] = [
    { where: "on a terminal that knows no control sequences", env: { TERM: "dumb" }, more: "" },
    { where: "on a pipe", env: {}, more: "| cat" },
  ];
  it.each(plain)("are all there is $where", async ({ env, more }) => {
    using pane = show({ env, more });
    await pane.untilEnded();
    expect(pane.raw()).not.toContain(ESCAPE);
    expect(iterationsIn(pane.scrollback())).toEqual(upTo(5));
    expect(pane.scrollback().filter(isOfFrame)).toEqual([]);
  });

  it("have no colors where NO_COLOR is set, and the frame has none either", async () => {
    const cwd = newProject();
    using pane = show({ cwd, env: { NO_COLOR: "1" }, input: { holds: 2 } });
    await pane.until(isHeldIn(2));
    letGo(cwd);
    await expectEnd(pane, 0);
    expect(hasColors(pane.raw())).toBe(false);
  });
});
