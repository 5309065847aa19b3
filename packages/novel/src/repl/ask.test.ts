import { describe, expect, it } from "vitest";
import { fakeTerminal, scriptedInput } from "../../../../test/fakes/novel-terminal.ts";
import { askText, askWord, promptFor } from "./input/input.ts";
import { Output } from "./words/output.ts";

function asking(lines: readonly string[], options: { isJson?: boolean; yes?: boolean } = {}) {
  const { terminal, printed } = fakeTerminal({ isJson: options.isJson ?? false });
  const input = scriptedInput(...lines);
  return { output: new Output(terminal), input, printed, context: { isSet: () => options.yes === true } };
}

describe("A question of the REPL's own", () => {
  it("is asked until one of its words, or a beginning of one, is said", async () => {
    const given = asking(["", "perhaps", "D"]);
    expect(await askWord(given, "Go on?", ["yes", "no", "drop"], "no")).toBe("drop");
    expect(given.input.asked).toHaveLength(3);
    expect(given.input.asked[0]).toMatchObject({ prompt: "Go on? (yes/no/drop): ", isAnswer: true });
    expect(given.printed()).toBe("Please answer with one of: yes, no, drop\n".repeat(2));
  });

  it("is wrapped in a terminal without a word broken", async () => {
    const given = asking(["yes"]);
    Object.assign(given.output.terminal, { stdout: { isTTY: true }, columns: 40 });
    await askWord(given, `Go on with "${"lighthouse ".repeat(9)}"?`, ["yes", "no"], "no");
    const shown = [...given.printed().split("\n"), given.input.asked[0]!.prompt].filter((line) => line !== "");
    expect(shown.every((line) => line.length <= 40)).toBe(true);
    expect(shown.join(" ").match(/lighthouse/g)).toHaveLength(9);
  });

  it("says how to leave where that is wanted", async () => {
    const given = asking(["/quit", "/q", "yes"]);
    expect(await askWord(given, "Go on?", ["yes", "no"], "no")).toBe("yes");
    expect(given.printed()).toBe("A question is open: Ctrl-C twice, or the end of input (Ctrl-D), leaves\n".repeat(2));
  });

  it("has no answer at the end of input", async () => {
    expect(await askWord(asking([]), "Go on?", ["yes", "no"], "no")).toBeUndefined();
    expect(await askText(asking([]), "What?")).toBeUndefined();
  });

  it("takes its default with --yes, and says so", async () => {
    const given = asking(["yes"], { yes: true });
    expect(await askWord(given, "Go on?", ["yes", "no"], "no")).toBe("no");
    expect(given.printed()).toBe("Go on? (yes/no): no\n");
    expect(await askText(given, "What?")).toBeUndefined();
  });

  it("is an object with --json", async () => {
    const given = asking(["yes"], { isJson: true });
    await askWord(given, "Go on?", ["yes", "no"], "no");
    const asked = { v: 1, type: "novel-asked", question: "Go on?", choices: ["yes", "no"], default: "no" };
    expect(JSON.parse(given.printed())).toMatchObject(asked);
  });

  it("that is longer than a line breaks between words, at 40 columns and at 80", () => {
    const question = `Reject, and try again with "${"the brother must stay in the harbor ".repeat(4).trim()}"? (yes/no): `;
    for (const columns of [40, 80]) {
      const { terminal, printed } = fakeTerminal({ isTTY: true });
      const prompt = promptFor(new Output(Object.assign(terminal, { columns })), question);
      const lines = [...printed().trimEnd().split("\n"), prompt];
      expect(lines.every((line) => line.length < columns)).toBe(true);
      expect(lines.join(" ").split(/\s+/)).toEqual(question.split(/\s+/));
    }
  });

  it("may ask for free text, which may not be nothing", async () => {
    expect(await askText(asking(["  a story  "]), "What?")).toBe("a story");
    expect(await askText(asking(["  "]), "What?")).toBeUndefined();
  });
});
