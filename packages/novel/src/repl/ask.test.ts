import { describe, expect, it } from "vitest";
import { fakeTerminal, scriptedInput } from "../../../../test/fakes/novel-terminal.ts";
import { askText, askWord } from "./ask.ts";
import { Voice } from "./words/voice.ts";

function asking(lines: readonly string[], options: { isJson?: boolean; yes?: boolean } = {}) {
  const { terminal, printed } = fakeTerminal({ isJson: options.isJson ?? false });
  const input = scriptedInput(...lines);
  return { voice: new Voice(terminal), input, printed, context: { isSet: () => options.yes === true } };
}

describe("A question of the REPL's own", () => {
  it("is asked until one of its words, or a beginning of one, is said", async () => {
    const given = asking(["", "perhaps", "D"]);
    expect(await askWord(given, "Go on?", ["yes", "no", "drop"], "no")).toBe("drop");
    expect(given.input.asked).toHaveLength(3);
    expect(given.input.asked[0]).toMatchObject({ prompt: "Go on? (yes/no/drop): ", isAnswer: true });
    expect(given.printed()).toBe("Please answer with one of: yes, no, drop\n".repeat(2));
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

  it("may ask for free text, which may not be nothing", async () => {
    expect(await askText(asking(["  a story  "]), "What?")).toBe("a story");
    expect(await askText(asking(["  "]), "What?")).toBeUndefined();
  });
});
