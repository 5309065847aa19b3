import { describe, expect, it } from "vitest";
import { fakeTerminal, scriptedInput } from "../../../../../test/fakes/novel-terminal.ts";
import { Output } from "../words/output.ts";
import { pageFiles } from "./text-pager.ts";

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
