import { describe, expect, it } from "vitest";
import {
  beatsFile,
  beatsFiles,
  premiseFile,
  premiseValue,
  proseFile,
  treatmentFile,
} from "../../../../../test/fixtures/novel/manuscript.ts";
import type { FileBlock } from "../../types.ts";
import { filesToText } from "../context.ts";
import type { FormatOptions } from "../format/text.ts";
import { readAnswer, readChapter } from "./answer.ts";

const project = { title: "The Lantern Road" };
const first: FormatOptions = { previous: [], project, isFirst: true };
const revised = (previous: readonly FileBlock[], feedback = "Make it darker"): FormatOptions => ({
  previous,
  project,
  isFirst: false,
  feedback: [feedback],
});
const darker = ({ path, content }: FileBlock): FileBlock => ({ path, content: content.replace("Unease", "Dread") });
const ten = beatsFiles(10);

describe("an answer of several files", () => {
  it("becomes the files of the level, and a change of those that differ", () => {
    const files = ten.map((file, index) => (index === 3 ? darker(file) : file));
    const read = readAnswer("chapters", filesToText(files), revised(ten));
    expect(read.problems).toEqual([]);
    expect(read.files).toEqual(files);
    expect(read.change).toEqual({ write: [files[3]], remove: [] });
  });

  it("is understood in the forms in which models write marks and paths", () => {
    const text = filesToText(ten.map(darker))
      .replace("===FILE: chapter-beats/chapter-01.md===", "=== FILE: `chapter-1.md` ===")
      .replace("===FILE: chapter-beats/chapter-02.md===", "**===FILE: beats/chapter-002.md===**")
      .replace("===FILE: chapter-beats/chapter-03.md===", "===file: Chapter 3.md===");
    expect(readAnswer("chapters", text, revised(ten)).files).toEqual(ten.map(darker));
  });

  it("may be wrapped in one code fence, whole or file by file", () => {
    const whole = `\`\`\`markdown\n${filesToText(ten.map(darker))}\n\`\`\``;
    const each = filesToText(
      ten.map(darker).map((file) => ({ ...file, content: `\`\`\`md\n${file.content}\`\`\`\n` })),
    );
    for (const text of [whole, each, `Here you are:\n${whole}\nEnjoy!`]) {
      expect(readAnswer("chapters", text, revised(ten)).files).toEqual(ten.map(darker));
    }
  });

  it("may have thought before it, and end marks left out between files", () => {
    const text = `<think>===FILE: x===</think>\n${filesToText(ten.map(darker)).replace("===END FILE===\n", "")}`;
    expect(readAnswer("chapters", text, revised(ten)).files).toEqual(ten.map(darker));
  });

  it("may say which files stay as they are", () => {
    const text = `${filesToText(ten.slice(0, 2).map(darker))}\n${ten
      .slice(2)
      .map(({ path }) => `===UNCHANGED: ${path}===`)
      .join("\n")}`;
    const read = readAnswer("chapters", text, revised(ten));
    expect(read.files).toHaveLength(11);
    expect(read.change?.write.map(({ path }) => path)).toEqual(["chapter-beats/chapter-01.md"]);
    const stray = readAnswer("chapters", `${text}\n===UNCHANGED: chapter-11.md===`, revised(ten));
    expect(stray.problems).toEqual(["chapter-beats/chapter-11.md is said to be unchanged, and there was none."]);
  });

  it("with nine chapters instead of ten is refused, and says what to do", () => {
    const { problems, files, change } = readAnswer("chapters", filesToText(ten.slice(0, 10).map(darker)), revised(ten));
    expect(problems).toEqual([
      "There are 9 chapters where there must be 10. Missing: chapter-beats/chapter-10.md. If the feedback asks for another number of chapters, say so with a line ===CHAPTERS: 9=== before the first file.",
    ]);
    expect([files, change]).toEqual([undefined, undefined]);
  });

  it("names the chapter that is missing in the middle", () => {
    const files = ten.filter(({ path }) => !path.endsWith("-04.md"));
    const { problems } = readAnswer("chapters", filesToText(files), revised(ten));
    expect(problems[0]).toContain("Missing: chapter-beats/chapter-04.md.");
  });

  it("with fewer chapters removes the surplus, where the writer says so", () => {
    const text = filesToText(ten.slice(0, 10).map(darker));
    const surplus = ["chapter-beats/chapter-10.md"];
    expect(readAnswer("chapters", text, revised(ten, "Merge chapters 9 and 10")).problems[0]).toContain(
      "===CHAPTERS: 9===",
    );
    const declared = `===CHAPTERS: 9===\n${text}`;
    expect(readAnswer("chapters", declared, revised(ten, "Fasse die letzten beiden zusammen")).change?.remove).toEqual(
      surplus,
    );
    expect(readAnswer("chapters", `===CHAPTERS: 8===\n${text}`, revised(ten)).problems[0]).toContain(
      "There are 9 chapters where there must be 8",
    );
  });

  it("must have the number of chapters that project.yaml or the caller wants", () => {
    const text = filesToText(ten);
    expect(readAnswer("chapters", text, first).problems).toEqual([]);
    expect(readAnswer("chapters", text, { ...first, project: { ...project, chapters: 12 } }).problems[0]).toContain(
      "There are 10 chapters where there must be 12.",
    );
    expect(readAnswer("chapters", text, { ...first, chapters: 9 }).problems[0]).toContain("there must be 9");
  });

  it("that stops in the middle of a file is refused", () => {
    const text = filesToText(ten.map(darker));
    const { problems } = readAnswer("chapters", text.slice(0, text.lastIndexOf("## Hook")), revised(ten));
    expect(problems).toEqual([
      "The answer stops in the middle of chapter-beats/chapter-10.md: it has no ===END FILE===. Give all files to their end.",
    ]);
  });

  it("is refused at whatever place it is cut off", () => {
    const text = filesToText(ten.map(darker));
    for (let end = 0; end < text.length - 1; end += 97) {
      expect(readAnswer("chapters", text.slice(0, end), revised(ten)).problems, `cut at ${end}`).not.toEqual([]);
    }
  });

  it("that is the old text is refused, also with other line ends", () => {
    const message = ["The answer is the old text, unchanged. Carry out the feedback and give the new text."];
    expect(readAnswer("chapters", filesToText(ten), revised(ten)).problems).toEqual(message);
    expect(readAnswer("chapters", filesToText(ten).replaceAll("\n", "  \r\n"), revised(ten)).problems).toEqual(message);
  });

  it("keeps the line ends that each file had", () => {
    const old = ten.map((file, index) =>
      index % 2 ? { ...file, content: file.content.replaceAll("\n", "\r\n") } : file,
    );
    const read = readAnswer("chapters", filesToText(ten.map(darker)), revised(old));
    expect(read.files![1]!.content).toContain("Dread.\r\n");
    expect(read.files![2]!.content).not.toContain("\r");
    expect(read.change!.write).toHaveLength(10);
  });

  it.each([
    ["", "The answer is empty."],
    ["<think>hm</think>", "The answer is empty."],
    ["I have made all chapters darker.", "The answer holds no files."],
    [
      filesToText([...ten, { path: "../../.bashrc", content: "x\n" }]),
      "'../../.bashrc' is no file of the level 'chapters'.",
    ],
    [filesToText([...ten, { path: "chapters/notes.md", content: "x\n" }]), "'chapters/notes.md' is no file"],
    [filesToText([...ten, darker(ten[2]!)]), "chapter-beats/chapter-02.md is given twice with different texts"],
    [`${filesToText(ten)}\n# Chapter 11: Dawn\n\nText.`, "'Chapter 11: Dawn' stands outside all files."],
    [filesToText(ten.map((file, at) => (at === 5 ? { ...file, content: "\n" } : file))), "chapter-05.md is empty"],
    [filesToText(ten.slice(1)), "chapter-beats/foundation.md is missing."],
  ])("is refused with a clear word: case %#", (text, problem) => {
    const { problems, change } = readAnswer("chapters", text, revised(ten));
    expect(problems.join("\n")).toContain(problem);
    expect(change).toBeUndefined();
  });

  it("of 200 chapters is read in good time, and tells not more problems than are of use", () => {
    const files = beatsFiles(200);
    const began = performance.now();
    expect(readAnswer("chapters", filesToText(files.map(darker)), revised(files)).change!.write).toHaveLength(200);
    expect(performance.now() - began).toBeLessThan(1_000);
    const bare = files.map(({ path }) => ({ path, content: "# Title\n\nText\n" }));
    const { problems } = readAnswer("chapters", filesToText(bare), revised(files));
    expect(problems).toHaveLength(13);
    expect(problems.at(-1)).toMatch(/^There are \d+ more problems/);
  });
});

describe("an answer that is a premise", () => {
  it("is JSON in any of its usual wrappings, and is written in one form", () => {
    const { hook, ...rest } = premiseValue;
    const text = JSON.stringify({ hook, ...rest });
    for (const answer of [
      text,
      `\`\`\`json\n${text}\n\`\`\``,
      `Sure!\n${text}`,
      `===FILE: premise/premise_metadata.json===\n${text}\n===END FILE===`,
    ]) {
      expect(readAnswer("premise", answer, first).files).toEqual([premiseFile]);
    }
  });

  it("is refused with what is missing", () => {
    const { stakes: _, ...rest } = premiseValue;
    expect(readAnswer("premise", JSON.stringify(rest), first).problems[0]).toContain("stakes");
    expect(readAnswer("premise", JSON.stringify({ ...premiseValue, themes: [] }), first).problems[0]).toContain(
      "themes",
    );
    expect(readAnswer("premise", premiseFile.content.slice(0, 300), first).problems[0]).toContain("ends too early");
  });

  it("that is the old one is refused", () => {
    expect(readAnswer("premise", premiseFile.content, revised([premiseFile])).problems[0]).toContain("unchanged");
  });
});

describe("an answer that is a treatment", () => {
  const text = treatmentFile.content;

  it("is its plain text, with or without a wrapping", () => {
    const answers = [
      text,
      `\`\`\`markdown\n${text}\`\`\``,
      `Voici le traitement, en trois actes :\n\n${text}`,
      `Here it is:\n\n\`\`\`markdown\n${text}\`\`\`\n\nTell me what you think.`,
      `===FILE: treatment/treatment.md===\n${text}===END FILE===`,
      text.replaceAll("\n", "\r\n"),
      `\uFEFF${text}`,
    ];
    for (const answer of answers) expect(readAnswer("treatment", answer, first).files).toEqual([treatmentFile]);
  });

  it("keeps a fenced letter inside the story, and an epigraph before the title where there was one", () => {
    const letter = text.replace("He crosses the flooded market.", "He reads:\n\n```\nCome home.\n```\n\nHe goes.");
    expect(readAnswer("treatment", letter, first).files![0]!.content).toBe(letter);
    const old = { ...treatmentFile, content: `The sea gives.\n\n${text}` };
    const given = old.content.replace("flooded", "dry");
    expect(readAnswer("treatment", given, revised([old])).files![0]!.content).toBe(given);
  });

  it.each([
    [text.replace("# The Lantern Road\n\n", ""), "does not begin with a title"],
    ["# The Lantern Road\n\nA man walks and walks.\n", "has no heading for each act"],
    [text.replace("He crosses the flooded market.\n\n", ""), "'Act II' has nothing under it"],
    [`${text}And then, when the water had come up to the ninth step of`, "stops in the middle of a sentence"],
  ])("is refused with a clear word: case %#", (answer, problem) => {
    expect(readAnswer("treatment", answer, revised([treatmentFile])).problems.join("\n")).toContain(problem);
  });
});

describe("an answer that is one chapter of prose", () => {
  const { path, content } = proseFile(3);

  it("becomes its file, also where it is as it was", () => {
    expect(readChapter(content, { number: 3 })).toEqual({ file: { path, content }, problems: [] });
    expect(readChapter(`\`\`\`\n${content}\`\`\``, { number: 3, previous: { path, content } }).file!.content).toBe(
      content,
    );
  });

  it("gets the title that is known where it has none", () => {
    const { file } = readChapter("It rained all night.\n", { number: 3, title: "Chapter 3: Rain" });
    expect(file!.content).toBe("# Chapter 3: Rain\n\nIt rained all night.\n");
    expect(readChapter("It rained all night.\n", { number: 3 }).problems[0]).toContain("does not begin with a title");
  });

  it("is refused where it is nothing, or truncated", () => {
    expect(readChapter(" ", { number: 3 }).problems).toEqual(["The answer is empty."]);
    expect(readChapter("# Chapter 3: Rain\n", { number: 3 }).problems[0]).toContain("a title and no text");
    const truncated = `${content}\nMarcus went down the ninety steps to the water and`;
    expect(readChapter(truncated, { number: 3 }).problems[0]).toContain("stops in the middle of a sentence");
    const two = filesToText([proseFile(3), proseFile(4)]);
    expect(readChapter(two, { number: 3 }).problems[0]).toContain("holds 2 files");
  });

  it("may keep the number of an imported book that counts in another way", () => {
    const previous = { path, content: "# Chapter 12\n\nIt rained.\n" };
    expect(readChapter("# Chapter 12\n\nIt poured.\n", { number: 3, previous }).problems).toEqual([]);
    expect(readChapter("It poured.\n", { number: 3, previous: { path, content: "It rained.\n" } }).problems).toEqual(
      [],
    );
  });

  it("is taken in any script, with emoji, verses and a last word", () => {
    const texts = [
      "# الفصل الثالث\n\nكان الليل طويلاً. ثم جاء الفجر.\n\n«من أنت؟»\n",
      "# 第三章\n\n雨が降っていた。\n\n「誰だ？」\n",
      "# Rain 🌧️\n\nIt rained. She smiled 🙂\n\nHe did not smile at all, not even once that year 🕯️\n",
      "# Verse\n\nThe lamp is low\nthe night is long\nand no one knows the way we go along\n",
      "# End\n\nIt was over. It really was, and everyone knew it.\n\nThe End\n",
    ];
    for (const text of texts)
      expect(readChapter(text, { number: 3 })).toEqual({ file: { path, content: text }, problems: [] });
  });
});

describe("whatever a writer answers", () => {
  it("is read or refused, and never throws", () => {
    const pieces = [
      "===FILE: ",
      "chapter-01.md",
      "===",
      "===END FILE===",
      "```",
      "\n",
      "# ",
      "<!-- keep -->",
      "<think>",
      "\r\n",
      "\u202e",
      "🕯️",
      "{",
      '"title":',
      "\\",
      "\0",
      "## Act",
    ];
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 400; round++) {
      const text = Array.from({ length: next(40) }, () => pieces[next(pieces.length)]).join("");
      for (const level of ["premise", "treatment", "chapters", "prose"] as const) {
        const { problems, files } = readAnswer(level, text, revised([beatsFile(1)]));
        expect(problems.length > 0).toBe(files === undefined);
        expect(problems.every((problem) => problem.trim() !== "")).toBe(true);
      }
    }
  });

  it("takes time by its length, not by its square", () => {
    const began = performance.now();
    for (const text of [
      "=".repeat(300_000),
      "===FILE:".repeat(40_000),
      `${" ".repeat(300_000)}x`,
      "# ".repeat(100_000),
      "`".repeat(300_000),
      `<!--${"<!--".repeat(50_000)}`,
    ]) {
      for (const level of ["treatment", "chapters", "prose"] as const) readAnswer(level, text, first);
    }
    expect(performance.now() - began).toBeLessThan(4_000);
  });
});
