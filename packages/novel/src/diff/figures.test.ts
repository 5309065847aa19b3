import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { premise } from "../../../../test/fakes/book-runs.ts";
import { randomFrom } from "../../../../test/fixtures/novel-repository/random.ts";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { packChange } from "../judging/packs.ts";
import { isUnchanged } from "../manuscript/files/schemas.ts";
import { changedPaths, measureChange } from "./lines.ts";

const file = (path: string, content: string) => ({ path, content });
const chapter = (number: number, content: string) =>
  file(`chapter-beats/chapter-${String(number).padStart(2, "0")}.md`, content);

describe("the figures of a change", () => {
  it("count files, lines and words as they are", () => {
    const before = [file("chapter-beats/foundation.md", "# F\n"), chapter(1, "a b c\nd e\n"), chapter(2, "same\n")];
    const after = [file("chapter-beats/foundation.md", "# F\n"), chapter(1, "a b c\nd e f\ng\n"), chapter(2, "same\n")];
    expect(measureChange(before, after)).toEqual({
      files_changed: 1,
      files_total: 3,
      lines_added: 2,
      lines_removed: 1,
      words_before: 8,
      words_after: 10,
    });
  });

  it("count a file that came and one that went, whole", () => {
    expect(measureChange([chapter(1, "a\nb\n")], [chapter(2, "c\nd\ne\n")])).toMatchObject({
      files_changed: 2,
      files_total: 2,
      lines_added: 3,
      lines_removed: 2,
    });
  });

  it("are nothing where nothing changed, line endings aside", () => {
    const figures = measureChange([chapter(1, "a\r\nb\r\n")], [chapter(1, "a\nb\n")]);
    expect(figures).toMatchObject({ files_changed: 0, lines_added: 0, lines_removed: 0 });
    expect(measureChange([], [])).toMatchObject({ files_changed: 0, files_total: 0, words_after: 0 });
  });

  it("count an empty file that came as a changed file", () => {
    expect(measureChange([], [chapter(1, "")])).toMatchObject({ files_changed: 1, lines_added: 0 });
  });

  it("agree with git's own count on edited chapters", () => {
    const random = randomFrom(11);
    const folder = temporaryFolder();
    for (let round = 0; round < 15; round++) {
      const lines = Array.from({ length: 40 }, (_, at) => `line ${at} ${random(1_000)}`);
      const edited = lines.flatMap((line) =>
        random(6) === 0 ? [] : random(6) === 0 ? [line, `new ${random(1_000_000)}`] : [line],
      );
      const [before, after] = [lines, edited].map((each) => `${each.join("\n")}\n`);
      fill(folder, { a: before!, b: after! });
      const { stdout } = spawnSync("git", ["diff", "--no-index", "--numstat", "a", "b"], { cwd: folder });
      const [added, removed] = stdout.toString().split("\t").map(Number);
      const figures = measureChange([chapter(1, before!)], [chapter(1, after!)]);
      expect([figures.lines_added, figures.lines_removed]).toEqual([added, removed]);
    }
  });
});

describe("the paths that changed", () => {
  it("stand in reading order, also past ninety-nine chapters", () => {
    const numbers = [100, 2, 11, 1, 99];
    const before = numbers.map((number) => chapter(number, "old\n"));
    const after = [...numbers.map((number) => chapter(number, "new\n")), file("chapter-beats/foundation.md", "# F\n")];
    expect(changedPaths(before, after)).toEqual([
      "chapter-beats/foundation.md",
      "chapter-beats/chapter-01.md",
      "chapter-beats/chapter-02.md",
      "chapter-beats/chapter-11.md",
      "chapter-beats/chapter-99.md",
      "chapter-beats/chapter-100.md",
    ]);
  });
});

it("a premise that is only laid out otherwise has not changed, and one value of it that has is one line", () => {
  const path = "premise/premise_metadata.json";
  const reordered = { extra: 1, ...Object.fromEntries(Object.entries(premise).reverse()) };
  const before = [{ path, content: JSON.stringify(reordered) }];
  const after = (value: object) => [{ path, content: `${JSON.stringify({ ...value, extra: 1 }, null, 4)}\n` }];
  expect(changedPaths(before, after(premise))).toEqual([]);
  expect(isUnchanged(before, after(premise))).toBe(true);
  const changed = after({ ...premise, tone: "loud" });
  expect(measureChange(before, changed)).toMatchObject({ files_changed: 1, lines_added: 1, lines_removed: 1 });
  const [shown] = packChange(before, changed, "changes").flat();
  expect(shown!.text.match(/\[\[before/g)).toHaveLength(1);
});
