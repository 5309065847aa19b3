import { type PromptPart, randomStream, UsageError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { countTokens, fitPrompt, type Room, sizePrompt } from "./fit.ts";

const room = (window: number, more: Partial<Room> = {}): Room => ({ window, answer: 100, beside: {}, ...more });

/** What a prompt may have at most in a room. */
const limit = ({ window, answer }: Room) => Math.floor((window - answer) * 0.9);

const lines = (count: number, name = "line") =>
  Array.from({ length: count }, (_, index) => `${name} ${index}: the plank is ${index * 7} mm wide`).join("\n");

const fitInto = (prompt: string | readonly PromptPart[], into: Room) =>
  fitPrompt(prompt, into, "local:small", countTokens);

function part(name: string, text: string, priority: number, floor?: number): PromptPart {
  return { name, text, priority, ...(floor !== undefined && { floor }) };
}

describe("a prompt that fits", () => {
  it("is left as it is, its parts a blank line apart", () => {
    const parts = [part("task", "Build a hull.", 9), part("history", "It leaked.", 1, 0)];
    expect(fitInto(parts, room(1_000))).toMatchObject({ prompt: "Build a hull.\n\nIt leaked.", cut: [] });
  });

  it("may be one string", () => {
    expect(fitInto("Build a hull.", room(1_000))).toEqual({ prompt: "Build a hull.", tokens: 4, cut: [] });
  });

  it("has no gap where a part is empty", () => {
    expect(fitInto([part("a", "one", 1), part("b", "", 1), part("c", "two", 1)], room(1_000)).prompt).toBe(
      "one\n\ntwo",
    );
  });

  it("is counted with all that goes along", () => {
    const { tokens } = fitInto("Build a hull.", room(5_000, { beside: { system: 200, images: 1_500 } }));
    expect(tokens).toBe(1_704);
  });
});

describe("a prompt that does not fit", () => {
  it("is cut at the part of the lowest priority first, and at no more than it must", () => {
    const parts = [part("task", lines(20), 9, 0), part("notes", lines(70), 5, 0), part("history", lines(50), 1, 0)];
    const { cut, prompt } = fitInto(parts, room(1_700));
    expect(cut.map(({ part }) => part)).toEqual(["history"]);
    expect(prompt).toContain(parts[0]!.text);
    expect(prompt).toContain(parts[1]!.text);
  });

  it("is cut at the next part when the first one's floor is reached", () => {
    const parts = [part("task", lines(20), 9), part("history", lines(60), 1, 200), part("notes", lines(60), 5, 0)];
    const { cut } = fitInto(parts, room(1_200));
    expect(cut.map(({ part }) => part)).toEqual(["history", "notes"]);
    expect(cut[0]!.to).toBeGreaterThanOrEqual(200);
  });

  it("is cut at the larger of two parts with the same priority", () => {
    const parts = [part("small", lines(20), 1, 0), part("large", lines(80), 1, 0)];
    expect(fitInto(parts, room(1_200)).cut.map(({ part }) => part)).toEqual(["large"]);
  });

  it("keeps the beginning and the end of a part, whole lines, and says what is missing", () => {
    const text = lines(200);
    const { prompt, cut } = fitInto([part("log", text, 1, 0)], room(1_000));
    const [head, tail] = prompt.split(/\n\[… about [\d,]+ tokens left out …\]\n/);
    expect(text.startsWith(`${head}\n`)).toBe(true);
    expect(text.endsWith(`\n${tail}`)).toBe(true);
    expect(head!.split("\n").length).toBeGreaterThan(10);
    expect(tail!.split("\n").length).toBeGreaterThan(10);
    expect(cut).toEqual([{ part: "log", from: countTokens(text), to: countTokens(prompt) }]);
  });

  it("keeps a fence closed", () => {
    const { prompt } = fitInto([part("file", `\`\`\`\`data\n${lines(300)}\n\`\`\`\``, 1, 0)], room(1_000));
    expect(prompt).toMatch(/^````data\n.*\n````$/s);
  });

  it("is cut inside a line where there is only one, between words", () => {
    const text = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(" ");
    const { prompt } = fitInto([part("text", text, 1, 0)], room(1_000));
    const [head, tail] = prompt.split(/\n\[.*\]\n/);
    expect(text.startsWith(`${head} `)).toBe(true);
    expect(text.endsWith(` ${tail}`)).toBe(true);
  });

  it("leaves a part out whole where nothing of use would be left", () => {
    const parts = [part("task", lines(28), 9), part("history", lines(4), 1, 0)];
    const only = countTokens(parts[0]!.text);
    const { prompt, cut } = fitInto(parts, room(100 + Math.ceil((only + 12) / 0.9)));
    expect(cut).toEqual([{ part: "history", from: countTokens(lines(4)), to: 0 }]);
    expect(prompt).toBe(parts[0]!.text);
  });

  it("makes room for what goes along", () => {
    const into = room(4_000, { beside: { system: 500, images: 1_500 } });
    const { tokens, cut } = fitInto([part("log", lines(300), 1, 0)], into);
    expect(cut).toHaveLength(1);
    expect(tokens).toBeLessThanOrEqual(limit(into));
    expect(tokens).toBeGreaterThan(limit(into) - 200);
  });

  it("is cut in bounded time even where it is huge and has no break", () => {
    const start = performance.now();
    const { prompt } = fitInto([part("blob", "Zm9vYmFy".repeat(500_000), 1, 0)], room(8_000));
    expect(countTokens(prompt)).toBeLessThan(7_200);
    expect(countTokens(prompt)).toBeGreaterThan(6_000);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe("a prompt that cannot fit", () => {
  const tooLarge = (prompt: string | readonly PromptPart[], into: Room): UsageError => {
    try {
      fitInto(prompt, into);
    } catch (error) {
      if (error instanceof UsageError) return error;
    }
    throw new Error("it fitted");
  };

  it("is an error that names the parts, their sizes, the window, and what to change", () => {
    const into = room(1_000, { beside: { system: 300, images: 0 } });
    const { code, message } = tooLarge([part("task", lines(60), 9), part("log", lines(200), 1, 200)], into);
    expect(code).toBe("PROMPT_TOO_LARGE");
    expect(message).toContain("local:small");
    expect(message).toContain(`'task' ${countTokens(lines(60)).toLocaleString("en")} (stays whole)`);
    expect(message).toContain(`'log' ${countTokens(lines(200)).toLocaleString("en")} (200 must stay)`);
    expect(message).toContain("system 300");
    expect(message).not.toContain("images");
    expect(message).toContain("the window of 1,000, less 100 for the answer and a tenth as a margin, has room for 810");
    expect(message).toMatch(/'context' in the configuration.*'maxTokens'.*smaller task/);
  });

  it("is one string that is too long: that is never cut", () => {
    expect(tooLarge(lines(200), room(1_000)).message).toContain("'prompt'");
  });

  it("is any prompt where the answer may fill the whole window", () => {
    expect(tooLarge("short", room(100, { answer: 100 })).message).toContain("has room for 0");
  });
});

describe("whatever a prompt is made of", () => {
  const alphabets = ["abc def\n", "{}();=> \n\t", "船の形を作る。\n", "🚢⛵ wave \n", "aaaa"];
  const cases = Array.from({ length: 300 }, (_, index) => index);

  it("what fits is within the room, and no part is below its floor", () => {
    let cuts = 0;
    for (const index of cases) {
      const random = randomStream("fit", index);
      const pick = (below: number) => Math.floor(random() * below);
      const text = () => {
        const signs = [...alphabets[pick(alphabets.length)]!];
        return Array.from({ length: pick(2_500) }, () => signs[pick(signs.length)]).join("");
      };
      const parts = Array.from({ length: 1 + pick(4) }, (_, at) =>
        part(`p${at}`, text(), pick(3), random() < 0.8 ? pick(120) : undefined),
      );
      const into = room(300 + pick(2_000), { beside: { system: pick(100) } });
      let fitted: ReturnType<typeof fitInto>;
      try {
        fitted = fitInto(parts, into);
      } catch (error) {
        expect(error).toMatchObject({ code: "PROMPT_TOO_LARGE" });
        continue;
      }
      expect(fitted.tokens, `case ${index}`).toBeLessThanOrEqual(limit(into));
      for (const { part: name, from, to } of fitted.cut) {
        cuts += 1;
        const { floor = 0 } = parts.find((candidate) => candidate.name === name)!;
        expect(to, `case ${index}`).toBeLessThan(from);
        if (floor > 0) expect(to, `case ${index}`).toBeGreaterThanOrEqual(floor);
      }
      expect(fitted.prompt.isWellFormed(), `case ${index}`).toBe(true);
      if (fitted.cut.length === 0)
        expect(fitted.prompt).toBe(
          parts
            .map((p) => p.text)
            .filter(Boolean)
            .join("\n\n"),
        );
    }
    expect(cuts).toBeGreaterThan(100);
  });

  it("its size before a cut is that of its parts", () => {
    expect(sizePrompt("hello world", countTokens)).toBe(2);
    expect(sizePrompt([part("a", "hello world", 1), part("b", "hello", 1)], countTokens)).toBe(5);
  });
});
