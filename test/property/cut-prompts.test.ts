// Cutting a prompt: whatever Markdown it holds, no fence is left open that was closed, and what was cut is said.

import { describe, expect, it } from "vitest";
import { cutText, openFence } from "../../packages/models/src/prompt/fit.ts";

const count = (text: string) => Math.ceil(text.length / 4);

/** Numbers from a seed, below a limit. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Markdown with fences of both marks and many lengths, some in others, some in the middle of nowhere. */
function markdown(next: (below: number) => number): string {
  const mark = () => ["`", "~"][next(2)]!.repeat(3 + next(4));
  const words = () => "lorem ipsum dolor sit amet ".repeat(1 + next(6)).trim();
  const block = () => {
    const fence = mark();
    const inner = Array.from({ length: next(8) }, () => (next(5) === 0 ? mark().slice(0, fence.length - 1) : words()));
    return [`${" ".repeat(next(4))}${fence}${["", "python", " file.py"][next(3)]}`, ...inner, fence].join("\n");
  };
  return Array.from({ length: 2 + next(12) }, () => [block, words, mark][next(9) === 0 ? 2 : next(2)]!()).join("\n");
}

describe("cutting a prompt", () => {
  it("leaves no fence open, fits, and says what it left out, for 20,000 texts", () => {
    let cuts = 0;
    for (let seed = 1; seed <= 20_000; seed++) {
      const next = numbers(seed);
      const text = markdown(next);
      const most = 20 + next(count(text));
      if (count(text) <= most) continue;
      const cut = cutText(text, most, 0, count);
      if (cut === "") continue;
      cuts += 1;
      expect(count(cut), `seed ${seed}`).toBeLessThanOrEqual(most);
      expect(cut, `seed ${seed}`).toMatch(/\[… about [\d,]+ tokens left out …\]/);
      expect(openFence(cut), `seed ${seed}:\n${cut}`).toBeUndefined();
    }
    expect(cuts).toBeGreaterThan(5_000);
  });

  it("closes a file's fence where the end belongs to another, and opens that one again", () => {
    const file = (name: string, fence: string) => `${fence}${name}\n${"a line of it\n".repeat(40)}${fence}`;
    const cut = cutText(`${file("one.py", "`````")}\n${file("two.py", "```")}`, 100, 0, count);
    expect(openFence(cut)).toBeUndefined();
    expect(cut).toMatch(
      /^`````one\.py\n(?:a line of it\n)+`````\n\[… about \d+ tokens left out …\]\n```two\.py\n(?:a line of it\n)+```$/,
    );
  });

  it("changes nothing where no fence would be left open", () => {
    const text = `\`\`\`log\n${"a line of it\n".repeat(200)}\`\`\``;
    expect(cutText(text, 100, 0, count)).toMatch(
      /^```log\n(?:a line of it\n)+\[… about \d+ tokens left out …\]\n(?:a line of it\n)+```$/,
    );
  });
});
