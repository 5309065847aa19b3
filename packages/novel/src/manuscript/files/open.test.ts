import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  beatsFiles,
  historyEntry,
  novelFolder,
  proseFiles,
  sampleProject,
  writeFiles,
} from "../../../../../test/fixtures/novel/manuscript.ts";
import { historyChange } from "../history/history.ts";
import { openManuscript } from "./open.ts";

describe("an opened project", () => {
  it("knows its levels, their files in order, and how many chapters they have", async () => {
    const manuscript = await openManuscript(sampleProject({ chapters: 12, prose: 3 }));
    expect(manuscript.has("treatment")).toBe(true);
    expect(manuscript.paths("chapters").slice(0, 2)).toEqual([
      "chapter-beats/foundation.md",
      "chapter-beats/chapter-01.md",
    ]);
    expect(manuscript.paths("chapters").at(-1)).toBe("chapter-beats/chapter-12.md");
    expect([manuscript.count("chapters"), manuscript.count("prose"), manuscript.count("premise")]).toEqual([12, 3, 1]);
    expect((await manuscript.read("prose"))[0]!.content).toContain("# Chapter 1: Lamp 1");
    expect(manuscript.project).toEqual({ title: "The Lantern Road", genre: "fantasy" });
    expect(manuscript.taxonomy?.tropes).toEqual(["chosen"]);
    expect(manuscript.notes).toEqual([]);
  });

  it("has the most downstream level that exists as its target", async () => {
    const targetOf = async (options: Parameters<typeof sampleProject>[0]) =>
      (await openManuscript(sampleProject(options))).target();
    expect(await targetOf({})).toBe("prose");
    expect(await targetOf({ levels: ["premise", "treatment", "chapters"] })).toBe("chapters");
    expect(await targetOf({ levels: ["premise"] })).toBe("premise");
    expect(await targetOf({ levels: [] })).toBeUndefined();
  });

  it("tells what lies below a level, the nearest first, the analysis last", async () => {
    const folder = sampleProject({ chapters: 15, prose: 8 });
    writeFiles(folder, [
      { path: "analysis/phrases.md", content: "# Names\n" },
      { path: "analysis/findings.json", content: "{}\n" },
    ]);
    const manuscript = await openManuscript(folder);
    expect(manuscript.downstreamOf("chapters")).toEqual([
      { level: "prose", count: 8 },
      { level: "analysis", count: 1 },
    ]);
    expect(manuscript.downstreamOf("premise").map(({ level, count }) => `${level} ${count}`)).toEqual([
      "treatment 1",
      "chapters 15",
      "prose 8",
      "analysis 1",
    ]);
  });

  it("sorts chapters by number, past 99 and past 100", async () => {
    const folder = sampleProject({ chapters: 201, prose: 120 });
    const manuscript = await openManuscript(folder);
    const paths = manuscript.paths("prose");
    expect(paths.indexOf("chapters/chapter-100.md")).toBe(99);
    expect(paths.slice(98, 101)).toEqual([
      "chapters/chapter-99.md",
      "chapters/chapter-100.md",
      "chapters/chapter-101.md",
    ]);
    expect(manuscript.count("chapters")).toBe(201);
  });

  it("counts words as wc does, and none of a comment", async () => {
    const folder = sampleProject({ levels: [] });
    writeFiles(folder, [
      { path: "chapters/chapter-01.md", content: "# One — two\n\n<!-- keep -->It's *dark*…<!-- /keep -->\n\n***\n" },
    ]);
    expect((await openManuscript(folder)).words("prose")).toBe(7);
  });

  it("names files that look like chapters and are not read, and gaps", async () => {
    const folder = sampleProject({ levels: [] });
    for (const name of [
      "chapter-1.md",
      "Chapter 2.md",
      "chapter-003.md",
      "chapter-02.md",
      "chapter-04.md",
      "notes.md",
    ]) {
      writeFiles(folder, [{ path: `chapters/${name}`, content: "# X\n\ntext\n" }]);
    }
    const { notes, paths } = await openManuscript(folder);
    expect(paths("prose")).toEqual(["chapters/chapter-02.md", "chapters/chapter-04.md"]);
    expect(notes).toEqual([
      "chapters/Chapter 2.md is not read: a chapter's file is named chapters/chapter-02.md.",
      "chapters/chapter-003.md is not read: a chapter's file is named chapters/chapter-03.md.",
      "chapters/chapter-1.md is not read: a chapter's file is named chapters/chapter-01.md.",
      "chapters/chapter-01.md is missing between other chapters.",
      "chapters/chapter-03.md is missing between other chapters.",
    ]);
  });

  it("is a picture of the project as it was then", async () => {
    const folder = sampleProject();
    const manuscript = await openManuscript(folder);
    writeFiles(folder, proseFiles(9));
    rmSync(join(folder, "treatment"), { recursive: true });
    expect(manuscript.count("prose")).toBe(3);
    expect(await manuscript.read("treatment")).toHaveLength(1);
    expect((await openManuscript(folder)).count("prose")).toBe(9);
  });

  it("reads text byte for byte, whatever its script and line ends", async () => {
    const folder = sampleProject({ levels: [] });
    const content = "\uFEFF# الفصل الأول\r\n\r\nهذا نص 🕯️ «مع» اقتباس.\r\n";
    writeFiles(folder, [{ path: "chapters/chapter-01.md", content }]);
    const [file] = await (await openManuscript(folder)).read("prose");
    expect(Buffer.from(file!.content)).toEqual(readFileSync(join(folder, "chapters/chapter-01.md")));
  });

  it("opens 200 chapters and 1,000 iterations well within 300 ms", async () => {
    const folder = sampleProject({ levels: [] });
    writeFiles(folder, [...beatsFiles(200), ...proseFiles(200, 750)]);
    const entries = Array.from({ length: 1_000 }, (_, index) => historyEntry(index + 1));
    writeFiles(folder, [historyChange("prose", entries.slice(0, -1), entries.at(-1)!)]);
    await openManuscript(folder);
    const began = performance.now();
    const manuscript = await openManuscript(folder);
    const history = await manuscript.history("prose");
    manuscript.stale();
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(history).toHaveLength(1_000);
  });
});

describe("a project that is wrong", () => {
  const fails = (folder: string) =>
    openManuscript(folder).then(
      () => "opened",
      (error: Error) => error.message,
    );

  it("is refused where it is no project, with what to type", async () => {
    const folder = novelFolder();
    await expect(openManuscript(folder)).rejects.toMatchObject({
      name: "UsageError",
      code: "NOVEL_MISSING",
      message: `${folder} is no novel project: it has no project.yaml. Make one with /new <name>, or with loopwright init --loop novel.`,
    });
    expect(await fails(join(folder, "nowhere"))).toContain(`there is no folder ${join(folder, "nowhere")}`);
  });

  it.each([
    ["title: [", ":1: this is not YAML"],
    ["genre: fantasy\n", ":1: 'title' is missing"],
    ["title: A\nchapters: many\n", ":2: 'chapters'"],
    ["title: A\ngenre: B\nflavor: red\n", ":3: 'flavor' is no key of it: it has title, author"],
    ["title: '  '\n", ":1: 'title': it is empty"],
    ["title: A\nanalysis:\n  banned_phrases: none\n", ":3: 'analysis.banned_phrases'"],
    ["", ":1: 'title' is missing"],
  ])("names the line in project.yaml: %j", async (project, message) => {
    const folder = sampleProject({ project });
    expect(await fails(folder)).toContain(`${join(folder, "project.yaml")}${message}`);
  });

  it("names the line in taxonomy.json and staleness.json", async () => {
    const folder = sampleProject();
    writeFiles(folder, [{ path: "taxonomy.json", content: '{\n  "genre": "fantasy",\n  "subgenres": "many"\n}\n' }]);
    expect(await fails(folder)).toMatch(/taxonomy\.json:3: subgenres: /);
    writeFiles(folder, [{ path: "taxonomy.json", content: '{\n  "genre": "fantasy",\n}\n' }]);
    expect(await fails(folder)).toMatch(/taxonomy\.json:3: this is not JSON: Expected/);
    rmSync(join(folder, "taxonomy.json"));
    writeFiles(folder, [{ path: "staleness.json", content: '{"files": {"analysis": {"chapters": "x"}}}' }]);
    expect(await fails(folder)).toMatch(/staleness\.json:1: files\.analysis\.chapters: /);
  });

  it("says which file is no UTF-8, and where", async () => {
    const folder = sampleProject();
    const bytes = Buffer.concat([Buffer.from("# Eins\n\nDie Tür f"), Buffer.from([0xfc]), Buffer.from("r alle.\n")]);
    writeFileSync(join(folder, "chapters/chapter-02.md"), bytes);
    expect(await fails(folder)).toContain(`${join(folder, "chapters/chapter-02.md")}:3: this is not UTF-8`);
  });

  it("says which file cannot be read", async () => {
    const folder = sampleProject();
    mkdirSync(join(folder, "chapters/chapter-09.md"));
    expect(await fails(folder)).toMatch(/chapters\/chapter-09\.md cannot be read/);
  });

  it("takes a link that leads nowhere for a file that is not there", async () => {
    const folder = sampleProject({ prose: 2 });
    symlinkSync(join(folder, "gone.md"), join(folder, "chapters/chapter-03.md"));
    expect((await openManuscript(folder)).paths("prose")).toHaveLength(2);
  });
});
