import { describe, expect, it } from "vitest";
import type { Manuscript } from "../manuscript/index.ts";
import type { FileBlock } from "../types.ts";
import { showFor } from "./outline.ts";

/** Chapters of 3,000 words, so that three of them fit. */
const filler = "He looked over the water and said what they would have done with the whale that evening. ".repeat(180);
const lines: Readonly<Record<number, string>> = {
  3: "Queequeg sold his shrunken heads. Queequeg smoked. Queequeg slept.",
  5: "Pip leaped from the boat.",
  7: "The chapel was cold. Father Mapple climbed the pulpit by a rope ladder.",
  9: "Queequeg was mentioned.",
  11: "“Better sleep with a sober cannibal than a drunken Christian,” he thought.",
};
const prose: FileBlock[] = Array.from({ length: 12 }, (_, at) => ({
  path: `chapters/chapter-${String(at + 1).padStart(2, "0")}.md`,
  content: `# Chapter ${at + 1}: ${at === 5 ? "The Ramadan" : "Day"}\n\n${lines[at + 1] ?? ""}\n\n${filler}\n`,
}));
const manuscript = { read: async (level: string) => (level === "prose" ? prose : []) } as unknown as Manuscript;

async function shown(question: string, before?: string): Promise<string> {
  return (await showFor(manuscript, question, before)).description.join();
}

describe("The chapters that a question about the book is answered from", () => {
  it.each([
    ["What does Queequeg sell, and where would they have said that?", "the prose of chapters 3, 9 (2 of 12)"],
    ["Who is Pip?", "the prose of chapter 5 (1 of 12)"],
    ["What was said over the pulpit in the chapel?", "the prose of chapter 7 (1 of 12)"],
    ["Who thinks “better sleep with a sober cannibal”?", "the prose of chapter 11 (1 of 12)"],
    ["What happens at the Ramadan?", "the prose of chapter 6 (1 of 12)"],
    ["Wie endet Kapitel 8?", "the prose of chapter 8 (1 of 12)"],
    ["What is in chapters 2-4?", "the prose of chapters 2–4 (3 of 12)"],
    ["Were there 10 whales in chapter two?", "the prose of chapter 2 (1 of 12)"],
  ])("%s", async (question, words) => expect(await shown(question)).toBe(words));

  it("are those of the question before where this one says too little", async () => {
    expect(await shown("And what does he do then?", "Who is Pip?")).toBe("the prose of chapter 5 (1 of 12)");
  });

  it("are the first ones where nothing of it stands anywhere, and never more than fit", async () => {
    expect(await shown("Zanzibar?")).toBe("the prose of chapters 1–3 (3 of 12)");
  });
});
