import { FormatError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { answerOf, withoutThought } from "./blocks.ts";

describe("withoutThought", () => {
  it.each([
    ["leaves an answer without thought as it is", "a { b } c", "a { b } c"],
    ["takes one block out", "<think>hm { }</think>yes", "yes"],
    ["takes several blocks out and keeps what stands between", "a<think>1</think>b<think>2</think>c", "abc"],
    ["T1: takes nested blocks out whole", "a<think>1<think>2</think>3</think>b", "ab"],
    ["T1: does not mind the case of letters", "<THINK>1</Think>b", "b"],
    ["T1: knows the other names", "<thinking>1</thinking>a<reasoning>2</reasoning>b", "ab"],
    ["T1: knows a tag with space in it", "<think >1</think\n>b", "b"],
    ["T2: takes everything before an orphan closing tag for thought", 'so {"a":1}? no.</think>{"a":2}', '{"a":2}'],
    ["T2: of two orphans the last decides", "a</think>b</think>c", "c"],
    ["T2: an orphan after a block drops what the block left", "a<think>1</think>b</think>c", "c"],
    ["T3: takes everything after an unclosed tag for thought", "a<think>b { c", "a"],
    ["T3: leaves nothing where the unclosed tag comes first", "<think>b", ""],
    ["T4: thought that mentions its own tag lasts to the last closing one", "<think>no <think> here</think>a", "a"],
    ["T4: and so does one that mentions it before another block", "<think>a <think> b</think>c<think>d</think>e", "e"],
    ["leaves other tags alone", "<thinker>a</thinker><b>", "<thinker>a</thinker><b>"],
  ])("%s", (_title, text, answer) => {
    expect(withoutThought(text)).toBe(answer);
  });

  it("T5: tags inside a closed fenced block are text, so that code may speak of them", () => {
    const code = '```python\nhead, tail = text.split("</think>")\nprint("<think>")\n```';
    expect(withoutThought(code)).toBe(code);
    expect(withoutThought(`<think>how?</think>\n${code}`)).toBe(`\n${code}`);
  });

  it("T5: a fence that is never closed protects nothing", () => {
    expect(withoutThought('so\n```json\n{"a":1}\n</think>\n{"a":2}')).toBe('\n{"a":2}');
    expect(withoutThought('so\n```json\n{"a":1}\n</think>\n```json\n{"a":2}\n```')).toBe('\n```json\n{"a":2}\n```');
  });

  it("T5: a fence inside a thought does not reach into the answer", () => {
    const answer = "\n```\ncode with </think> in it\n```";
    expect(withoutThought(`<think>\n\`\`\`\nopen</think>${answer}`)).toBe(answer);
    expect(withoutThought(`<think>\n\`\`\`\n<think>\n\`\`\`\n</think></think>${answer}`)).toBe(answer);
  });

  it("T5: an orphan closing tag after a closed fence makes a thought of the fence too", () => {
    expect(withoutThought('```json\n{"a":1}\n```\nor not</think>b')).toBe("b");
  });

  it("keeps only what follows the last tag where tags and fences are too many to pair", () => {
    const many = "<think>\n```\n</think>\n".repeat(2_000);
    expect(withoutThought(`before ${many}after`)).toBe("\nafter");
    expect(withoutThought(`before ${many}<think>after`)).toBe("");
  });
});

describe("answerOf", () => {
  it("gives the answer that is left", () => {
    expect(answerOf("<think>x</think> yes")).toBe(" yes");
  });

  it.each([
    ["nothing at all", "", "The answer was empty."],
    ["nothing but space", " \n\t", "The answer was empty."],
    ["nothing but thought", "<think>x</think>\n", "held nothing but thought"],
    ["a thought that never ended", "<think>x { }", "held nothing but thought"],
  ])("refuses %s as empty", (_what, text, words) => {
    const read = () => answerOf(text);
    expect(read).toThrow(FormatError);
    expect(read).toThrow(words);
    expect(read).toThrow(expect.objectContaining({ code: "ANSWER_EMPTY" }));
  });
});
