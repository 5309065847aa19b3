import { expect, it } from "vitest";
import { surveyLevel } from "./survey.ts";

const filler = (number: number) =>
  Array.from(
    { length: 150 },
    (_, at) => `The morning of day ${number} went by slowly, as mornings went there, number ${at}.`,
  ).join(" ");
const chapter = (number: number, text: string) => ({
  path: `chapters/chapter-${String(number).padStart(2, "0")}.md`,
  content: `# Chapter ${number}\n\n${filler(number)}\n\n${text}\n\n${filler(number)}\n`,
});
const long = [
  chapter(1, "Old Pell hid the chronometer beneath the floorboards."),
  chapter(2, "Nobody spoke of it at supper, and Ned leaned on the gate."),
  chapter(3, "In the end Pell confessed everything to the harbour master."),
  chapter(4, "It rained."),
];
const feedback = ["Pell should bury the chronometer"];

it("shows a short level whole, and a long one in sentences that only the file has", () => {
  const short = [{ path: "chapters/chapter-01.md", content: "# Chapter 1\n\nPell sat.\n" }];
  expect(surveyLevel("prose", short, [], { feedback })[0]).toMatchObject({ digest: "", mentions: "" });
  expect(surveyLevel("prose", short, [], { feedback })[0]!.text).toContain("Pell sat.");
  const [first, , third] = surveyLevel("prose", long, [], { feedback });
  expect(first!.text).toBe("");
  expect(first!.digest).toContain("chronometer");
  expect(third!.digest).toContain("harbour master");
  expect(first!.digest.length).toBeLessThanOrEqual(3_000);
});

it("tells where words of the feedback stand that tell files apart, and what the reader looked for instead", () => {
  const told = surveyLevel("prose", long, [], { feedback });
  expect(told[0]!.mentions).toContain("chronometer ×1");
  expect(told[3]!.mentions).toBe("");
  const looked = surveyLevel("prose", long, [], { feedback, words: ["confess", "ned"] });
  expect(looked[0]!.mentions).toBe("");
  expect(looked[1]!.mentions).toMatch(/^ned ×1 \(".*Ned leaned on the gate\..*"\)$/);
  expect(looked[2]!.mentions).toContain("confess ×1");
});

it("opens the files that the reader must read", () => {
  const opened = surveyLevel("prose", long, [], { feedback, open: [long[1]!.path] });
  expect(opened.map(({ text }) => text !== "")).toEqual([false, true, false, false]);
});
