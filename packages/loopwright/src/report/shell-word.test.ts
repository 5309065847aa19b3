import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commandLine, inFolder, shellWord, withCommands } from "../arguments/read-arguments.ts";

/** What a shell makes of a word. */
function typed(word: string): string {
  return execFileSync("bash", ["-c", `printf %s ${word}`], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
}

describe("a shell word", () => {
  it("leaves a plain word as it is", () => {
    expect(shellWord("20260105-120000_hull-2")).toBe("20260105-120000_hull-2");
    expect(shellWord("ceilings.phaseMinutes=180")).toBe("ceilings.phaseMinutes=180");
  });

  it.each([
    "give up",
    "",
    "it's",
    "$(touch /tmp/owned)",
    "`id`",
    "a;b|c&d>e<f*g?h[i]",
    "~/x",
    "!!",
    '"quoted"',
    "back\\slash",
    "two\nlines",
    "bell\u0007 and \u001b[31mred",
    "right-to-left \u202e here",
    "naïve 漢字 🙂",
    "tab\tand ' quote",
    "👩‍🔧 fixes",
  ])("is read by a shell as the very text %j", (text) => {
    expect(typed(shellWord(text))).toBe(text);
  });

  it("shows no control character and no hidden mark, so that a command stays what it looks like", () => {
    for (const text of ["two\nlines", "\u001b[2J", "\u202eevil", "a\u2028b"]) {
      expect(shellWord(text)).toMatch(/^[ -~]*$/);
    }
  });
});

describe("a command for a folder", () => {
  const typed = (command: string) => inFolder(command, "my books");

  it("carries it, unless it names one or is about another", () => {
    expect(typed("loopwright resume r1")).toBe("loopwright resume r1 --dir 'my books'");
    expect(typed("loopwright answer r1 -- --yes")).toBe("loopwright answer r1 --dir 'my books' -- --yes");
    expect(inFolder("loopwright runs", undefined)).toBe("loopwright runs");
    for (const whole of [
      "loopwright init <folder> --loop code",
      "loopwright runs --dir b",
      "loopwright code --project b",
    ])
      expect(typed(whole)).toBe(whole);
  });

  it("is found in a text by its backticks", () => {
    const text = "it waits: `loopwright explain r1`; `npm link`, loopwright runs, `loopwright runs`";
    expect(withCommands(text, typed)).toBe(
      "it waits: `loopwright explain r1 --dir 'my books'`; `npm link`, loopwright runs, `loopwright runs --dir 'my books'`",
    );
  });
});

describe("a command line", () => {
  it("puts its words together", () => {
    expect(commandLine(["resume", "run", "--max-iterations", "30"])).toBe("loopwright resume run --max-iterations 30");
  });

  it("sets a last word apart that would be read as a flag", () => {
    expect(commandLine(["answer", "run"], "--yes")).toBe("loopwright answer run -- --yes");
    expect(commandLine(["answer", "run"], "yes")).toBe("loopwright answer run yes");
  });
});
