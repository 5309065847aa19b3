// A person as the writer: the change goes through judge (if there is one), summary, approval and commit like any other.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  beats,
  bookRun,
  notesOf,
  phasesOf,
  planned,
  premise,
  refused,
} from "../../../test/fakes/book-runs.ts";
import { git, subjects } from "../../../test/fixtures/novel-repository/project.ts";
import type { NovelTask } from "./index.ts";
import { openManuscript } from "./manuscript/files/open.ts";

const path = "chapter-beats/chapter-02.md";
const mine = { path, content: beats(2, "I wrote this myself.") };
const edit: Partial<NovelTask> = { kind: "edit", edited: [mine] };

describe("an edit", () => {
  it("is judged, summarized, accepted and committed, and the writer is never asked", async () => {
    const { start, test, folder, scripted } = await bookRun();
    const { outcome, run } = await start(edit);
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).toEqual([
      ...["check", "read", "write", "judge", "summarize", "accept", "finalize"],
    ]);
    expect(new Set(scripted.sent.map(({ role }) => role))).toEqual(new Set(["judge", "summarizer"]));
    expect(scripted.asked("judge")[0]!.text).toContain("The author made this change by hand.");
    expect(readFileSync(join(folder, path), "utf8")).toBe(mine.content);
    expect(subjects(folder)[0]).toBe("[chapters] edit");
    const [entry] = await (await openManuscript(folder)).history("chapters");
    expect(entry).toMatchObject({ kind: "edit", accepted_by: "user", judge_verdict: "approved" });
    expect(await notesOf(test, run, "generation-began")).toEqual([]);
  });

  it.each([
    ["a line", /([^\n]+)$/],
    ["a part of a line, inside a word too", /(\w+)(?=\.?$)/],
  ])("that only marks %s as kept is committed as it is: nobody is asked, no model either", async (_what, kept) => {
    const { start, test, folder, scripted } = await bookRun();
    const before = readFileSync(join(folder, path), "utf8");
    const content = `${before.trimEnd().replace(kept, "<!-- keep -->$1<!-- /keep -->")}\n`;
    expect(content).toContain("<!-- /keep -->");
    const { outcome, run } = await start({ kind: "edit", edited: [{ path, content }] });
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).toEqual(["check", "read", "write", "finalize"]);
    expect(scripted.sent).toEqual([]);
    expect(readFileSync(join(folder, path), "utf8")).toBe(content);
  });

  it("that holds the value of a key is not committed with a mark in its place", async () => {
    const { start, folder, test } = await bookRun();
    Object.assign(test.ports, { redact: (text: string) => text.replaceAll("wrote this", "[secret]") });
    const { outcome, reason } = await start(edit);
    expect(outcome).toBe("declined");
    expect(reason).toContain("chapter-beats/chapter-02.md holds '[secret]', which stands where the value of a key");
    expect(readFileSync(join(folder, path), "utf8")).not.toContain("[secret]");
  });

  it("of a book that holds the value of a key stops with words, and changes nothing", async () => {
    const { start, folder, test } = await bookRun();
    const before = readFileSync(join(folder, path), "utf8");
    const line = before.trimEnd().split("\n").at(-1)!;
    Object.assign(test.ports, { redact: (text: string) => text.replaceAll(line, "[secret]") });
    const { outcome, reason } = await start(edit);
    expect(outcome).not.toBe("done");
    expect(reason).toContain("The text holds the value of a key, token or password");
    expect(readFileSync(join(folder, path), "utf8")).toBe(before);
  });

  it("takes the words that the person gives it as its subject", async () => {
    const { start, folder } = await bookRun();
    await start({ ...edit, feedback: ["Chapter 2 in my own words"] });
    expect(subjects(folder)[0]).toBe("[chapters] Chapter 2 in my own words");
  });

  it("that the judge does not approve is still the person's to accept, and is not written again by anyone", async () => {
    const { start, test, folder } = await bookRun({ script: { judge: [refused] } });
    const { outcome, run } = await start(edit);
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).not.toContain("consider");
    const [entry] = await (await openManuscript(folder)).history("chapters");
    expect(entry).toMatchObject({ judge_verdict: "needs_revision", accepted_by: "user" });
  });

  it("works without any model: measured figures, approval, commit", async () => {
    const { start, test, folder, scripted } = await bookRun();
    const { outcome, run } = await start({ ...edit, has_judge: false, has_summarizer: false });
    expect(outcome).toBe("done");
    expect(scripted.sent).toEqual([]);
    const [shown] = await notesOf(test, run, "semantic-diff");
    expect(shown).toMatchObject({ figures: { files_changed: 1, files_total: 4 }, is_approved: false });
    expect(shown!.text).toContain("1 of 4");
    const [entry] = await (await openManuscript(folder)).history("chapters");
    expect(entry).toMatchObject({ judge_attempts: 0, judge_verdict: "none", files_changed: 1 });
    expect(entry!.semantic_summary).toContain("1 of 4 files changed");
  });

  it("that is rejected leaves the project as it was, and the text in the debug store", async () => {
    const { start, folder } = await bookRun({ answers: { ...agreeable, accept: ["no"] } });
    const { outcome, state } = await start(edit);
    expect(outcome).toBe("declined");
    expect(readFileSync(join(folder, path), "utf8")).toBe(planned[path]);
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(folder, state.debug, "attempt_1_raw.md"), "utf8")).toContain("I wrote this myself.");
  });

  it("may change a kept passage, and the number of chapters: it is the person's own text", async () => {
    const kept = `${beats(1)}\n<!-- keep -->\nThe oil.\n<!-- /keep -->\n`;
    const { start, folder } = await bookRun({ files: { ...planned, "chapter-beats/chapter-01.md": kept } });
    const edited = [
      { path: "chapter-beats/chapter-01.md", content: kept.replace("The oil.", "The wax.") },
      { path: "chapter-beats/chapter-04.md", content: beats(4) },
    ];
    expect((await start({ kind: "edit", edited })).outcome).toBe("done");
    expect(readFileSync(join(folder, "chapter-beats/chapter-01.md"), "utf8")).toContain("The wax.");
    expect((await openManuscript(folder)).count("chapters")).toBe(4);
  });
});

describe("an edit without its form", () => {
  const cases = [
    ["is unchanged", "chapters", [{ path, content: planned[path]! }], /Nothing was changed/],
    ["lacks headings", "chapters", [{ path, content: "# Chapter 2: Night\n\nIt is dark.\n" }], /lacks: Act/],
    [
      "is a file of another level",
      "chapters",
      [{ path: "notes.md", content: "x" }],
      /notes\.md is no file of the level/,
    ],
    [
      "is no JSON",
      "premise",
      [{ path: "premise/premise_metadata.json", content: JSON.stringify({ ...premise, hook: 1 }) }],
      /hook/,
    ],
  ] as const;
  it.each(cases)(
    "that %s is refused with the reason, and kept where the message says",
    async (_name, target, edited, says) => {
      const { start, test, folder } = await bookRun({ answers: { downstream: ["keep-all"] } });
      const { outcome, reason, run, state } = await start({ kind: "edit", target, edited: [...edited] });
      expect(outcome).toBe("declined");
      expect(reason).toMatch(says);
      const kept = `${state.debug}/attempt_1_raw.md`;
      expect(reason).toContain(kept);
      expect(readFileSync(join(folder, kept), "utf8")).toContain(edited[0]!.content.trim());
      expect(await notesOf(test, run, "format-refused")).toHaveLength(1);
      expect(git(folder, "status", "--porcelain")).toBe("");
    },
  );
});
