// A level seen from outside: what its files are called, what is told of each, and which of them an attempt writes.

import { countTokens } from "@loopwright/models";
import { describe, expect, it } from "vitest";
import { beats, prose } from "../../../../test/fakes/book-runs.ts";
import { initialState, type Judgment, type NovelState, type Plan } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { digestOf, restLines } from "./digest.ts";
import { fileCalled, filesCalled, filesInWords, nameOfFile } from "./names.ts";
import { filesToWrite, reopened } from "./plan.ts";
import { mentionsOf, surveyLevel } from "./survey.ts";

const chapterAt = (number: number) => `chapters/chapter-${String(number).padStart(2, "0")}.md`;

describe("names of files", () => {
  const paths = ["chapters/prologue.md", chapterAt(1), chapterAt(3), chapterAt(12)];

  it.each([
    ["chapter-3", 2],
    ["Chapter 3", 2],
    ["chapter_03.md", 2],
    ["`chapters/chapter-03.md`", 2],
    ["3", 2],
    ["12.", 3],
    ["Prologue", 0],
    ["chapter-2", undefined],
    ["chapter 3 and 12", undefined],
    ["", undefined],
  ])("'%s' means the file that it names, or none", (name, at) => {
    expect(fileCalled(name, paths)).toBe(at === undefined ? undefined : paths[at]);
  });

  it("are short, and several are told in one phrase", () => {
    const names = [
      "premise/premise_metadata.json",
      "treatment/treatment.md",
      "chapter-beats/foundation.md",
      chapterAt(7),
    ];
    expect(names.map(nameOfFile)).toEqual(["premise", "treatment", "foundation", "chapter-7"]);
    expect(filesCalled(["12", "prologue", "99"], paths)).toEqual([paths[0], paths[3]]);
    expect(filesInWords([1, 3, 4, 7, 8, 9].map(chapterAt))).toBe("chapters 1, 3, 4, 7–9");
    expect(filesInWords(["chapter-beats/foundation.md", chapterAt(2)])).toBe("the foundation and chapter 2");
  });
});

describe("what is told of files", () => {
  const wind = "The wind went over the wall. ".repeat(20);
  const files: FileBlock[] = Array.from({ length: 40 }, (_, at) => ({
    path: chapterAt(at + 1),
    content: prose(at + 1, at === 34 ? `Lanternlight fell. ${wind}` : wind),
  }));

  it("is how each begins and ends and what comes back in it, of a plan its events", () => {
    const digest = digestOf({ path: chapterAt(1), content: prose(1, wind) });
    expect(digest).toMatchObject({ title: "Chapter 1: Night 1" });
    expect(digest.text).toMatch(/^Mara climbed the stairs\. .*A horn sounded from the dark\.$/);
    expect(digest.text.length).toBeLessThan(700);
    expect(digestOf({ path: "x", content: beats(1, "- The lamp is lit.\n- It goes out.") }).text).toBe(
      "The lamp is lit. It goes out.",
    );
  });

  it("is which words stand in it, also inside of longer ones, with what is around the rarest", () => {
    const found = mentionsOf(["lantern", "Mara", "dog", "ant"], files);
    expect(found.get(chapterAt(35))).toMatch(/^lantern ×1, mara ×1 \(".*Lanternlight fell\..*"\)$/);
    expect(found.get(chapterAt(1))).toMatch(/^mara ×1 \(".*Mara climbed the stairs\..*"\)$/);
    const more = mentionsOf(["wind", "Mara"], files, 3).get(chapterAt(1))!;
    expect(more.match(/"[^"]+"/g)).toHaveLength(3);
  });

  it("is all of a short level, and of a longer one what only that file has, and what was asked for", () => {
    const plan = [{ path: "chapter-beats/chapter-01.md", content: beats(1) }];
    const long = files.map(({ path, content }) => ({ path, content: `${content}\n${wind}${wind}` }));
    const survey = surveyLevel("prose", long, plan, { feedback: ["Lanternlight everywhere"], open: [chapterAt(2)] });
    expect(survey[0]).toMatchObject({ name: "chapter-1", planned: "Mara lights the lamp.", text: "", mentions: "" });
    expect(survey[1]).toMatchObject({ planned: "", digest: "", text: long[1]!.content });
    expect(survey[34]!.digest).toContain("Lanternlight fell.");
    expect(survey[34]!.mentions).toContain("lanternlight ×1");
    const common = surveyLevel("prose", long, plan, { feedback: ["Let the wind rest, and Mara too"] });
    expect(common.map(({ mentions }) => mentions).join("")).toBe("");
    const looked = surveyLevel("prose", long, plan, { feedback: ["Lanternlight everywhere"], words: ["stairs"] });
    expect(looked[34]!.mentions).toMatch(/^stairs ×1/);
    for (const [level, short] of [
      ["chapters", plan],
      ["prose", files.slice(0, 2)],
    ] as const)
      expect(surveyLevel(level, short, plan, { feedback: ["lamp"] })[0]).toMatchObject({
        ...{ digest: "", mentions: "", text: short[0]!.content },
      });
  });

  it("takes no more than its room: those near first at length, and what is left out is said", () => {
    const told = restLines(files, [chapterAt(5)], 700);
    expect(countTokens(told)).toBeLessThan(760);
    for (const words of ["- chapter-4 (", "- chapter-6 ("]) expect(told).toContain(words);
    expect(told).toMatch(/Left out for want of room: chapters .*40\.$/);
    expect(restLines(files, [], 100_000)).not.toContain("Left out");
  });
});

describe("the files that an attempt writes", () => {
  const of = [1, 2, 3].map(chapterAt);
  const planOf = (...numbers: number[]): Plan => ({
    ...{ is_whole: numbers.length === 0, of, feedback: [], conditions: [], reopened: 0 },
    files: numbers.map((number) => ({ path: chapterAt(number), kind: "heart", why: "", does: "" })),
  });
  const says = (given: Partial<Judgment>): Judgment => ({
    ...{ verdict: "needs_revision", reasoning: "r", specific_issues: [], suggestions: [], revise: [] },
    ...{ missing: [], superfluous: [], by: [], is_split: false, ...given },
  });
  const named = (...numbers: number[]) => numbers.map((number) => ({ path: chapterAt(number), why: "because" }));
  const files = { path: "x", digest: "d", size: 1 };

  /** A state after one attempt at some files, and what the judge said of it. */
  function after(plan: Plan, wrote: number[], judgment?: Judgment, said?: NovelState["said"]): NovelState {
    const attempt = { number: 1, files, problems: [], words: 1, wrote: wrote.map(chapterAt) };
    return {
      ...initialState(),
      plan,
      attempts: [{ ...attempt, ...(judgment && { judgment }) }],
      ...(said && { said }),
    };
  }
  const written = (state: NovelState) => filesToWrite(state, { target: "prose" })?.map(nameOfFile);

  it.each<[string, NovelState, number[]]>([
    ["that are planned", { ...initialState(), plan: planOf(1, 3) }, [1, 3]],
    ["that a judge wants revised", after(planOf(1, 2), [1, 2], says({ revise: [chapterAt(2)] })), [2]],
    ["that were added since", after(planOf(1, 2), [1], says({})), [2]],
    ["that are missing of a whole level", after(planOf(), [1, 2, 3], says({ missing: named(3) })), [3]],
    [
      "that are superfluous, where they stay planned",
      after(planOf(1, 2), [1, 2], says({ superfluous: named(1) })),
      [1],
    ],
    ["that are none, where one was put back", after(planOf(2), [1, 2], says({ superfluous: named(1) })), []],
    [
      "that are planned, where one was put back and the author said more",
      after(planOf(2), [1, 2], says({ superfluous: named(1) }), [
        { gate: "continue", choice: "yes", attempt: 1, text: "colder" },
      ]),
      [2],
    ],
    [
      "that were approved, where the author wants them again",
      after(planOf(1, 2), [1, 2], says({ verdict: "approved" })),
      [1, 2],
    ],
    [
      "that are planned, where the author sends them back with words",
      after(planOf(1, 2), [1, 2], says({ revise: [chapterAt(2)] }), [
        { gate: "accept", choice: "again", attempt: 1, text: "colder" },
      ]),
      [1, 2],
    ],
    ["that nobody judged", after(planOf(1, 2), [1, 2]), [1, 2]],
  ])("are those %s", (_what, state, numbers) => {
    expect(written(state)).toEqual(numbers.map((number) => `chapter-${number}`));
  });

  it("are nobody's question on a level that is one answer", () => {
    expect(filesToWrite({ ...initialState(), plan: planOf(1) }, { target: "chapters" })).toBeUndefined();
  });

  it("change by a judge's word, twice at most, and never to none", () => {
    const opened = reopened(planOf(2), says({ missing: named(1, 2), superfluous: named(3) }))!;
    expect(opened).toMatchObject({ reopened: 1, files: [{ path: chapterAt(1), kind: "after", does: "because" }, {}] });
    expect(reopened(planOf(1, 2), says({ superfluous: named(2) }))!.files).toHaveLength(1);
    expect(reopened(planOf(1), says({ superfluous: named(1) }))).toBeUndefined();
    expect(reopened(planOf(1), says({ missing: [{ path: "chapters/chapter-09.md", why: "" }] }))).toBeUndefined();
    expect(reopened(planOf(), says({ missing: named(1) }))).toBeUndefined();
    expect(reopened({ ...planOf(1), reopened: 2 }, says({ missing: named(2) }))).toBeUndefined();
  });
});
