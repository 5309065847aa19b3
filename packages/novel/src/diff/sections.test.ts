import { describe, expect, it } from "vitest";
import { randomFrom } from "../../../../test/fixtures/novel-repository/random.ts";
import { type DiffPiece, diffFiles, diffSections } from "./sections.ts";

const textOf = (pieces: readonly DiffPiece[]) => pieces.map(({ text }) => text).join("");
const changedIn = (pieces: readonly DiffPiece[]) => pieces.filter(({ isChanged }) => isChanged).map(({ text }) => text);
/** A paragraph of so many different words. */
const paragraph = (name: string, words: number) =>
  `${Array.from({ length: words }, (_, at) => `${name}${at}`).join(" ")}.`;

describe("the sections of a diff", () => {
  it("are none where nothing changed", () => {
    expect(diffSections("a\n\nb\n", "a\n\nb\n")).toEqual([]);
    expect(diffSections("", "")).toEqual([]);
    expect(diffSections("a\r\nb", "a\nb\n")).toEqual([]);
  });

  it("mark the changed words alone, with the lines of the new version", () => {
    const [section, ...more] = diffSections(
      "# One\n\nThe street was loud.\n",
      "# One\n\nA line.\n\nThe street was quiet.\n",
    );
    expect(more).toEqual([]);
    expect(section).toMatchObject({ title: "Whole text", lines: { from: 3, to: 5 }, isRemoved: false });
    const [, other] = diffSections("Same.\n\nIt was loud here.\nEnd.\n", "Same.\n\nIt was quiet here.\nEnd.\n").concat(
      diffSections("It was loud here.\n", "It was quiet here.\n"),
    );
    expect(changedIn(other!.old)).toEqual(["loud"]);
    expect(changedIn(other!.new)).toEqual(["quiet"]);
    expect(textOf(other!.new)).toBe("It was quiet here.");
  });

  it("are told by scene, and by heading", () => {
    const before = "# One\n\nA red lamp.\n\n***\n\nA red door.\n\n## Later\n\nA red hat.\n\n---\n\nA red end.\n";
    const after = before.replaceAll("red", "blue");
    expect(diffSections(before, after).map(({ title, lines }) => `${title} ${lines.from}-${lines.to}`)).toEqual([
      "Opening Scene, paragraph 1 3-3",
      "Scene 2, paragraph 1 7-7",
      "Later 11-11",
      "Later, Scene 2 15-15",
    ]);
  });

  it("of a chapter without scenes are told by where they are in it", () => {
    const chapter = (changed: readonly number[]) =>
      `# One\n\n${Array.from({ length: 20 }, (_, at) => `It was ${changed.includes(at + 1) ? "dark" : "light"} on day ${at + 1}.`).join("\n\n")}\n`;
    expect(diffSections(chapter([]), chapter([1, 10, 11, 20])).map(({ title }) => title)).toEqual([
      "Opening, paragraph 1 of 20",
      "Middle, paragraphs 10-11 of 20",
      "Ending, paragraph 20 of 20",
    ]);
    expect(diffSections(chapter([]), chapter([]).replace("# One", "# Two")).map(({ title }) => title)).toEqual([
      "Title",
    ]);
  });

  it("are those of the text that is read where a premise is JSON", () => {
    const premise = { title: "A", protagonist: { name: "Ann", want: "peace" }, premise: "She\n\nleft.", stakes: "low" };
    const path = "premise/premise_metadata.json";
    const before = JSON.stringify(premise, null, 2);
    const after = before.replace("Ann", "Eva").replace("left.", "stayed.").replace("low", "high");
    const [file] = diffFiles([{ path, content: before }], [{ path, content: after }]);
    expect(file!.sections.map(({ title, new: now }) => `${title}: ${textOf(now)}`)).toEqual([
      ...["Protagonist: Name: Eva", "Premise: stayed.", "Stakes: high"],
    ]);
  });

  it("show what was only added without an old side, and what was only removed by its old lines", () => {
    const added = diffSections("a\n\nb\n", "a\n\nnew one\n\nb\n");
    expect(added).toEqual([
      expect.objectContaining({ lines: { from: 3, to: 3 }, old: [], new: [{ text: "new one", isChanged: true }] }),
    ]);
    const removed = diffSections("a\n\nold one\n\nb\n", "a\n\nb\n");
    expect(removed).toEqual([
      expect.objectContaining({
        lines: { from: 3, to: 3 },
        isRemoved: true,
        old: [{ text: "old one", isChanged: true }],
      }),
    ]);
    expect(removed[0]!.new).toEqual([]);
  });

  it("show a file that came, and one that went, whole", () => {
    expect(textOf(diffSections("", "# New\n\nText.\n")[0]!.new)).toBe("# New\n\nText.");
    expect(diffSections("# Old\n", "")).toEqual([
      expect.objectContaining({ isRemoved: true, lines: { from: 1, to: 1 } }),
    ]);
  });

  it("join paragraphs that only empty lines part, and part a rewritten chapter at its scenes", () => {
    const before = "One old.\n\nTwo old.\n\n***\n\nThree old.\n";
    const after = "Uno.\n\nDue.\n\n***\n\nTre.\n";
    expect(diffSections(before, after).map(({ new: now }) => textOf(now))).toEqual(["Uno.\n\nDue.", "Tre."]);
  });

  it("take a passage with a few words left for rewritten", () => {
    const [section] = diffSections(
      "Marcus woke as the first rays of sunlight came. He felt ready for the day.\n",
      "Rain. The cell stank of old straw, and the guard had gone without a word to anyone.\n",
    );
    expect(section!.old).toHaveLength(1);
    expect(section!.new).toHaveLength(1);
    expect(section!.new[0]!.isChanged).toBe(true);
  });

  it("take a lone word that is still there amid a new sentence for chance", () => {
    const kept = "Anna walked home slowly under the old trees and sang to herself as she always did.";
    const [section] = diffSections(
      `${kept} He opened the gate with great care.\n`,
      `${kept} Far away bells rang over the frozen harbor twice.\n`,
    );
    expect(changedIn(section!.old)).toEqual(["He opened the gate with great care"]);
    expect(changedIn(section!.new)).toEqual(["Far away bells rang over the frozen harbor twice"]);
  });

  it("cut a long change into passages whose beginnings belong together", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const before = names.map((name) => paragraph(name, 80)).join("\n\n");
    const after = names.map((name) => paragraph(name, 80).replace(`${name}40`, "NEW")).join("\n\n");
    const sections = diffSections(before, after);
    expect(sections.map(({ lines }) => [lines.from, lines.to])).toEqual([
      [1, 3],
      [5, 7],
      [9, 11],
    ]);
    for (const { old, new: now } of sections) {
      expect(changedIn(now)).toEqual(["NEW", "NEW"]);
      expect(changedIn(old)).toHaveLength(2);
      expect(textOf(old).slice(0, 3)).toBe(textOf(now).slice(0, 3));
    }
  });

  it("never tear a picture or a word of a right-to-left script apart", () => {
    const [section] = diffSections("Look: 👩‍👩‍👧 שלום עולם end\n", "Look: 👨‍👩‍👧 שלום חבר end\n");
    expect(changedIn(section!.old)).toEqual(["👩‍👩‍👧", "עולם"]);
    expect(changedIn(section!.new)).toEqual(["👨‍👩‍👧", "חבר"]);
  });

  it("compare scripts without spaces sign by sign", () => {
    const [section] = diffSections("他在黑暗中醒来，心跳很快。\n", "他在阳光中醒来，心跳很快。\n");
    expect(changedIn(section!.new)).toEqual(["阳光"]);
  });

  it("hold every changed word of both versions, whatever they are", () => {
    const random = randomFrom(5);
    const words = ["the", "lamp", "door", "he", "she", "***", "# Head", "", "", "red", "אור", "🕯️"];
    for (let round = 0; round < 200; round++) {
      const lines = () =>
        Array.from({ length: random(12) }, () => Array.from({ length: random(6) }, () => words[random(12)]!).join(" "));
      const before = lines();
      const after = random(3) === 0 ? lines() : before.flatMap((line) => (random(4) === 0 ? lines() : [line]));
      const sections = diffSections(before.join("\n"), after.join("\n"));
      for (const side of ["old", "new"] as const) {
        const rest = sections.map((section) => textOf(section[side]));
        const whole = (side === "old" ? before : after).map((line) => line.trimEnd()).join("\n");
        for (const text of rest) expect(whole.replace(/[ \t]+$/gm, "")).toContain(text.replace(/[ \t]+$/gm, "").trim());
      }
      for (const { lines: at, isRemoved } of sections) {
        expect(at.from).toBeGreaterThanOrEqual(1);
        expect(at.to).toBeGreaterThanOrEqual(at.from);
        expect(at.to).toBeLessThanOrEqual((isRemoved ? before : after).length);
      }
    }
  });

  it("come for each file that differs, in reading order", () => {
    const before = [
      { path: "chapters/chapter-02.md", content: "b\n" },
      { path: "chapters/chapter-01.md", content: "a\n" },
      { path: "chapters/chapter-10.md", content: "same\n" },
    ];
    const after = before.map(({ path, content }) => ({
      path,
      content: content === "same\n" ? content : `${content}c\n`,
    }));
    expect(diffFiles(before, after).map(({ path, sections }) => [path, sections.length])).toEqual([
      ["chapters/chapter-01.md", 1],
      ["chapters/chapter-02.md", 1],
    ]);
  });

  it("of a book of 150,000 words take seconds at most, however much changed", () => {
    const random = randomFrom(9);
    const word = () => `w${Math.floor((random(1_000) * random(1_000)) / 100)}`;
    const old = Array.from({ length: 50 }, () =>
      Array.from({ length: 50 }, () => Array.from({ length: 60 }, word).join(" ")),
    );
    for (const share of [10, 2, 1]) {
      const start = process.cpuUsage().user;
      for (const chapter of old) {
        const now = chapter.map((text) => text.replace(/\w+/g, (each) => (random(share) === 0 ? word() : each)));
        expect(diffSections(chapter.join("\n\n"), now.join("\n\n")).length).toBeGreaterThan(0);
      }
      expect(process.cpuUsage().user - start).toBeLessThan(4_000_000);
    }
  });
});
