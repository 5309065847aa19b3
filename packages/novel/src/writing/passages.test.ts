import { describe, expect, it } from "vitest";
import { hasPassages, revisePassages } from "./passages.ts";

const chapter =
  "# Chapter 1: Night\n\nMara climbed the stairs. The lamp burned low,\nand the wind rose. She waited.\n\n" +
  "“Who is there?” she said. It’s cold.\n\n***\n\nA horn sounded. She waited.\n";

const block = (quoted: string, becomes: string) =>
  `===PASSAGE===\n${quoted}\n===BECOMES===\n${becomes}\n===END PASSAGE===\n`;

/** The chapter with its passages replaced. */
function revised(answer: string, text = chapter): string {
  const { content, problems } = revisePassages(answer, text);
  expect(problems).toEqual([]);
  return content!;
}

const problemsOf = (answer: string, text = chapter) => revisePassages(answer, text).problems;

describe("a passage", () => {
  it("is replaced where it stands, and all else stays", () => {
    const answer = block("A horn sounded.", "No horn sounded.");
    expect(revised(answer)).toBe(chapter.replace("A horn", "No horn"));
  });

  it("may have its lines broken elsewhere, and other spaces", () => {
    const joined = block("The lamp burned low, and the wind rose.", "The lamp was out.");
    const broken = block("The lamp  burned\nlow, and the\u00a0wind\nrose.\n", "\n\nThe lamp was out.\n");
    const wanted = chapter.replace(/The lamp[\s\S]*rose\./, "The lamp was out.");
    expect(revised(joined)).toBe(wanted);
    expect(revised(broken)).toBe(wanted);
    const dash = "It was—\nshe knew it—late.\n";
    expect(revised(block("It was—she knew it—late.", "It was late."), dash)).toBe("It was late.\n");
  });

  it("may go over several paragraphs, with or without the empty lines between them", () => {
    const wanted = "# Chapter 1: Night\n\nNobody came.\n\n***\n\nA horn sounded. She waited.\n";
    const whole = chapter.slice(chapter.indexOf("Mara"), chapter.indexOf("\n\n***"));
    expect(revised(block(whole, "Nobody came."))).toBe(wanted);
    expect(revised(block(whole.replace(/\s+/g, " "), "Nobody came."))).toBe(wanted);
  });

  it("may be quoted with straight quotation marks for curly ones, and the other way round", () => {
    const wanted = chapter.replace(/“Who[\s\S]*cold\./, "Nobody spoke.");
    expect(revised(block(`"Who is there?" she said. It's cold.`, "Nobody spoke."))).toBe(wanted);
    expect(revised(block("„Wer da?“, sagte sie.", "Still."), `Kalt. "Wer da?", sagte sie.\n`)).toBe("Kalt. Still.\n");
  });

  it("may have its accents as one sign or as two", () => {
    const text = "Ma\u0308rz war es. Kalt war es.\n";
    expect(revised(block("M\u00e4rz war es.", "Mai war es."), text)).toBe("Mai war es. Kalt war es.\n");
  });

  it("differs in nothing else", () => {
    expect(problemsOf(block("a horn sounded.", "x"))).toHaveLength(1);
    expect(problemsOf(block("A horn sounded!", "x"))).toHaveLength(1);
    expect(problemsOf(block("Mara climbed … She waited.", "x"))).toHaveLength(1);
  });

  it("is never a part of a word", () => {
    expect(problemsOf(block("she", "Mara"), "Washes. Ashes.\n")[0]).toContain("does not stand in the text");
    expect(revised(block("she", "Mara"), "Ashes, she said.\n")).toBe("Ashes, Mara said.\n");
  });

  it("that is not there is named, with what to do", () => {
    const long = `The lamp was bright${" and bright".repeat(30)}.`;
    expect(problemsOf(block(long, "x"))).toEqual([
      expect.stringMatching(
        /^The passage 'The lamp was bright and .{1,60}…' does not stand in the text: quote it as it stands there/,
      ),
    ]);
  });

  it("that stands there more than once is named, with what to do", () => {
    expect(problemsOf(block("She waited.", "x"))).toEqual([
      "The passage 'She waited.' stands in the text 2 times: quote more of what is around it, so that it stands there once.",
    ]);
    expect(revised(block("A horn sounded. She waited.", "Silence."))).toContain("***\n\nSilence.\n");
  });

  it("takes its replacement as it is, whatever signs it has", () => {
    expect(revised(block("A horn sounded.", "$& cost $1 \\n."))).toContain("\n$& cost $1 \\n. She");
  });
});

describe("a passage that goes", () => {
  it("leaves no gap in its paragraph", () => {
    const first = chapter.replace("Mara climbed the stairs. ", "");
    const middle = chapter.replace("The lamp burned low,\nand the wind rose. ", "");
    const last = chapter.replace(" It’s cold.", "");
    expect(revised(block("Mara climbed the stairs.", ""))).toBe(first);
    expect(revised(block("The lamp burned low, and the wind rose.", ""))).toBe(middle);
    expect(revised(block("It's cold.", " "))).toBe(last);
  });

  it("takes along the empty line of its paragraph, also at the end, also next to another one", () => {
    const text = "# One\n\nA.\n\nB.\n\nC.\n\nD.\n";
    expect(revised(block("B.", ""), text)).toBe("# One\n\nA.\n\nC.\n\nD.\n");
    expect(revised(block("D.", ""), text)).toBe("# One\n\nA.\n\nB.\n\nC.\n");
    expect(revised(block("B.", "") + block("C.", ""), text)).toBe("# One\n\nA.\n\nD.\n");
    expect(revised(block("D.", "") + block("C.", ""), text)).toBe("# One\n\nA.\n\nB.\n");
    expect(revised(block("D.", ""), text.replaceAll("\n", "\r\n"))).toBe("# One\r\n\r\nA.\r\n\r\nB.\r\n\r\nC.\r\n");
  });
});

describe("several passages", () => {
  it("are replaced each, in whatever order they are given", () => {
    const answer = block("A horn sounded.", "No horn.") + block("Mara climbed the stairs.", "Mara fell.\n\nHard.");
    expect(revised(answer)).toBe(
      chapter.replace("A horn sounded.", "No horn.").replace("Mara climbed the stairs.", "Mara fell.\n\nHard."),
    );
  });

  it("may touch, and may not overlap", () => {
    const touching =
      block("Mara climbed the stairs.", "One.") + block("The lamp burned low, and the wind rose.", "Two.");
    expect(revised(touching)).toContain("\n\nOne. Two. She waited.");
    const answer = block("Mara climbed the stairs. The lamp burned low,", "x") + block("The lamp burned low,", "y");
    expect(problemsOf(answer)).toEqual([
      "The passages 'Mara climbed the stairs. The lamp burned low,' and 'The lamp burned low,' overlap: quote them in one block.",
    ]);
  });

  it("are all named that cannot be found", () => {
    expect(problemsOf(block("No.", "x") + block("A horn sounded.", "y") + block("Neither.", "z"))).toHaveLength(2);
  });
});

it("a paragraph is added by quoting the sentence before it", () => {
  const answer = block("It's cold.", "It’s cold.\n\nNobody answered.");
  expect(revised(answer)).toBe(chapter.replace("It’s cold.", "It’s cold.\n\nNobody answered."));
});

it("a chapter keeps its line ends and its byte order mark, whichever the answer has", () => {
  const text = `\uFEFF${chapter.replaceAll("\n", "\r\n")}`;
  const answer = block("The lamp burned low,\nand the wind rose.", "Dark.\n\nDarker.");
  const wanted = text.replace(/The lamp[\s\S]*rose\./, "Dark.\r\n\r\nDarker.");
  expect(revised(answer, text)).toBe(wanted);
  expect(revised(answer.replaceAll("\n", "\r\n"), text)).toBe(wanted);
  expect(revised(answer.replaceAll("\n", "\r\n"))).not.toContain("\r");
});

describe("an answer", () => {
  const good = block("A horn sounded.", "No horn.");
  const wanted = chapter.replace("A horn sounded.", "No horn.");

  it("may have a fence around it, a short remark, and marks that are a little off", () => {
    expect(revised(`\`\`\`text\n${good}\`\`\``)).toBe(wanted);
    expect(revised(`Here are the changes:\n\n${good}\nThe rest stays.`)).toBe(wanted);
    expect(revised(`===FILE: chapters/chapter-01.md===\n${good}===END FILE===`)).toBe(wanted);
    expect(revised(good.replace("===PASSAGE===", "**=== Passage ===**").replace("END PASSAGE", "END"))).toBe(wanted);
  });

  it("may not have text of the chapter beside its blocks", () => {
    const problem = expect.stringContaining("outside its blocks");
    expect(problemsOf(`${good}\n# Chapter 1: Night\n\nMara.`)).toEqual([problem]);
    expect(problemsOf(`${good}\n${"Mara climbed the stairs. ".repeat(30)}`)).toEqual([problem]);
  });

  it("whose blocks are not whole is told which and why", () => {
    const begins = "The block of 'A horn sounded.' has no ";
    expect(problemsOf(good.replace(/===END.*\n/, ""))).toEqual([expect.stringContaining(`${begins}===END PASSAGE===`)]);
    expect(problemsOf(good.replace(/===END.*\n/, "") + block("She", "x"))[0]).toContain(`${begins}===END PASSAGE===`);
    expect(problemsOf(good.replace(/===BECOMES.*\n/, ""))[0]).toContain(" has no ===BECOMES===");
    expect(problemsOf(good.replace("No horn.", "===BECOMES===\nNo horn."))[0]).toContain("two ===BECOMES===");
    expect(problemsOf(good.replace(/===PASSAGE.*\n/, ""))[0]).toContain("no ===PASSAGE===");
    expect(problemsOf(block(" ", "No horn."))[0]).toContain("quotes nothing");
  });

  it("is one of passages only by their marks", () => {
    expect(hasPassages(good)).toBe(true);
    expect(hasPassages(good.replaceAll("\n", "\r\n"))).toBe(true);
    for (const text of [
      chapter,
      "===UNCHANGED===",
      "===FILE: a.md===\nA passage.\n===END===",
      "The ===PASSAGE=== mark",
    ])
      expect(hasPassages(text)).toBe(false);
  });
});
