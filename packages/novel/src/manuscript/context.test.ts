import { countTokens, fitPrompt } from "@loopwright/models";
import { describe, expect, it } from "vitest";
import {
  beatsFile,
  historyEntry,
  proseFile,
  proseFiles,
  sampleProject,
  treatmentFile,
  writeFiles,
} from "../../../../test/fixtures/novel/manuscript.ts";
import { assembleContext, chapterVariables, filesToText } from "./context.ts";
import { openManuscript } from "./files/open.ts";
import { historyChange, iterationChange } from "./history/history.ts";

const entries = (count: number) => Array.from({ length: count }, (_, index) => historyEntry(index + 1));

describe("the context of a level", () => {
  it("is described as people are told it", async () => {
    const folder = sampleProject({ chapters: 15, prose: 8, levels: ["treatment", "chapters", "prose"] });
    writeFiles(folder, [historyChange("chapters", entries(2), historyEntry(3))]);
    const manuscript = await openManuscript(folder);
    const of = async (level: Parameters<typeof assembleContext>[1]) =>
      (await assembleContext(manuscript, level)).description.join(", ");
    expect(await of("chapters")).toBe("taxonomy, treatment, foundation, 15 chapters, 3 previous iterations");
    expect(await of("treatment")).toBe("taxonomy, treatment");
    expect(await of("prose")).toBe("taxonomy, treatment, foundation, 15 chapters, prose of 8 chapters");
  });

  it("holds what is above the level and the level itself, and nothing below", async () => {
    const manuscript = await openManuscript(sampleProject({ chapters: 3 }));
    const { variables } = await assembleContext(manuscript, "treatment");
    expect(variables.premise).toContain("Marcus Vell");
    expect(variables.current).toBe(treatmentFile.content);
    expect(variables.taxonomy).toContain('"tropes"');
    expect([variables.foundation, variables.chapters, variables.below]).toEqual(["", [], ""]);
    const chapters = (await assembleContext(manuscript, "chapters")).variables;
    expect(chapters.chapters.map(({ number, title }) => `${number} ${title}`)).toEqual([
      "1 Chapter 1: Lamp 1",
      "2 Chapter 2: Lamp 2",
      "3 Chapter 3: Lamp 3",
    ]);
    expect(chapters.current).toBe(filesToText(await manuscript.read("chapters")));
    expect(chapters.chapter_count).toBe(3);
  });

  it("of a project with nothing but an idea is small", async () => {
    const manuscript = await openManuscript(
      sampleProject({ levels: [], project: "title: A\nchapters: 7\ntarget_words: 800\n" }),
    );
    const { variables, description } = await assembleContext(manuscript, "premise");
    expect(description).toEqual(["taxonomy"]);
    expect(variables).toMatchObject({ title: "A", genre: "fantasy", chapter_count: 7, target_words: 800, current: "" });
  });

  it("has the text below where the level is to be derived from it", async () => {
    const manuscript = await openManuscript(sampleProject({ levels: ["prose"], prose: 2 }));
    const { variables, description } = await assembleContext(manuscript, "chapters");
    expect(variables.below_level).toBe("prose");
    expect(variables.below).toBe(filesToText(proseFiles(2)));
    expect(description).toEqual(["taxonomy", "the prose below"]);
  });

  it("says what is stale, and which passages may not change", async () => {
    const folder = sampleProject();
    const kept = {
      ...beatsFile(2),
      content: beatsFile(2).content.replace("Unease.", "<!-- keep -->Unease.<!-- /keep -->"),
    };
    writeFiles(folder, [kept]);
    let manuscript = await openManuscript(folder);
    const files = [{ ...treatmentFile, content: treatmentFile.content.replace("first dark", "last bright") }];
    const step = { level: "treatment", files, entry: historyEntry(1), kind: "iterate", isCulled: false } as const;
    writeFiles(folder, (await iterationChange(manuscript, step)).write);
    manuscript = await openManuscript(folder);
    const { variables } = await assembleContext(manuscript, "chapters");
    expect(variables.stale_notes).toEqual(["The chapters were generated from an older version of the treatment."]);
    expect(variables.kept).toEqual(["Unease."]);
    expect((await assembleContext(manuscript, "treatment")).variables.stale_notes).toEqual([]);
    expect((await assembleContext(manuscript, "prose")).variables.stale_notes).toHaveLength(2);
  });

  it("of 200 chapters and 1,000 iterations comes quickly, and is plain data with line feeds alone", async () => {
    const folder = sampleProject({ chapters: 200, prose: 0 });
    writeFiles(folder, [...proseFiles(200, 750), historyChange("prose", entries(999), historyEntry(1_000))]);
    writeFiles(folder, [{ ...proseFile(7), content: proseFile(7).content.replaceAll("\n", "\r\n") }]);
    const manuscript = await openManuscript(folder);
    const began = performance.now();
    const { variables, description } = await assembleContext(manuscript, "prose");
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(description.at(-1)).toBe("1,000 previous iterations");
    expect(JSON.stringify(variables)).not.toContain("\\r");
    expect(variables.history.length).toBeLessThan(20_000);
    expect(variables.history_count).toBe(1_000);
  });

  it("can be fitted into a window: parts are cut and the beats stay", async () => {
    const folder = sampleProject({ chapters: 40, prose: 40 });
    const manuscript = await openManuscript(folder);
    const told = await chapterVariables(manuscript, 40, proseFiles(40), "first");
    const parts = [
      { name: "beats", text: told.beats, priority: 9 },
      { name: "earlier", text: told.earlier_chapters, priority: 1, floor: 0 },
      { name: "last", text: told.last_chapters, priority: 5, floor: 50 },
      { name: "structure", text: told.structure, priority: 2, floor: 100 },
    ];
    const fitted = fitPrompt(parts, { window: 1_500, answer: 300, beside: {} }, "small", countTokens);
    expect(fitted.prompt).toContain("climbs tower 40");
    expect(fitted.cut.map(({ part }) => part)).toContain("earlier");
  });
});

describe("the context of one chapter of prose", () => {
  const revised = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...proseFile(at + 1),
      content: `# Chapter ${at + 1}\n\nNew ${at + 1}.\n`,
    }));

  it("has its beats, the structure of all chapters with the near ones whole, and the chapters before it", async () => {
    const manuscript = await openManuscript(
      sampleProject({ chapters: 12, prose: 12, project: "title: A\ntarget_words: 24000\n" }),
    );
    const told = await chapterVariables(manuscript, 4, revised(12), "first");
    expect(told).toMatchObject({ number: 4, title: "Chapter 4: Lamp 4", words_wanted: 2_000, later_chapters: "" });
    expect(told.beats).toBe(beatsFile(4).content);
    expect(told.structure).toContain(beatsFile(3).content.trim());
    expect(told.structure).toContain(beatsFile(5).content.trim());
    expect(told.structure).not.toContain(beatsFile(6).content.trim());
    expect(told.structure.match(/^(?:\d+\. |# )Chapter \d+/gm)).toHaveLength(11);
    expect(told.structure).toMatch(
      /^1\. Chapter 1: Lamp 1: Marcus climbs tower 1 and finds the lantern broken Ysolde warns/,
    );
    expect(told.current).toBe("# Chapter 4\n\nNew 4.\n");
    expect(told.earlier_chapters).toBe("# Chapter 1\n\nNew 1.");
    expect(told.last_chapters).toBe("# Chapter 2\n\nNew 2.\n\n# Chapter 3\n\nNew 3.");
  });

  it("has the prose on both sides of it in a revision, and where many are revised, where they touch it", async () => {
    const manuscript = await openManuscript(sampleProject({ chapters: 12, prose: 12 }));
    const near = await chapterVariables(manuscript, 4, revised(12), "near");
    expect(near.last_chapters).toBe("# Chapter 3\n\nNew 3.");
    expect(near).toMatchObject({ earlier_chapters: "", later_chapters: "# Chapter 5\n\nNew 5." });
    const long = proseFiles(12, 2_000);
    const edges = await chapterVariables(manuscript, 4, long, "edges");
    expect(edges.last_chapters.length).toBeLessThan(1_300);
    expect(edges.last_chapters.endsWith(long[2]!.content.trim().slice(-50))).toBe(true);
    expect(edges.later_chapters.startsWith(long[4]!.content.trim().slice(0, 50))).toBe(true);
    expect(edges.structure.match(/^\d+\. /gm)).toHaveLength(6);
  });

  it("of an imported book without beats tells the other chapters in their own sentences", async () => {
    const manuscript = await openManuscript(sampleProject({ levels: ["prose"], prose: 10 }));
    const told = await chapterVariables(manuscript, 10, proseFiles(10), "first");
    expect(told).toMatchObject({ beats: "", title: "Chapter 10: Lamp 10", words_wanted: 0 });
    expect(told.structure).toMatch(/^1\. Chapter 1: Lamp 1: \S/);
    expect((await chapterVariables(manuscript, 1, proseFiles(10), "first")).last_chapters).toBe("");
  });
});
