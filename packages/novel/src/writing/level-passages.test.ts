// A plan or a treatment that is revised by its passages: what is not quoted stays byte for byte.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agreeable, beats, blocks, bookRun, notesOf, planned, written } from "../../../../test/fakes/book-runs.ts";

const passage = (quoted: string, becomes: string) =>
  `===PASSAGE===\n${quoted}\n===BECOMES===\n${becomes}\n===END PASSAGE===\n`;
const file = (number: number, content: string) =>
  `===FILE: chapter-beats/chapter-0${number}.md===\n${content}===END FILE===\n`;
const rest = (...names: string[]) => names.map((name) => `===UNCHANGED: chapter-beats/${name}.md===\n`).join("");
const feedback = ["Let the lamp go out in chapters 2 and 3"];

it("Files of a plan are given by their passages, whole, or both", async () => {
  const { start, folder } = await bookRun({
    files: written,
    script: {
      revise: [
        `${rest("foundation", "chapter-01")}${file(2, passage("Mara lights the lamp.", "Mara lets the lamp go out."))}${blocks({ "chapter-beats/chapter-03.md": beats(3, "It is dark.") })}`,
      ],
    },
    answers: agreeable,
  });
  expect((await start({ feedback })).outcome).toBe("done");
  const read = (number: number) => readFileSync(join(folder, `chapter-beats/chapter-0${number}.md`), "utf8");
  expect(read(2)).toBe(
    planned["chapter-beats/chapter-02.md"]!.replace("Mara lights the lamp.", "Mara lets the lamp go out."),
  );
  expect(read(3)).toBe(beats(3, "It is dark."));
});

it("A passage that does not stand in its file is asked for again, with the file's name", async () => {
  const { start, folder, scripted, test } = await bookRun({
    files: written,
    script: {
      revise: [
        [passage("A bell rings.", "No bell."), passage("Mara lights the lamp.", "No lamp.")].map(
          (given) => `${rest("foundation", "chapter-01", "chapter-03")}${file(2, given)}`,
        ),
      ].flat(),
    },
    answers: agreeable,
  });
  const { run, outcome } = await start({ feedback: ["Let the lamp go out in chapter 2"] });
  expect(outcome).toBe("done");
  expect(scripted.asked("revise")[1]!.text).toContain(
    "chapter-beats/chapter-02.md: The passage 'A bell rings.' does not stand in the text",
  );
  expect(await notesOf(test, run, "answer-refused")).toHaveLength(1);
  expect(readFileSync(join(folder, "chapter-beats/chapter-02.md"), "utf8")).toContain("No lamp.");
});

it("A treatment is given by its passages, and the next attempt quotes what the last one made", async () => {
  const path = "treatment/treatment.md";
  const line = written[path]!.match(/The ship is saved\./)![0];
  const { start, folder, scripted } = await bookRun({
    files: written,
    script: { revise: [passage(line, "The ship is lost."), passage("The ship is lost.", "The ship burns.")] },
    answers: { ...agreeable, accept: ["again: still too mild", "yes"] },
  });
  expect((await start({ target: "treatment", feedback: ["Let it end badly"] })).outcome).toBe("done");
  expect(scripted.asked("revise")[0]!.text).toContain("give only the passages that change");
  expect(readFileSync(join(folder, path), "utf8")).toBe(written[path]!.replace(line, "The ship burns."));
});
