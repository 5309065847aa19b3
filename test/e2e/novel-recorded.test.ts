// A novel of five chapters, from an idea to prose: what an agent answered by hand, replayed through a pipe.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyNovel, git, replay } from "../fakes/recorded-novel.ts";

const MINUTE = 60_000;

describe("the recorded novel", () => {
  it("goes from an idea to five chapters of prose, over every level and every gate", {
    timeout: 3 * MINUTE,
  }, async () => {
    using at = emptyNovel("recorded");
    const ended = await replay(at, "recorded");

    const subjects = git(at, "log", "--reverse", "--format=%s").trim().split("\n");
    const levels = subjects.map((subject) => /^\[(\w+)\] (generate$|undo: )?/.exec(subject)?.slice(1).join(" ").trim());
    expect(levels.filter((level) => level !== "project")).toEqual([
      "premise generate",
      "premise",
      "treatment generate",
      "treatment",
      "chapters generate",
      "chapters",
      "prose generate",
      "prose",
      "prose undo:",
      "chapters",
      "premise",
      "prose generate",
      "prose",
      "analysis",
    ]);
    // One was rejected, two took two rounds of the judge, one culled what was below.
    expect(ended.stdout).toContain("[Rejected: the changes were not accepted; the project is as it was]");
    expect(ended.stdout).toContain("✓ Iteration complete (2 judge attempts, approved)");
    expect(ended.stdout).toContain("✓ Prose culled (5 chapters deleted)");
    expect(ended.stdout).toContain("stale, premise changed since");

    expect(git(at, "status", "--short")).toBe("");
    expect(readdirSync(join(at.dir, "novel/chapters")).filter((name) => name.endsWith(".md"))).toHaveLength(5);
    const opening = at
      .read("novel/chapters/chapter-01.md")
      .split("\n\n")[1]!
      .split(/(?<=\.) /)[0]!;
    expect(at.read("novel/chapters/chapter-05.md").trimEnd().endsWith(opening)).toBe(true);
    expect(readdirSync(at.dir).filter((name) => /\.(epub|docx)$/.test(name))).toHaveLength(2);
  });
});
