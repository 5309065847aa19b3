// However a run ends or waits, the terminal is as it was before, and nothing broken is left on it.

import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  brokenLines,
  expectEnd,
  isForGood,
  isHeldIn,
  isOfFrame,
  iterationsIn,
  kill,
  letGo,
  newProject,
  program,
  show,
  untilEnd,
} from "../fakes/shown-run.ts";
import { hasTmux, replay } from "../fakes/tmux.ts";

describe.skipIf(!hasTmux)("The terminal is sound", () => {
  it("after Ctrl-C, which stops the run in order", async () => {
    using pane = show({ input: { holds: 2 } });
    await pane.until(isHeldIn(2));
    pane.press("C-c");
    await expectEnd(pane, 130);
    const lines = pane.scrollback();
    expect(lines).toContain("stopping; nothing is lost, and Ctrl-C again stops at once");
    expect(lines.join("\n")).toMatch(/^interrupted {2}it was interrupted\nfolder/m);
    expect(lines.filter((line) => isOfFrame(line) || line.includes("^C"))).toEqual([]);
  });

  it("after Ctrl-C twice, which stops at once", async () => {
    using pane = show({ input: { holds: 2, finishMs: 60_000 } });
    await pane.until(isHeldIn(2));
    pane.press("C-c");
    await pane.untilSeen("Ctrl-C again");
    pane.press("C-c");
    await expectEnd(pane, 130);
    expect(pane.scrollback().filter((line) => isOfFrame(line) || line.startsWith("interrupted"))).toEqual([]);
  });

  it("after a loop that throws, with the message below what stood there", async () => {
    using pane = show({ input: { breaks: { round: 2, how: "throws" } } });
    await expectEnd(pane, 1);
    const lines = pane.scrollback();
    expect(iterationsIn(lines)).toEqual([1]);
    expect(lines.filter(isOfFrame)).toEqual([]);
    expect(lines).toContain("loopwright: the loop is broken");
  });

  it("after a crash that nobody catches, with the stack below what stood there", async () => {
    using pane = show({ input: { breaks: { round: 2, how: "crashes" } } });
    await expectEnd(pane, 1);
    const lines = pane.scrollback();
    expect(lines.filter(isOfFrame)).toEqual([]);
    expect(lines).toContain("Error: out of the blue");
    expect(replay(pane.raw(), isForGood)).toMatchObject({ damaged: [], foreign: [] });
  });

  it("after SIGKILL, with the last frame standing whole", async () => {
    const cwd = newProject();
    using pane = show({ cwd, input: { holds: 2 } });
    await pane.until(isHeldIn(2));
    kill(cwd, "SIGKILL");
    await expectEnd(pane, 137);
    const lines = pane.scrollback();
    expect(lines.filter(isOfFrame)).toHaveLength(3);
    expect(
      brokenLines(
        lines.slice(
          0,
          lines.findIndex((line) => line.includes("Killed")),
        ),
      ),
    ).toEqual([]);
  });

  it("after SIGKILL at a question", async () => {
    const cwd = newProject();
    using pane = show({ cwd, input: { rounds: 1, asks: true } });
    await pane.untilSeen("yes / no");
    kill(cwd, "SIGKILL");
    await expectEnd(pane, 137);
  });

  it("and a run whose terminal is closed ends in order", async () => {
    const cwd = newProject();
    using pane = show({ cwd, input: { holds: 2 } });
    await pane.until(isHeldIn(2));
    pane.close();
    const runs = () => execFileSync(process.execPath, [program, "runs", "--json"], { cwd, encoding: "utf8" });
    await expect.poll(runs, { timeout: 15_000, interval: 200 }).toMatch(/"interrupted"/);
  });
});

const isAsked = (line: string) => line.startsWith("  yes / no (default) / never:");

describe.skipIf(!hasTmux)("A gate in a terminal", () => {
  it("is asked in place, again after a wrong answer, and the run goes on below", async () => {
    using pane = show({ input: { rounds: 1, asks: true } });
    await pane.untilSeen(/yes \/ no \(default\) \/ never: *$/);
    pane.press("n", "Enter");
    await pane.until((screen) => screen.filter(isAsked).length === 2);
    pane.press("no", "Enter");
    await pane.until((screen) => screen.filter(isAsked).length === 3);
    pane.press("y", "Enter");
    await expectEnd(pane, 0);
    const lines = pane.scrollback();
    expect(untilEnd(lines).slice(2)).toEqual([
      "  iteration 1   1.000         pass as wanted",
      "Take it?",
      "  yes / no (default) / never: n",
      "'n' fits no and never: type more of it",
      "  yes / no (default) / never: no",
      "  answered 'no'",
      "  iteration 2   1.000 +0.000  pass as wanted",
      "Take it?",
      "  yes / no (default) / never: y",
      "  answered 'yes'",
    ]);
  });

  it("takes no key that was typed before it was shown, nor half a line", async () => {
    const cwd = newProject();
    using pane = show({ cwd, input: { rounds: 1, asks: true, holds: 1 } });
    await pane.until(isHeldIn(1));
    pane.press("yes", "Enter", "nev");
    await pane.until(() => pane.raw().includes("nev"));
    letGo(cwd);
    await pane.untilSeen(/yes \/ no \(default\) \/ never: *$/);
    expect(pane.scrollback()).toContain("(what was typed before this question is not taken as its answer)");
    pane.press("yes", "Enter");
    await expectEnd(pane, 0);
    expect(pane.scrollback().filter((line) => line.startsWith("  answered"))).toEqual(["  answered 'yes'"]);
    expect(pane.scrollback()).toContain("  yes / no (default) / never: yes");
  });

  it.each([
    { key: "C-c", left: [" ^C", "stopping; nothing is lost, and Ctrl-C again stops at once"] },
    { key: "C-d", left: [""] },
  ])("that is left with $key waits, and says how to answer it", async ({ key, left: [typed, ...said] }) => {
    using pane = show({ input: { rounds: 1, asks: true } });
    await pane.untilSeen("yes / no");
    pane.press(key);
    await expectEnd(pane, 6);
    const lines = pane.scrollback();
    const end = [`  yes / no (default) / never:${typed}`, ...said, "", "waiting  Take it?"];
    expect(lines.slice(4, 4 + end.length)).toEqual(end);
    expect(lines.join("\n")).toMatch(/^ {2}loopwright answer \S+ yes {2}# /m);
  });
});
