import { describe, expect, it } from "vitest";
import { readBlocks } from "./blocks.ts";

const file = (path: string, content: string) => `===FILE: ${path}===\n${content}\n===END FILE===\n`;
const command = (text: string) => `===CMD===\n${text}\n===END CMD===\n`;

describe("edits in an answer", () => {
  const edit = (path: string, ...parts: [string, string][]) =>
    `===EDIT: ${path}===\n${parts.map(([a, b]) => `<<<<<<< SEARCH\n${a}\n=======\n${b}\n>>>>>>> REPLACE\n`).join("")}===END EDIT===\n`;

  it("are read file by file, in their order, and their text is to the letter", () => {
    const { edits, files, problems } = readBlocks(
      `${edit("a.py", ["one\n  two", "three"], ["x", ""])}\n${edit("`/workspace/src/b.py`", ["==", "==="])}${edit("a.py", ["last", "l"])}`,
    );
    expect({ files, problems }).toEqual({ files: [], problems: [] });
    expect(edits).toEqual([
      {
        path: "a.py",
        edits: [
          { search: "one\n  two", replace: "three" },
          { search: "x", replace: "" },
          { search: "last", replace: "l" },
        ],
      },
      { path: "src/b.py", edits: [{ search: "==", replace: "===" }] },
    ]);
  });

  it.each([
    ["===EDIT: a.py===\n<<<<<<< SEARCH\none\n=======\ntwo\n===END EDIT===", /without its >>>>>>> REPLACE/],
    ["===EDIT: a.py===\nwhole text\n===END EDIT===", /text outside of an edit/],
    ["===EDIT: a.py===\n===END EDIT===", /holds no <<<<<<< SEARCH/],
    [edit("a.py", ["x", "y"]).replace("===END EDIT===", ""), /has no ===END EDIT===/],
    [`===FILE: a.py===\nx\n===END FILE===\n${edit("A.py", ["x", "y"])}`, /whole and edits of it/],
  ])("without their form are said back, and not used: %j", (answer, words) => {
    const { edits, problems } = readBlocks(answer);
    expect(edits).toEqual([]);
    expect(problems.join("\n")).toMatch(words);
  });
});

describe("an implementer's answer", () => {
  it("gives files and commands in order, prose left out", () => {
    const answer = `Here it is.\n${file("a.py", "x = 1")}And:\n${file("b/c.py", "y = 2\n")}${command("python a.py")}Done.`;
    expect(readBlocks(answer)).toMatchObject({
      files: [
        { path: "a.py", content: "x = 1\n" },
        { path: "b/c.py", content: "y = 2\n" },
      ],
      commands: ["python a.py"],
      problems: [],
    });
  });

  it("holds nothing where there is nothing but prose", () => {
    expect(readBlocks("I would write a.py with === signs === in it.")).toMatchObject({
      files: [],
      commands: [],
      problems: [],
    });
  });

  it.each([
    ["spaces around the marks", "=== FILE: a.py ===\nx = 1\n=== END FILE ==="],
    ["small letters", "===file: a.py===\nx = 1\n===end file==="],
    ["an indent", "  ===FILE: a.py===\nx = 1\n  ===END FILE==="],
    ["a path in backticks", "===FILE: `a.py`===\nx = 1\n===END FILE==="],
    ["line ends of another system", "===FILE: a.py===\r\nx = 1\r\n===END FILE===\r\n"],
    ["a fence round the content", "===FILE: a.py===\n```python\nx = 1\n```\n===END FILE==="],
    ["a fence round the whole", "```\n===FILE: a.py===\nx = 1\n===END FILE===\n```"],
  ])("is read with %s", (_, answer) => {
    expect(readBlocks(answer)).toMatchObject({
      files: [{ path: "a.py", content: "x = 1\n" }],
      commands: [],
      problems: [],
    });
  });

  it("takes a fenced block for prose, whatever it names", () => {
    const answer = "```python\nx = 1\n```\n```python a.py\nx = 2\n```\n```bash\nrm -rf /\n```";
    expect(readBlocks(answer)).toMatchObject({ files: [], commands: [], problems: [] });
  });

  it("keeps a fence inside a Markdown file", () => {
    const markdown = "# Title\n```sh\nls\n```";
    expect(readBlocks(file("README.md", markdown)).files).toEqual([{ path: "README.md", content: `${markdown}\n` }]);
  });

  it("keeps two fenced blocks inside a file block as they are", () => {
    const content = "```python\na\n```\nand\n```python\nb\n```";
    expect(readBlocks(file("notes.txt", content)).files[0]!.content).toBe(`${content}\n`);
  });

  it("says back a file block that is never closed, and uses the whole ones", () => {
    const { files, problems } = readBlocks(`${file("a.py", "x = 1")}===FILE: b.py===\ny = `);
    expect(files.map(({ path }) => path)).toEqual(["a.py"]);
    expect(problems).toEqual([
      "The block for the file 'b.py' has no ===END FILE===: the answer was cut off, so nothing of it was used.",
    ]);
  });

  it("says back a command block that is never closed", () => {
    expect(readBlocks("===CMD===\nrm -r build && echo")).toMatchObject({
      commands: [],
      problems: ["A command block has no ===END CMD===: the answer was cut off, so nothing of it was used."],
    });
  });

  it("says back a block that opens inside another, and takes only the inner one", () => {
    const { files, problems } = readBlocks("===FILE: a.py===\nx = 1\n===FILE: b.py===\ny = 2\n===END FILE===\n");
    expect(files).toEqual([{ path: "b.py", content: "y = 2\n" }]);
    expect(problems).toEqual([
      "The block for the file 'a.py' is not closed before the next block opens, so nothing of it was used.",
    ]);
  });

  it("never runs a command that stands in a file, nor writes a file that a command's mark closes", () => {
    const inside = readBlocks("===FILE: a.py===\n===CMD===\nrm x\n===END CMD===\n===END FILE===\n");
    expect(inside.files).toEqual([]);
    expect(inside.problems).toHaveLength(2);
    const crossed = readBlocks("===FILE: a.py===\nx = 1\n===END CMD===\n");
    expect(crossed.files).toEqual([]);
    expect(crossed.problems[0]).toContain("closed by the mark of another kind");
  });

  it("says back a closing mark where nothing is open", () => {
    expect(readBlocks("===END FILE===").problems).toEqual(["A ===END FILE=== stands where no block is open."]);
  });

  it("takes equal blocks for one, and different ones for one file for none", () => {
    const twice = readBlocks(file("a.py", "x = 1") + file("./a.py", "x = 1"));
    expect(twice).toMatchObject({ files: [{ path: "a.py" }], problems: [] });
    const truncated = readBlocks(file("a.py", "x = 1") + file("A.py", "x = 2") + file("b.py", "y"));
    expect(truncated.files.map(({ path }) => path)).toEqual(["b.py"]);
    expect(truncated.problems[0]).toBe(
      "The answer gives the file 'a.py' 2 times with different contents: give it once.",
    );
  });

  it("does not empty a file, but makes those that are rightly empty", () => {
    const { files, problems } = readBlocks(file("a.py", "") + file("pkg/__init__.py", "") + file("b.py", "  \n"));
    expect(files).toEqual([{ path: "pkg/__init__.py", content: "" }]);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain("is empty, and nothing was written");
  });

  it("keeps several lines of one command together", () => {
    expect(readBlocks(command("cd src\nls") + command("  pwd  ")).commands).toEqual(["cd src\nls", "pwd"]);
  });

  it("says back empty commands", () => {
    const { commands, problems } = readBlocks(command("") + command("ls"));
    expect(commands).toEqual(["ls"]);
    expect(problems).toHaveLength(1);
  });

  it("names a hostile path on one line, without control characters", () => {
    const { problems } = readBlocks(`===FILE: a\u202e\u0007${"b".repeat(300)}===\nx\n`);
    expect(problems[0]).toMatch(/^The block for the file 'a\?\?b+…' has no/);
    expect(problems[0]!.length).toBeLessThan(300);
  });

  it("reads a hostile answer quickly", () => {
    const started = performance.now();
    readBlocks("===FILE: a===\n".repeat(100_000));
    readBlocks("= ".repeat(900_000));
    readBlocks(`===${" ".repeat(500_000)}FILE`);
    readBlocks("```py a.py\n".repeat(100_000));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
