import { describe, expect, it } from "vitest";
import { fakeTerminal, scriptedInput } from "../../../../../test/fakes/novel-terminal.ts";
import { diffSections } from "../../diff/sections.ts";
import { Output } from "../words/output.ts";
import { pageFiles, pageSections } from "./pager.ts";

const scenes = (words: string) =>
  `# Chapter 3\n\n${words} one.\n\n***\n\nThe same.\n\nThe same.\n\nThe same.\n\n***\n\n${words} two.\n`;
const three = { path: "chapters/chapter-03.md", sections: diffSections(scenes("Old"), scenes("New")) };
const four = { path: "chapters/chapter-04.md", sections: diffSections("# Four\n\nBright.\n", "# Four\n\nDark.\n") };

describe("The pager", () => {
  it("shows a section at a time, with a heading for each file, until the last", async () => {
    const { terminal, printed } = fakeTerminal();
    const input = scriptedInput("", "");
    await pageSections([three, four], new Output(terminal), input);
    expect(input.asked.map(({ prompt }) => prompt)).toEqual([
      "Press Enter for next section, 'q' to return to summary: ",
      "Press Enter for next section, 'q' to return to summary: ",
    ]);
    expect(printed().match(/━━━ .* ━━━/g)).toEqual([
      "━━━ Chapter 3: Detailed Changes ━━━",
      "━━━ Chapter 4: Detailed Changes ━━━",
    ]);
    expect(printed()).toMatch(/OLD:\n {4}Old one\.\n\n {2}NEW:\n {4}New one\.[\s\S]*New two\.[\s\S]*Dark\./);
  });

  it("takes no words that were meant for a question, and says so", async () => {
    const { terminal, printed } = fakeTerminal();
    const input = scriptedInput("no, because it is too cute", "", "q");
    await pageSections([three, four], new Output(terminal), input);
    expect(printed()).toContain("Not taken here: 'no, because it is too cute'");
    expect(input.asked).toHaveLength(3);
  });

  it("ends at q, at skip, and at the end of input", async () => {
    for (const lines of [["q"], ["Quit"], ["skip"], []]) {
      const { terminal, printed } = fakeTerminal();
      await pageSections([three, four], new Output(terminal), scriptedInput(...lines));
      expect(printed()).toContain("New one.");
      expect(printed()).not.toContain("New two.");
    }
  });

  it("marks the words that changed, and nothing of a text acts on the terminal", async () => {
    const { terminal, printed } = fakeTerminal({ isColored: true });
    const sections = diffSections("# A\n\nHe smiled.\n", "# A\n\nHe \u001B[2Jfrowned.\n");
    await pageSections([{ path: "chapters/chapter-01.md", sections }], new Output(terminal), scriptedInput());
    expect(printed()).toContain("He <red>smiled");
    expect(printed()).toContain("He <green>frowned");
    expect(printed()).not.toContain("\u001B");
  });

  it("says so where there is nothing to show", async () => {
    const { terminal, printed } = fakeTerminal();
    await pageSections([], new Output(terminal), scriptedInput());
    expect(printed()).toContain("[Nothing has changed there]");
  });

  it("asks nothing with --json", async () => {
    const { terminal, printed } = fakeTerminal({ isJson: true });
    const input = scriptedInput();
    await pageSections([three], new Output(terminal), input);
    expect(input.asked).toEqual([]);
    expect(printed()).toContain("New two.");
  });
});

const lines = (count: number) => Array.from({ length: count }, (_, at) => `Line ${at + 1}.`).join("\n");

/** Chapters read at a terminal of 24 rows, of which 21 are a page. */
async function read(...keys: string[]) {
  const { terminal, printed } = fakeTerminal({ isTTY: true });
  const input = Object.assign(scriptedInput(...keys), { isInteractive: true });
  const chapters = [
    { title: "Chapter 1", text: lines(50) },
    { title: "Chapter 2", text: lines(2) },
  ];
  await pageFiles(chapters, new Output(terminal), input);
  return { text: printed(), asked: input.asked.map(({ prompt }) => prompt) };
}

describe("A chapter at a terminal", () => {
  it("is read a screen at a time, and the next one after it", async () => {
    const { text, asked } = await read("", "");
    expect(asked).toEqual(Array(2).fill("Press Enter for more, 'q' to stop: "));
    expect(text).toContain("Line 50.");
    expect(text).toContain("━━━ Chapter 2 ━━━");
  });

  it("ends at q, and at the end of input", async () => {
    for (const keys of [["q"], []]) {
      const { text } = await read(...keys);
      expect(text).toContain("Line 21.\n");
      expect(text).not.toContain("Line 22.");
      expect(text).not.toContain("Chapter 2");
    }
  });
});
