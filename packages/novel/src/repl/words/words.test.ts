import { describe, expect, it } from "vitest";
import type { Manuscript } from "../../manuscript/files/open.ts";
import {
  culledLine,
  downstreamLines,
  downstreamList,
  messages,
  notFound,
  projectLine,
  readLevel,
  staleLine,
} from "./words.ts";

describe("The words of the REPL", () => {
  it("name a project with what is known of it", () => {
    const told = (project: Partial<Manuscript["project"]>, chapters = 0, words = 0) =>
      projectLine({
        ...{ name: "my-novel", project: { title: "T", ...project } },
        ...{ has: () => chapters > 0, count: () => chapters, words: () => words },
      });
    const project = { genre: "fantasy", target_words: 80_000, chapters: 15 };
    expect(told(project)).toBe("Project: my-novel (fantasy; goal: 80k words, 15 chapters)");
    expect(told(project, 8, 1_234)).toBe(
      "Project: my-novel (fantasy, 8 chapters, 1,234 words; goal: 80k words, 15 chapters)",
    );
    expect(told({})).toBe("Project: my-novel");
    expect(told({ target_words: 500, chapters: 1 })).toBe("Project: my-novel (goal: 500 words, 1 chapter)");
  });

  it("say what is missing as the seed has it", () => {
    expect(messages.noTarget).toBe("No iteration target set. Generate content first with /generate");
    expect(messages.invalidTarget).toBe("Invalid target. Valid targets: premise, treatment, chapters, prose");
    expect(notFound("chapters")).toBe("No chapters found. Generate chapters first with /generate chapters");
  });

  it("list what is below a level", () => {
    const below = [
      { level: "prose" as const, count: 8 },
      { level: "analysis" as const, count: 3 },
    ];
    expect(downstreamLines(below, { target: "chapters", origin: "generated" })).toEqual([
      "⚠️  Downstream content will be affected:",
      "  • Prose (8 chapters generated from current chapters)",
      "  • Analysis (3 analysis reports)",
    ]);
    expect(downstreamLines(below, { target: "chapters", origin: "import" })[1]).toBe(
      "  • Prose (8 chapters, imported)",
    );
    expect(
      downstreamLines(
        [
          { level: "treatment", count: 1 },
          { level: "chapters", count: 15 },
        ],
        { target: "premise", origin: undefined },
      ),
    ).toEqual(["⚠️  Downstream content will be affected:", "  • Treatment", "  • Chapters (15 chapters)"]);
    expect(downstreamList([{ level: "treatment", count: 1 }, ...below])).toBe("treatment, prose (8), analysis (3)");
  });

  it("tell what was done", () => {
    expect(culledLine({ level: "prose", count: 8 })).toBe("Prose culled (8 chapters deleted)");
    expect(culledLine({ level: "treatment", count: 1 })).toBe("Treatment culled (1 file deleted)");
    expect(culledLine({ level: "analysis", count: 1 })).toBe("Analysis culled (1 report deleted)");
    expect(staleLine({ level: "prose", because: ["treatment", "chapters"], files: [] })).toBe(
      "Prose: stale, treatment and chapters changed since",
    );
  });

  it("take a level by an unambiguous beginning", () => {
    expect(readLevel("Chapters")).toBe("chapters");
    expect(readLevel("t")).toBe("treatment");
    expect(readLevel("pro")).toBe("prose");
    expect(readLevel("pr")).toBeUndefined();
    expect(readLevel("")).toBeUndefined();
    expect(readLevel("foo")).toBeUndefined();
  });
});
