// What an author types at a gate in words of their own: a model says which choice they mean, and the writer is told the rest.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  approved,
  type BookOptions,
  beatFiles,
  beats,
  begin,
  blocks,
  bookRun,
  darker,
  type GateAnswers,
  notesOf,
  refused,
  written,
} from "../../../../test/fakes/book-runs.ts";

/** Chapters 2 and 3, each attempt in other words. */
const both = (words: string) =>
  blocks({
    ...beatFiles,
    "chapter-beats/chapter-02.md": beats(2, words),
    "chapter-beats/chapter-03.md": beats(3, words),
  });

/** An iteration of two chapters, whose author answers so, and whose words are read so. */
async function says(answers: GateAnswers, replies: (object | string)[], more: BookOptions = {}) {
  const reply = replies.map((each) => (typeof each === "string" ? each : { json: each }));
  const script = { revise: ["One.", "Two.", "Three."].map(both), reply, ...more.script };
  const book = await bookRun({ ...more, answers: { ...agreeable, ...answers }, script });
  const result = await book.start({ feedback: ["Darker, please"] });
  const warnings = (await notesOf(book.test, result.run, "warning")).filter(({ code }) => code === "REPLY_UNCLEAR");
  const read = await notesOf(book.test, result.run, "reply-read");
  return { ...book, ...result, folder: book.folder, warnings, read };
}

describe("words at the gate", () => {
  it("'accept' may mean yes", async () => {
    const { outcome, read, scripted } = await says({ accept: ["say: ja, gern"] }, [{ choice: "yes" }]);
    expect(outcome).toBe("done");
    expect(read).toEqual([{ answer: "ja, gern", choice: "yes", note: "" }]);
    const { text, request, role } = scripted.asked("reply")[0]!;
    expect([role, request.temperature]).toEqual(["writer", 0]);
    for (const words of [
      ...["# The question\n\nAccept these changes?", "- `yes`: all changes are committed as they are"],
      ...["- `some`: the files that they want are taken", "ja, gern", "not all: foundation (Foundation), chapter-1 ("],
    ])
      expect(text).toContain(words);
  });

  it("'accept' may mean no, and why is kept", async () => {
    const { outcome, reason, state, folder } = await says({ accept: ["say: nein, zu süß"] }, [
      { choice: "no", note: "zu süß" },
    ]);
    expect(outcome).toBe("declined");
    expect(reason).toBe("the changes were not accepted: zu süß; the project is as it was");
    expect(readFileSync(join(folder, state.debug, "user_decision.txt"), "utf8")).toBe("rejected attempt 1: zu süß\n");
  });

  it("'accept' may mean some of the files", async () => {
    const { outcome, folder } = await says({ accept: ["say: nur das zweite Kapitel", "yes"] }, [
      { choice: "some", files: ["chapter-2"] },
    ]);
    expect(outcome).toBe("done");
    const read = (number: number) => readFileSync(join(folder, `chapter-beats/chapter-0${number}.md`), "utf8");
    expect([read(2), read(3)]).toEqual([beats(2, "One."), beats(3)]);
  });

  it("'accept' may mean another attempt, and its writer is told what they said", async () => {
    const { outcome, state, scripted } = await says({ accept: ["say: fast, aber kälter", "yes"] }, [
      { choice: "again", note: "kälter" },
    ]);
    expect({ outcome, chosen: state.chosen }).toEqual({ outcome: "done", chosen: 2 });
    expect(scripted.asked("revise")[1]!.text).toContain("On attempt 1, which they did not take as it was: kälter");
    expect(scripted.asked("revise")[1]!.text).toContain("as your last attempt has them");
    expect(scripted.asked("judge")[1]!.text).toContain("kälter");
  });

  it("'continue' may mean yes, and more", async () => {
    const script = { judge: [refused, approved] };
    const { outcome, scripted } = await says(
      { continue: ["say: weiter, aber der Hund bleibt"] },
      [{ choice: "yes", note: "der Hund bleibt" }],
      { script },
    );
    expect(outcome).toBe("done");
    expect(scripted.asked("revise")[1]!.text).toContain("beside the judge's words: der Hund bleibt");
  });

  it("'detail' may name several files, which are shown", async () => {
    const { outcome, test, run } = await says({ detail: ["say: zwei und drei", "skip"] }, [
      { choice: "chapter-2", files: ["chapter-2", "chapter-3"] },
    ]);
    expect(outcome).toBe("done");
    const [shown] = await notesOf(test, run, "detail-shown");
    expect(shown!.files.map(({ path }) => path)).toEqual([
      ...["chapter-beats/chapter-02.md", "chapter-beats/chapter-03.md"],
    ]);
  });

  it("'downstream' may mean that all of it goes", async () => {
    const { outcome, state } = await says({ downstream: ["say: lösch alles"] }, [{ choice: "cull-all" }], {
      files: written,
    });
    expect({ outcome, culled: state.is_culled }).toEqual({ outcome: "done", culled: true });
  });
});

describe("words that nobody can read", () => {
  it.each<[string, object | string, string]>([
    ["are unclear", { choice: "unclear", back: "Ja zu welchem?" }, "Ja zu welchem?"],
    ["are unclear, without a word back", { choice: "unclear" }, "'hm' is none of the answers"],
    ["are answered with no form", "Sure.", "'hm' could not be read as an answer"],
    ["are read as a choice that is none", { choice: "maybe" }, "'hm' could not be read as an answer"],
  ])("are asked about again where they %s, and nothing is decided", async (_what, reply, message) => {
    const { warnings, state, run, test } = await says({ accept: ["say: hm", "no"] }, [reply]);
    expect(warnings).toEqual([{ code: "REPLY_UNCLEAR", message }]);
    expect(state.decision).toBe("rejected");
    const opened = (await test.chain(run)).filter(
      (event) => event.type === "gate-opened" && event.gate.name === "accept",
    );
    expect(opened).toHaveLength(2);
  });

  it("are asked about again where there is no model to read them", async () => {
    const { folder, ports } = await bookRun({ answers: { ...agreeable, accept: ["say: ja", "yes"] } });
    const test = memoryEngine({ project: folder, answers: ports.answers! });
    const edited = [{ path: "chapter-beats/chapter-02.md", content: beats(2, "Mine.") }];
    const { run, outcome } = await begin(test, { kind: "edit", edited, has_judge: false, has_summarizer: false });
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "warning")).toMatchObject([
      { message: "'ja' is none of the answers, and there is no model to read it" },
    ]);
  });

  it("are none where nothing was typed: it is asked again, and no model is", async () => {
    const { scripted, warnings, outcome } = await says({ accept: ["say", "yes"] }, []);
    expect({ outcome, warnings, asked: scripted.asked("reply") }).toEqual({ outcome: "done", warnings: [], asked: [] });
  });
});

it("'again' is taken as it is, with what it says", async () => {
  const { outcome, scripted, state } = await says({ accept: ["again: colder", "yes"] }, [], {
    script: { revise: [darker("one"), darker("two")] },
  });
  expect({ outcome, attempts: state.attempts.length }).toEqual({ outcome: "done", attempts: 2 });
  expect(scripted.asked("reply")).toEqual([]);
  const { text } = scripted.asked("revise")[1]!;
  expect(text).toContain("The judge approved it:");
  expect(text).toContain("On attempt 1, which they did not take as it was: colder");
});
