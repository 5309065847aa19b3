import type { LoopEvent } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { fakeTerminal } from "../../../../../test/fakes/novel-terminal.ts";
import type { NovelNotes } from "../../notes.ts";
import { Output } from "./output.ts";
import { Renderer } from "./renderer.ts";

const at = { run: "r", at: 0, seq: 1, active: 0 };
const note = <Name extends keyof NovelNotes>(name: Name, data: NovelNotes[Name]) =>
  ({ ...at, type: "loop-noted", name, data }) as unknown as LoopEvent;
const phase = (name: string) => ({ ...at, type: "phase-started", phase: name, visit: 1, iteration: 1 }) as LoopEvent;
const gate = {
  ...{ id: "accept@1#1", name: "accept", question: "?", choices: ["yes", "no", "diff"], default: "no" },
  ...{ accepting: ["yes"], about: "", openedAt: 0 },
};
const answered = (by: "person" | "flag") =>
  ({ ...at, type: "gate-answered", key: "accept", id: gate.id, answer: { choice: "no", by, at: 0 } }) as LoopEvent;

const began: NovelNotes["generation-began"] = {
  ...{ target: "chapters", attempt: 2, context: [], feedback: ["Darker"], judge_rounds: 1, words_before: 100 },
};
const judged: NovelNotes["judged"] = {
  is_split: false,
  ...{ attempt: 1, verdict: "needs_revision", reasoning: "Still bright", issues: [], suggestions: [] },
};
const finished: NovelNotes["generation-finished"] = { target: "chapters", attempt: 1, words: 9, files: 1, debug: "d" };

const figures = { files_changed: 1, files_total: 1, lines_added: 1, lines_removed: 1, words_before: 1, words_after: 1 };

function render(isTTY = false) {
  const { terminal, printed } = fakeTerminal({ isTTY });
  return { renderer: new Renderer(new Output(terminal)), printed };
}

describe("The renderer", () => {
  it("tells notes as they come, and what is looked at for a partial result", () => {
    const { renderer, printed } = render();
    renderer.take(note("generation-began", began));
    renderer.take(phase("write"));
    renderer.take(note("generation-finished", finished));
    renderer.take(note("partial-shown", { attempt: 2, text: "SUMMARY", summary: "", figures }));
    expect(printed()).toContain("[Generating chapters... Attempt 2]");
    expect(printed()).toContain(
      "✓ Generated (saved to .agentic/debug/)\n\n[Semantic diff for attempt 2...]\n\nSUMMARY",
    );
    renderer.rest();
  });

  it("draws progress on a terminal only, and leaves a full bar", () => {
    const progress = {
      ...at,
      type: "progress",
      key: "k",
      data: { words: 50, tokens: 70, tokens_per_s: 7 },
    } as LoopEvent;
    for (const isTTY of [true, false]) {
      const { renderer, printed } = render(isTTY);
      for (const event of [note("generation-began", began), phase("write"), progress]) renderer.take(event);
      expect(printed().includes("50% · 50 words · 7 tokens/s")).toBe(isTTY);
      renderer.take(note("generation-finished", finished));
      expect(printed().includes("[████████████████████████] 100%\n✓ Generated")).toBe(isTTY);
      renderer.rest();
    }
  });

  it("names the chapter that is written, where not all are, and foretells no end of variants", () => {
    const progress = { ...at, type: "progress", key: "k", data: { words: 50, tokens: 70, tokens_per_s: 7 } };
    const shown = (more: Partial<NovelNotes["generation-began"]>) => {
      const { renderer, printed } = render(true);
      const events = [note("generation-began", { ...began, ...more }), phase("write"), progress as LoopEvent];
      for (const event of events) renderer.take(event);
      renderer.rest();
      return printed();
    };
    const files = ["chapters/chapter-02.md"];
    expect(shown({ target: "prose", chapters: 1, files })).toContain("50% · chapter 2 · 50 words");
    expect(shown({})).toContain(" left");
    expect(shown({ files, variants: 3 })).not.toContain(" left");
  });

  it("tells an answer that no person here has given", () => {
    const { renderer, printed } = render();
    renderer.take({ ...at, type: "gate-opened", key: "accept", gate } as LoopEvent);
    renderer.take(answered("person"));
    expect(printed()).toBe("");
    renderer.take(answered("flag"));
    expect(printed()).toBe("Accept these changes? (yes/no/diff): no\n");
  });

  it("recalls an earlier session without a word", () => {
    const { renderer, printed } = render();
    renderer.recall(note("judged", judged));
    renderer.recall(note("semantic-diff", { attempt: 1, text: "SUMMARY", summary: "", figures, is_approved: true }));
    renderer.recall(note("detail-shown", { name: "all", files: [] }));
    renderer.recall({ ...at, type: "gate-opened", key: "accept", gate } as LoopEvent);
    expect(printed()).toBe("");
    expect(renderer.judged).toEqual([judged]);
    expect(renderer.summary).toBe("SUMMARY");
    expect(renderer.takePages().detail).toEqual({ name: "all", files: [] });
    renderer.take(answered("flag"));
    expect(printed()).toContain("Accept these changes?");
  });

  it("passes over what it does not know", () => {
    const { renderer, printed } = render();
    renderer.take({ ...at, type: "loop-noted", name: "odd", data: null } as LoopEvent);
    renderer.take({ ...at, type: "progress", key: "k", data: null } as LoopEvent);
    renderer.take({
      ...at,
      type: "effect-started",
      visit: 1,
      key: "k",
      tries: 1,
      input: null,
      digest: "",
    } as LoopEvent);
    expect(printed()).toBe("");
  });

  it("says who is asked what before anything is written, once, and shows the time on a terminal", () => {
    const asked = (id: string, key: string) =>
      ({
        ...{ ...at, type: "effect-started", visit: 1, key, tries: 1, digest: "" },
        input: { role: "writer", request: { id } },
      }) as unknown as LoopEvent;
    const { renderer, printed } = render();
    renderer.take(asked("read@2#abc", "a"));
    renderer.take(asked("read@2#abc", "b"));
    renderer.take(asked("revise@2#abc", "c"));
    expect(printed()).toBe("\n[Asking the writer what the feedback reaches...]\n");
    const live = render(true);
    live.renderer.take(asked("talk@1#abc", "a"));
    expect(live.printed()).toContain("[Asking the writer about the book...]");
    expect(live.printed()).toContain("waiting for the writer, 0 s");
    live.renderer.rest();
  });

  it("says what it waits for: why, and until when", () => {
    const { renderer, printed } = render();
    const data = { model: "m", error: "HTTP 429: slow down", next_try_in_s: 20 };
    renderer.take({ ...at, type: "progress", key: "k", data } as LoopEvent);
    expect(printed()).toBe("[Waiting: HTTP 429: slow down. Next try in 20 s]\n");
  });

  it("says what was cut from a context", () => {
    const { renderer, printed } = render();
    const cut = [
      { part: "treatment", from: 12_000, to: 3_000 },
      { part: "earlier", from: 900, to: 0 },
    ];
    renderer.take({
      ...at,
      type: "effect-finished",
      visit: 1,
      key: "k",
      result: { text: "", details: { cut } },
    } as LoopEvent);
    renderer.take({ ...at, type: "effect-finished", visit: 1, key: "k", result: null } as LoopEvent);
    expect(printed()).toBe(
      "[Cut to fit the model's window: treatment (3,000 of 12,000 tokens), earlier (left out); context: of the model in loopwright.yaml says how large that is]\n",
    );
  });

  it("says why an answer is asked for again, and how long chapters became", () => {
    const { renderer, printed } = render();
    renderer.take(note("answer-refused", { role: "judge", problem: "The answer holds no JSON." }));
    const files = [
      { path: "chapters/chapter-03.md", before: 1_204, after: 312 },
      { path: "chapters/chapter-04.md", before: 900, after: 950 },
    ];
    renderer.take(note("words-counted", { files }));
    expect(printed().split("\n").slice(0, 5)).toEqual([
      "[The judge's answer had no usable form, and is asked for again]",
      "    • The answer holds no JSON.",
      "Words, before → after:",
      "  Chapter 3: 1,204 → 312  ⚠️  74% shorter",
      "  Chapter 4: 900 → 950",
    ]);
  });
});
