// Which files feedback reaches: what its own words say, what is measured, what the writer is asked, what a person makes of it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  beats,
  begin,
  blocks,
  bookRun,
  notesOf,
  phasesOf,
  prose,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { digestKey, digestOf } from "./digest.ts";
import { digestsOf } from "./digest-cache.ts";
import { mentionsOf } from "./mentions.ts";
import { namedFiles } from "./named.ts";
import { filesWith, renamedName } from "./renamed.ts";
import { fileCalled, filesInWords, readChange, readFileList } from "./words.ts";

const paths = [
  "chapter-beats/foundation.md",
  ...Array.from({ length: 12 }, (_, at) => `chapter-beats/chapter-${String(at + 1).padStart(2, "0")}.md`),
];
const at = (...numbers: number[]) => numbers.map((number) => paths[number]!);

describe("feedback that names chapters by number", () => {
  it.each([
    ["Make chapter 3 darker", [3]],
    ["Chapter three drags: cut the middle of it", [3]],
    ["the ending of chapter 12 is too neat", [12]],
    ["Make chapters 3, 5 and 7 shorter", [3, 5, 7]],
    ["Chapters 4-6 need more rain", [4, 5, 6]],
    ["Rewrite the last chapter", [12]],
    ["the first chapter starts too slowly", [1]],
    ["Kapitel 3 ist zu hell", [3]],
  ])("needs no reader: %s", (feedback, numbers) => {
    expect(namedFiles([feedback], paths)).toEqual(at(...numbers));
  });

  it.each([
    "Make the ending more ambiguous",
    "Also make chapter 7 reflect the consequences of chapter 3",
    "After chapter 3 she should be afraid of water",
    "From chapter 4 onwards he limps",
    "Make chapter 3 darker and follow it through in the rest of the book",
    "Make it like chapter 2 everywhere",
    "Make chapter 40 darker",
  ])("takes a reader where more may be meant, or less: %s", (feedback) => {
    expect(namedFiles([feedback], paths)).toBeUndefined();
  });

  it("needs none only where each item of a batch names its own", () => {
    expect(namedFiles(["Make chapter 3 darker", "Shorten chapter 5"], paths)).toEqual(at(3, 5));
    expect(namedFiles(["Make chapter 3 darker", "Keep the ending"], paths)).toBeUndefined();
  });
});

describe("a name that is replaced", () => {
  it("is found in the feedback, and in every file that has it to the letter", () => {
    expect(renamedName(["Rename Marcus to Tobias"])).toBe("Marcus");
    expect(renamedName(["change the name of Anna Weiss to Berta"])).toBe("Anna Weiss");
    expect(renamedName(["Change Mara's name to Ada"])).toBe("Mara");
    expect(renamedName(["Change Mara to be braver"])).toBeUndefined();
    const files = [
      { path: "a", content: "Marcus slept." },
      { path: "b", content: "Marcuson slept, and marcus." },
      { path: "c", content: "It was Marcus's." },
    ];
    expect(filesWith("Marcus", files)).toEqual(["a", "c"]);
  });
});

describe("what the question shows of a file", () => {
  const files = [
    {
      path: "chapters/chapter-01.md",
      content: "# One\n\nMara found the letter under the stair. She hid it.\n\nThe rain went on.\n",
    },
    { path: "chapters/chapter-02.md", content: "# Two\n\nNobody wrote. Mara slept.\n" },
  ];

  it("names exact mentions, and gives the sentences in which rarer words of the feedback stand", () => {
    const found = mentionsOf(["Mara should burn the letters"], files);
    expect(found.get(files[0]!.path)).toEqual(["Mara ×1, letters ×1", "“Mara found the letter under the stair.”"]);
    expect(found.get(files[1]!.path)).toEqual(["Mara ×1"]);
  });

  it("has a digest of its own sentences, the first and the last among them, within its length", () => {
    const long = {
      path: "x",
      content: `# T\n\n${Array.from({ length: 300 }, (_, n) => `Sentence ${n} speaks of lanterns and harbors.`).join(" ")}`,
    };
    const { title, text } = digestOf(long);
    expect(title).toBe("T");
    expect(text.startsWith("Sentence 0 ")).toBe(true);
    expect(text).toContain("Sentence 299 ");
    expect(text.length).toBeLessThan(800);
    expect(digestOf(long)).toEqual(digestOf(long));
  });

  it("keeps digests by the hash of the text: made once, and made again where the file of them is damaged", async () => {
    const folder = temporaryFolder();
    const first = await digestsOf(folder, files);
    const kept = JSON.parse(readFileSync(join(folder, ".agentic/digests.json"), "utf8"));
    expect(Object.keys(kept)).toEqual(files.map(digestKey));
    kept[digestKey(files[0]!)].text = "kept";
    writeFileSync(join(folder, ".agentic/digests.json"), JSON.stringify(kept));
    expect((await digestsOf(folder, files))[0]!.text).toBe("kept");
    writeFileSync(join(folder, ".agentic/digests.json"), "{");
    expect(await digestsOf(folder, files)).toEqual(first);
    // Another text of the same length is another text.
    const other = { ...files[1]!, content: files[1]!.content.replace("slept", "swept") };
    expect((await digestsOf(folder, [other]))[0]!.text).toContain("Mara swept.");
  });

  it("is sent for every file of the level: title, plan, digest and mentions", async () => {
    const named = [1, 2, 3].map((n): [string, string] => [`chapter-beats/chapter-0${n}.md`, beats(n, `Event ${n}.`)]);
    const { start, scripted } = await bookRun({
      files: { ...written, ...Object.fromEntries(named), "chapters/chapter-03.md": prose(3, "Only here it snowed.") },
      script: { reach: [reaches("chapter-2")], "revise-prose": [prose(2, "The horn warned her.")] },
    });
    await start({ ...iterate, feedback: ["It snowed too early"] });
    const { text } = scripted.asked("reach")[0]!;
    for (const n of [1, 2, 3])
      expect(text).toMatch(new RegExp(`Chapter ${n}: Night ${n} \\(\\d+ words\\)\nPlanned: Event ${n}\\.`));
    expect(text.match(/In its own words: Mara climbed the stairs/g)).toHaveLength(3);
    expect(text.match(/Words of the feedback: .*“Only here it snowed\.”/g)).toHaveLength(1);
  });
});

describe("feedback that no file can be meant by", () => {
  it("is told what is missing where it names a chapter that is not there, before any model is asked", async () => {
    const { start, scripted } = await bookRun({ files: written });
    expect(await start({ ...iterate, feedback: ["In chapter 77 make the rain heavier"] })).toMatchObject({
      outcome: "declined",
      reason: "there is no chapter 77: the book has 3",
    });
    expect(scripted.sent).toEqual([]);
  });

  it("is not meant by the numbers of a question that it answers", async () => {
    const { start, scripted } = await bookRun({ files: written, script: { reach: [reaches("chapter-2")] } });
    await start({ ...iterate, feedback: ['The end (said of "Better", when asked "In chapter 77, or in chapter 1?")'] });
    expect(scripted.asked("reach")).toHaveLength(1);
  });

  it("is the author's to place where the writer finds it nowhere, and written nowhere unless they do", async () => {
    const none = { json: { files: [], none: "There is no giraffe in the book." } };
    const asked = await bookRun({
      files: written,
      script: { reach: [none], "revise-prose": [prose(2, "A giraffe.")] },
      answers: { ...agreeable, reach: ["add: 2", "yes"] },
    });
    expect((await asked.start({ ...iterate, feedback: ["The giraffe should be taller"] })).outcome).toBe("done");
    const left = await bookRun({ files: written, script: { reach: [none] }, answers: { reach: [] } });
    const { gate } = await left.start({ ...iterate, feedback: ["The giraffe should be taller"] });
    expect(gate!.question).toBe(
      "No file is proposed: There is no giraffe in the book. Which are to be written (add 3, 5-7), all of them, or cancel?",
    );
  });
});

describe("a writer who wants other words looked for", () => {
  const files = { ...written, "chapters/chapter-03.md": prose(3, "A gull cried over the sea.") };
  const wants = { json: { look_for: ["gull", "over the sea", "tern", "..."] } };

  it("is asked once more, with the sentences found", async () => {
    const { start, scripted, test } = await bookRun({
      files,
      script: { reach: [wants, reaches("chapter-3")], "revise-prose": [prose(3, "Nothing cried.")] },
    });
    const { run } = await start({ ...iterate, feedback: ["No birds anywhere"] });
    const [first, second] = scripted.asked("reach").map(({ text }) => text);
    expect(first).toContain("give `look_for` alone");
    expect(first).not.toContain("Words of the feedback");
    expect(second).toContain("gull ×1, over the sea ×1 · “A gull cried over the sea.”");
    // What stands there with another ending is found.
    expect(second).toContain("Found nowhere: tern. Now answer.");
    expect(second).not.toContain("give `look_for` alone");
    expect(await notesOf(test, run, "reach-looked")).toEqual([{ words: ["gull", "over the sea", "tern"] }]);
    expect((await notesOf(test, run, "reach-proposed"))[0]!.files).toMatchObject([{ path: "chapters/chapter-03.md" }]);
  });

  it("is asked for an answer the second time", async () => {
    const { start, scripted } = await bookRun({
      files,
      script: { reach: [wants, wants, reaches("chapter-3")], "revise-prose": [prose(3, "Nothing cried.")] },
    });
    expect((await start({ ...iterate, feedback: ["No birds anywhere"] })).outcome).toBe("done");
    expect(scripted.asked("reach")[2]!.text).toContain("No file is named");
  });
});

describe("files as people call them", () => {
  it("are found however they are written", () => {
    for (const name of ["chapter-3", "Chapter 3", "3", "03", "three", "chapter-03.md", "chapter-beats/chapter-03.md"])
      expect(fileCalled(name, paths), name).toBe(paths[3]);
    expect(fileCalled("foundation", paths)).toBe(paths[0]);
    expect(fileCalled("chapter 99", paths)).toBeUndefined();
    expect(fileCalled("the sea", paths)).toBeUndefined();
  });

  it("are read from a list, with what of it is none", () => {
    expect(readFileList("5, 7-9 and the foundation", paths)).toEqual({ files: at(0, 5, 7, 8, 9), unknown: [] });
    expect(readFileList("chapters 2 and 4", paths)).toEqual({ files: at(2, 4), unknown: [] });
    expect(readFileList("3 to 5", paths).files).toEqual(at(3, 4, 5));
    expect(readFileList("Kapitel 2 und die Grundlagen", paths)).toEqual({ files: at(0, 2), unknown: [] });
    expect(readFileList("chapitres 3 et 5", paths).files).toEqual(at(3, 5));
    expect(readChange("auch Kapitel 3", paths)).toEqual({ choice: "add", list: "Kapitel 3" });
    expect(readChange("nicht die Grundlagen", paths)).toEqual({ choice: "drop", list: "die Grundlagen" });
    expect(readFileList("3, 99", paths)).toEqual({ files: at(3), unknown: ["99"] });
  });

  it("are told in a few words", () => {
    expect(filesInWords(at(3))).toBe("chapter 3");
    expect(filesInWords(at(0, 1, 2, 3, 7))).toBe("the foundation and chapters 1–3, 7");
  });
});

const iterate = { target: "prose" as const, feedback: ["Let the horn be a warning"] };
const reaches = (...files: string[]) => ({
  json: { files: files.map((file) => ({ file, why: "the horn sounds there" })) },
});

describe("an iteration", () => {
  it("writes the files that are reached and no others, which stay to the letter and are not sent whole", async () => {
    const files = { ...written, "chapters/chapter-03.md": prose(3, "Nobody else may read this sentence.") };
    const { start, test, scripted, folder } = await bookRun({
      files,
      script: { reach: [reaches("chapter-2")], "revise-prose": [prose(2, "The horn warned her.")] },
    });
    const { outcome, run, state } = await start({ ...iterate });
    expect(outcome).toBe("done");
    expect(scripted.sent.map(({ id }) => id)).toEqual(["reach", "revise-prose", "judge", "semantic-diff"]);
    expect(state.reach).toMatchObject({ files: ["chapters/chapter-02.md"], is_all: false, by: "model" });
    expect(state.attempts[0]!.wrote).toEqual(["chapters/chapter-02.md"]);
    expect(readFileSync(join(folder, "chapters/chapter-03.md"), "utf8")).toBe(files["chapters/chapter-03.md"]);
    expect(await notesOf(test, run, "reach-proposed")).toMatchObject([
      { of: 3, files: [{ why: "the horn sounds there" }] },
    ]);
    expect((await phasesOf(test, run)).slice(0, 2)).toEqual(["reach", "check"]);
  });

  it("asks no model where a chapter is named, and shows what it will write all the same", async () => {
    const { start, scripted } = await bookRun({ files: written, answers: { reach: [] } });
    const { gate } = await start({ target: "prose", feedback: ["Make chapter 3 darker"] });
    expect(gate).toMatchObject({ name: "reach", choices: ["yes", "all", "add", "drop", "cancel"], default: "yes" });
    expect(gate!.question).toBe("The feedback reaches chapter 3 (1 of 3). Write these?");
    expect(scripted.sent).toEqual([]);
  });

  it("comes to the question of what is below only after it", async () => {
    const { start, test } = await bookRun({ files: written, answers: {} });
    const { gate, run } = await start();
    expect(gate?.name).toBe("downstream");
    expect(await phasesOf(test, run)).toEqual(["reach"]);
  });

  it("of one file asks nothing of the kind", async () => {
    const { start, test } = await bookRun();
    const { run } = await start({ target: "treatment", feedback: ["Add a betrayal"] });
    expect(await notesOf(test, run, "reach-proposed")).toEqual([]);
  });

  it("lets a person add and drop files, and says what cannot be", async () => {
    const said = ["add: 1, 9", "add: 3", "drop: 2", "drop: 3", "yes"];
    const { test, scripted, ports } = await bookRun({
      files: written,
      script: { reach: [reaches("chapter-2")], "revise-prose": [prose(3, "The horn warned her.")] },
    });
    const own = test.other({
      ...ports,
      answers: ({ name, default: fallback }) => {
        if (name !== "reach") return { choice: name === "accept" ? "yes" : fallback, by: "flag" };
        const [choice, note] = said.shift()!.split(": ");
        return { choice: choice!, ...(note && { note }), by: "flag" };
      },
    });
    const { state, outcome, run } = await begin(own, { ...iterate });
    expect(outcome).toBe("done");
    expect(state.reach!.files).toEqual(["chapters/chapter-03.md"]);
    expect((await notesOf(own, run, "reach-refused")).map(({ message }) => message)).toEqual([
      "there is no '9' among chapters 1–3",
      "nothing would be left to write: 'cancel' drops the iteration",
    ]);
    expect(scripted.asked("revise-prose")).toHaveLength(1);
  });

  it("writes the whole level where a person says all, and nothing where they cancel", async () => {
    const all = await bookRun({
      files: written,
      script: { reach: [reaches("chapter-2")] },
      answers: { reach: ["all"], detail: ["skip"], accept: ["yes"] },
    });
    expect((await all.start({ ...iterate })).state.reach).toMatchObject({ is_all: true });
    expect(all.scripted.asked("revise-prose")).toHaveLength(3);
    const none = await bookRun({ files: written, answers: { reach: ["cancel"] } });
    expect(await none.start({ ...iterate })).toMatchObject({ outcome: "declined", state: { decision: "cancelled" } });
  });

  it("proposes nothing where nobody could say, and all where feedback changes which chapters there are", async () => {
    const lost = await bookRun({ files: written, script: { reach: ["I do not know"] }, answers: { reach: [] } });
    const { gate, run } = await lost.start({ ...iterate });
    expect(gate).toMatchObject({ choices: ["all", "add", "cancel"], default: "cancel" });
    expect(gate!.question).toMatch(
      /^No file is proposed: the writer could not say which files the feedback reaches\. Which are to be written/,
    );
    expect(await notesOf(lost.test, run, "warning")).toMatchObject([{ code: "REACH_UNREADABLE" }]);
    const structure = await bookRun({ files: written, answers: { reach: [] } });
    const merged = await structure.start({ feedback: ["Merge chapters 2 and 3"] });
    expect(merged.state.reach ?? merged.gate!.question).toBe(
      "The feedback reaches all 4 files of 'chapters'. Write them all?",
    );
    expect(structure.scripted.sent).toEqual([]);
  });
});

describe("a plan of which one chapter is reached", () => {
  const chapters = { feedback: ["Make chapter 2 darker"] };
  const one = (number: number, events: string) =>
    blocks({ [`chapter-beats/chapter-0${number}.md`]: beats(number, events) });

  it("is asked for that file alone, with the others in short, and read also out of a code fence", async () => {
    const script = { revise: [`\`\`\`markdown\n${one(2, "It goes out.")}\`\`\``] };
    const { start, scripted, folder } = await bookRun({ script });
    expect((await start(chapters)).outcome).toBe("done");
    const { text } = scripted.asked("revise")[0]!;
    expect(text).toContain(
      "Give these files\nand no others, each as it is to be from now on: chapter-beats/chapter-02.md.",
    );
    expect(text).toContain("- chapter-3 (Chapter 3: Night 3): (Mara) Mara lights the lamp.");
    expect(text.match(/## Emotional Beat\n\nFear\./g)).toHaveLength(1);
    expect(readFileSync(join(folder, "chapter-beats/chapter-02.md"), "utf8")).toContain("It goes out.");
  });

  it("keeps the others to the letter whatever the writer gives, and says so", async () => {
    const script = { revise: [one(2, "It goes out.") + one(3, "It stays out.")] };
    const { start, test, folder } = await bookRun({ script });
    const { outcome, run } = await start(chapters);
    expect(outcome).toBe("done");
    expect(readFileSync(join(folder, "chapter-beats/chapter-03.md"), "utf8")).toBe(beats(3));
    expect(await notesOf(test, run, "warning")).toMatchObject([{ code: "ANSWER_STRAYED" }]);
  });

  it("is not taken where only others were changed", async () => {
    const { start, scripted } = await bookRun({ script: { revise: [one(3, "It goes out."), one(2, "It goes out.")] } });
    expect((await start(chapters)).outcome).toBe("done");
    expect(scripted.asked("revise")).toHaveLength(2);
  });
});

describe("a judge who sees a contradiction in a file that nobody touched", () => {
  const contradiction = {
    json: {
      verdict: "approved",
      reasoning: "Met.",
      elsewhere: [{ file: "chapter-3", contradiction: "The horn is joyful there." }],
    },
  };
  const fine = { json: { verdict: "approved", reasoning: "Met." } };
  const script = {
    reach: [reaches("chapter-2")],
    "revise-prose": [prose(2, "The horn warned her."), prose(3, "The horn had warned her.")],
    judge: [contradiction, fine],
  };

  it("opens the question anew: what is added is written, and the rest stays as the attempt has it", async () => {
    const { start, test, scripted, folder } = await bookRun({ files: written, script });
    const { outcome, run, state } = await start({ ...iterate });
    expect(outcome).toBe("done");
    expect(scripted.asked("revise-prose")).toHaveLength(2);
    expect(state.attempts.map(({ wrote }) => wrote)).toEqual([["chapters/chapter-02.md"], ["chapters/chapter-03.md"]]);
    expect((await notesOf(test, run, "reach-proposed"))[1]!.because).toEqual([
      { path: "chapters/chapter-03.md", why: "The horn is joyful there." },
    ]);
    expect(readFileSync(join(folder, "chapters/chapter-02.md"), "utf8")).toContain("The horn warned her.");
    expect(readFileSync(join(folder, "chapters/chapter-03.md"), "utf8")).toContain("The horn had warned her.");
  });

  it("leaves the attempt as it is where a person does not want more", async () => {
    const { start, scripted } = await bookRun({
      files: written,
      script,
      answers: { reach: ["yes", "cancel"], detail: ["skip"], accept: ["yes"] },
    });
    expect((await start({ ...iterate })).outcome).toBe("done");
    expect(scripted.asked("revise-prose")).toHaveLength(1);
  });

  it("opens it twice and no more", async () => {
    const files = Object.fromEntries(
      [4, 5, 6].flatMap((n) => [
        [`chapters/chapter-0${n}.md`, prose(n)],
        [`chapter-beats/chapter-0${n}.md`, beats(n)],
      ]),
    );
    const names = (file: string) => ({
      json: { verdict: "approved", reasoning: "Met.", elsewhere: [{ file, contradiction: "x" }] },
    });
    const { start, scripted, test } = await bookRun({
      files: { ...written, ...files },
      script: {
        ...script,
        judge: [names("3"), names("4"), names("5")],
        "revise-prose": [2, 3, 4].map((n) => prose(n, "The horn warned her.")),
      },
    });
    const { outcome, run } = await start({ ...iterate });
    expect(outcome).toBe("done");
    expect(scripted.asked("revise-prose")).toHaveLength(3);
    expect(await notesOf(test, run, "reach-proposed")).toHaveLength(3);
  });
});

describe("the next attempt", () => {
  it("writes only the files that the judge found wanting", async () => {
    const no = {
      json: { verdict: "needs_revision", reasoning: "Not yet.", specific_issues: ["x"], revise: ["chapter-3"] },
    };
    const { start, scripted, folder } = await bookRun({
      files: written,
      script: {
        reach: [reaches("chapter-2", "chapter-3")],
        "revise-prose": [prose(2, "Warned."), prose(3, "Half."), prose(3, "Whole.")],
        judge: [no, { json: { verdict: "approved", reasoning: "Met." } }],
      },
      answers: { continue: ["yes"], detail: ["skip"], accept: ["yes"] },
    });
    expect((await start({ ...iterate })).outcome).toBe("done");
    expect(scripted.asked("revise-prose")).toHaveLength(3);
    expect(readFileSync(join(folder, "chapters/chapter-02.md"), "utf8")).toContain("Warned.");
    expect(readFileSync(join(folder, "chapters/chapter-03.md"), "utf8")).toContain("Whole.");
    // The chapter is told once, with what it was under what the attempt made of it.
    const last = scripted.asked("revise-prose").at(-1)!.text;
    expect(last.split("A horn sounded from the dark.").length - 1).toBeLessThanOrEqual(3);
    expect(last).toContain("[[before: ");
  });
});
