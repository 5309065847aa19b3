// Parts of a book without a number, levels begun by hand, kept passages through a cull: on an engine with scripted models.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agreeable, begin, bookRun, empty, premise, prose, written } from "../../../../test/fakes/book-runs.ts";
import { subjects } from "../../../../test/fixtures/novel-repository/project.ts";
import { exportEpub, exportMarkdown, importManuscript } from "../exchange/index.ts";
import { bookOf, chaptersToProse, openManuscript } from "../manuscript/index.ts";
import { openRepository } from "../repository/index.ts";

const parts = {
  "chapters/front-matter.md": "For Nora.\n",
  "chapters/prologue.md": "# Prologue\n\nBefore it all, the lamp was lit.\n",
};

describe("front matter and a prologue", () => {
  it("stand before chapter 1, are no chapters in any count, and stay through an iteration of the prose", async () => {
    const { test, folder } = await bookRun({ files: { ...written, ...parts } });
    const before = await openManuscript(folder);
    expect(before.count("prose")).toBe(3);
    expect(before.paths("prose").slice(0, 3)).toEqual([...Object.keys(parts), "chapters/chapter-01.md"]);
    expect((await begin(test, { target: "prose", feedback: ["Make chapter 1 dark"] })).outcome).toBe("done");
    for (const [path, text] of Object.entries(parts)) expect(readFileSync(join(folder, path), "utf8")).toBe(text);
  });

  it("are a person's own where they have no plan: begun by hand, and never stale", async () => {
    const { test, folder } = await bookRun({ files: written });
    const edited = [{ path: "chapters/prologue.md", content: parts["chapters/prologue.md"] }];
    expect((await begin(test, { kind: "edit", target: "prose", edited })).outcome).toBe("done");
    await begin(test, { iteration_id: "it-2" });
    const stale = (await openManuscript(folder)).stale().flatMap(({ files }) => files.map(({ path }) => path));
    expect(stale).toEqual(["chapters/chapter-02.md"]);
  });

  it("go out and come back in without a number", async () => {
    const { folder } = await bookRun({ files: { ...written, ...parts } });
    const book = await bookOf(await openManuscript(folder));
    expect(book.chapters.map(({ title }) => title).slice(0, 3)).toEqual(["", "Prologue", "Chapter 1: Night 1"]);
    expect(book.language).toBe("en");
    const markdown = exportMarkdown(book);
    expect(markdown).toContain("lang: en");
    expect(markdown).not.toContain("Front matter");
    const imported = await importManuscript(new TextEncoder().encode(markdown));
    expect(chaptersToProse(imported.chapters).map(({ path }) => path)).toEqual([
      ...Object.keys(parts),
      ...[1, 2, 3].map((number) => `chapters/chapter-0${number}.md`),
    ]);
    expect(Buffer.from(exportEpub(book)).length).toBeGreaterThan(1000);
  });

  it("of a book whose title the premise has are exported under it", async () => {
    const other = { ...premise, title: "The Last Lamp" };
    const { folder } = await bookRun({
      files: { ...written, "premise/premise_metadata.json": JSON.stringify(other) },
    });
    expect((await bookOf(await openManuscript(folder))).title).toBe("The Last Lamp");
  });
});

describe("a level begun by hand", () => {
  it("is committed as it was written, without a model or a question", async () => {
    const { test, folder, scripted } = await bookRun({ files: empty, answers: {} });
    const edited = [{ path: "premise/premise_metadata.json", content: `${JSON.stringify(premise, null, 2)}\n` }];
    const { outcome } = await begin(test, { kind: "edit", target: "premise", edited });
    expect(outcome).toBe("done");
    expect(scripted.sent).toEqual([]);
    expect(subjects(folder)[0]).toBe("[premise] edit");
  });

  it("may have as few chapters as a person likes", async () => {
    const { test } = await bookRun({ answers: {} });
    const edited = [{ path: "chapters/chapter-01.md", content: prose(1) }];
    expect((await begin(test, { kind: "edit", target: "prose", edited })).outcome).toBe("done");
  });
});

describe("a kept passage", () => {
  const oath = "<!-- keep -->She swore it.<!-- /keep -->";
  const files = { ...written, "chapters/chapter-02.md": prose(2, oath) };

  it("is named by the gate before a cull, set aside by it, and put back to the letter", async () => {
    const { test, folder, scripted } = await bookRun({
      files,
      answers: { ...agreeable, downstream: ["cull-all"] },
      script: {
        "generate-prose": [prose(1), prose(2), prose(2, `At last. ${oath}`), prose(3)],
      },
    });
    const { run } = await begin(test);
    const asked = (await test.chain(run)).find(
      (event) => event.type === "gate-opened" && event.gate.name === "downstream",
    );
    expect(JSON.stringify(asked)).toContain("chapter 2 ('She swore it.')");
    expect(existsSync(join(folder, "chapters/chapter-02.md"))).toBe(false);
    expect((await openManuscript(folder)).setAside).toEqual([
      { path: "chapters/chapter-02.md", passage: "She swore it." },
    ]);
    await begin(test, { kind: "generate", target: "prose", feedback: [], iteration_id: "it-2" });
    const answers = scripted.asked("generate-prose");
    // An answer without the passage is asked for again.
    expect(answers).toHaveLength(4);
    expect(answers[1]!.text).toContain("She swore it.");
    expect(answers[0]!.text).not.toContain("She swore it.");
    const after = await openManuscript(folder);
    expect(after.text("chapters/chapter-02.md")).toContain(oath);
    expect(after.setAside).toEqual([]);
    expect(existsSync(join(folder, "kept_passages.json"))).toBe(false);
  });

  it("comes back with an undo of the cull, and is then not set aside any more", async () => {
    const { test, folder } = await bookRun({ files, answers: { ...agreeable, downstream: ["cull-all"] } });
    await begin(test);
    await (await openRepository(folder)).undo();
    const manuscript = await openManuscript(folder);
    expect([manuscript.setAside, manuscript.text("chapters/chapter-02.md")]).toEqual([[], prose(2, oath)]);
  });

  it("of a chapter that goes is named before the change is accepted, and set aside", async () => {
    const three = { ...written, "chapters/chapter-03.md": prose(3, oath) };
    const { test, folder } = await bookRun({
      files: three,
      script: { "revise-prose": [prose(1, "Dark."), "===UNCHANGED==="] },
    });
    const { run, outcome } = await begin(test, { kind: "generate", target: "prose", feedback: [], chapters: 2 });
    expect(outcome).toBe("done");
    expect(JSON.stringify(await test.chain(run))).toContain("KEPT_SET_ASIDE");
    expect((await openManuscript(folder)).setAside).toHaveLength(1);
  });
});
