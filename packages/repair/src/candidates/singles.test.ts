import { describe, expect, it } from "vitest";
import { programOf, singlesOf, textsOf } from "../../../../test/fixtures/search/candidates.ts";
import { listSingles } from "./singles.ts";
import { Source } from "./syntax/source.ts";

const python = `from dataclasses import dataclass


@dataclass
class Line:
    name: str
    price: float
    count: int = 1


def total(lines, limit=None):
    """Adds up."""
    result = 0
    for line in lines:
        if line.count > 0 and line.price >= 0:
            result += line.price * line.count  # each
    if limit is not None and result > limit:
        raise ValueError(f"over {limit:.2f} by {result - limit}")
    return round(result, 2)
`;

const script = `export interface Line { name: string; price: number; count?: number }

export class Cart {
  private lines: Line[] = [];
  add(line: Line): void {
    if (line.price < 0) throw new RangeError(\`bad price \${line.price}\`);
    this.lines.push({ ...line });
  }
  async total(rate: (name: string) => Promise<number>): Promise<number> {
    let sum = 0;
    for (const { name, price, count = 1 } of this.lines) sum += price * count * (await rate(name));
    return Math.round(sum * 100) / 100;
  }
  find = (name: string) => this.lines.find((line) => line.name === name)?.price ?? 0;
}
`;

const jsx = `export const List = ({ items, max }: { items: string[]; max: number }) => (
  <ul title={items.length > max ? 'many' : 'few'}>{items.slice(0, max).map((item) => <li key={item}>{item}</li>)}</ul>
);
`;

const programs: [string, string, string][] = [
  ["Python with decorators and f-strings", "a.py", python],
  ["TypeScript with templates and destructuring", "a.ts", script],
  ["JSX", "a.tsx", jsx],
  ["line ends of two characters", "a.py", python.replaceAll("\n", "\r\n")],
  ["tabs", "a.py", python.replaceAll("    ", "\t")],
  ["characters of two units", "a.py", python.replace("Adds up.", "Adds 😀𝒳 up.").replace("over", "😀 over")],
  ["no line end at the end", "a.py", python.trimEnd()],
  ["a script of one line", "a.mjs", "export const f = (a, b) => a < b ? a + 1 : b;"],
];

describe("the candidates of a program", () => {
  it.each(programs)("all parse, differ from it and from one another: %s", async (_, path, text) => {
    const program = programOf(path, text);
    const candidates = await singlesOf(program);
    const forms = new Set([(await Source.open(path, text))!.form.join("\n")]);
    for (const changed of textsOf(program, candidates)) {
      const source = await Source.open(path, changed);
      expect(source, changed).toBeDefined();
      const form = source!.form.join("\n");
      expect(forms.has(form), changed).toBe(false);
      forms.add(form);
    }
    expect(candidates.length).toBeGreaterThan(50);
  });

  it.each(programs)("are the same each time, in the same order: %s", async (_, path, text) => {
    const once = await singlesOf(programOf(path, text));
    expect(await singlesOf(programOf(path, text))).toEqual(once);
  });

  it("keep line ends of two characters, also in what they insert", async () => {
    const program = programOf("a.py", python.replaceAll("\n", "\r\n"));
    for (const text of textsOf(program, await singlesOf(program)))
      expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("indent with tabs where the program does", async () => {
    const program = programOf("a.py", python.replaceAll("    ", "\t"));
    for (const text of textsOf(program, await singlesOf(program))) expect(text).not.toMatch(/^ +\S/m);
  });

  it("leave every line alone that an edit does not touch", async () => {
    const program = programOf("a.py", python);
    const candidates = await singlesOf(program);
    const before = python.split("\n");
    for (const [at, text] of textsOf(program, candidates).entries()) {
      const kept = new Set(text.split("\n"));
      const lost = before.filter((line) => !kept.has(line));
      const touched = candidates[at]!.edits.reduce(
        (sum, { start, end }) => sum + python.slice(start, end).split("\n").length,
        0,
      );
      expect(lost.length, candidates[at]!.title).toBeLessThanOrEqual(touched + 2);
    }
  });

  it("say where they are and what they do", async () => {
    for (const { title, kinds, cost } of await singlesOf(programOf("src/a.py", python))) {
      expect(title).toMatch(/^src\/a\.py:\d+: \S/);
      expect(title).not.toContain("\n");
      expect(kinds).toHaveLength(1);
      expect(cost).toBeGreaterThanOrEqual(0.5);
    }
  });

  it("begin at the most suspicious line", async () => {
    const path = "a.py";
    const text = "def f(a, b):\n    x = a < b\n    y = b < a\n    return x, y\n";
    const suspects = [
      { path, line: 2, suspicion: 0.3 },
      { path, line: 3, suspicion: 1 },
    ];
    const [first] = await listSingles({ files: [{ path, content: text }], tests: [], suspects });
    expect(first!.title).toMatch(/^a\.py:3: /);
  });

  it("stand only at lines that are suspected", async () => {
    const path = "a.py";
    const text = "def f(a):\n    b = a + 1\n    return b\n\n\ndef g(a):\n    return a - 1\n";
    const suspects = [{ path, line: 7, suspicion: 1 }];
    const candidates = await singlesOf({ files: [{ path, content: text }], tests: [], suspects });
    expect(candidates.every(({ edits }) => edits.every(({ start }) => start > text.indexOf("def g")))).toBe(true);
    expect(candidates.length).toBeGreaterThan(5);
  });

  it("are none for a text with faults, an empty file, and a language that is not read", async () => {
    expect(await listSingles(programOf("a.py", "def f(:\n    return\n"))).toEqual([]);
    expect(await listSingles(programOf("a.py", ""))).toEqual([]);
    expect(await listSingles(programOf("a.rb", "puts 1\n"))).toEqual([]);
    expect(await listSingles({ files: [], tests: [], suspects: [] })).toEqual([]);
  });

  it("take constants of the tests, but think less of them than of the program's own", async () => {
    const text = "def f(n):\n    return n * 7\n\n\ndef g(n):\n    return n * 9\n";
    const tests = [{ path: "test_a.py", content: "def test():\n    assert f(31) == 527\n" }];
    const program = programOf("a.py", text, tests);
    const texts = textsOf(program, await singlesOf(program));
    const own = texts.indexOf(text.replace("* 7", "* 9"));
    expect(own).toBeGreaterThanOrEqual(0);
    expect(texts.indexOf(text.replace("* 7", "* 527"))).toBeGreaterThan(own);
  });

  it("are bounded, and listed in bounded time, for a file of ten thousand lines", async () => {
    const path = "a.py";
    const part = (at: number) =>
      `def f${at}(a, b):\n    c = a * ${at}\n    if c < b:\n        return c - b\n    return b\n`;
    const content = Array.from({ length: 2000 }, (_, at) => part(at)).join("");
    const suspects = [7502, 7503, 7504, 7505].map((line) => ({ path, line, suspicion: 0.8 }));
    const candidates = await listSingles({ files: [{ path, content }], tests: [], suspects });
    expect(candidates.length).toBeGreaterThan(50);
    expect(candidates.length).toBeLessThanOrEqual(500);
    for (const { title } of candidates) expect(Number(/:(\d+):/.exec(title)![1])).toBeGreaterThan(7499);
  }, 20_000);
});
