import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { ExecutionError, errorToRecord, recordToError } from "../errors.ts";
import { parseRow } from "./load.ts";
import { redactEvent } from "./redact.ts";

function breakPlank(): never {
  throw new TypeError("undefined is not a boat\n    at no place of its own");
}

describe("an error inside an effect", () => {
  it("keeps its stack in the journal, down to where the engine called it, and the phase gets it", async () => {
    const seen: string[] = [];
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("build", { run: () => breakPlank() }).catch((error: Error) => seen.push(error.stack ?? ""));
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null);
    const events = (await test.journal.read(run)).map((row) => parseRow(run, row));
    const failed = events.find((event) => event.type === "effect-failed");
    expect(failed?.error.stack).toMatch(
      /^ {4}at breakPlank \(.*error-stacks\.test\.ts:\d+:\d+\)\n {4}at .*error-stacks\.test\.ts/,
    );
    expect(failed?.error.stack).not.toMatch(/run\/effects|node:internal|no place of its own/);
    expect(seen).toEqual([`TypeError: ${failed!.error.message}\n${failed!.error.stack}`]);
  });

  it("keeps it over the journal and back, without what is secret", () => {
    const record = errorToRecord(new ExecutionError("ROTTEN", "it broke"));
    expect(errorToRecord(recordToError(record))).toEqual(record);
    const { error } = redactEvent({ error: { ...record, stack: "    at hush (file:1:1)" } }, (text) =>
      text.replaceAll("hush", "[secret]"),
    );
    expect(error.stack).toBe("    at [secret] (file:1:1)");
  });

  it("has none where what was thrown has none", () => {
    expect(errorToRecord("a plank")).not.toHaveProperty("stack");
    expect(errorToRecord(Object.assign(new Error("x"), { stack: 7 }))).not.toHaveProperty("stack");
  });
});
