// Redaction of what is recorded.

import { memoryEngine, runOf } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { passed, singlePhase } from "../../../../test/fakes/loops.ts";
import type { Json } from "./json.ts";
import { loadRun } from "./load.ts";
import { redactBytes, redactEvent, redactTexts } from "./redact.ts";

const redact = (text: string) => text.replaceAll("hush", "[secret]");

describe("a redacted value", () => {
  it("has no secret in any text or name, however deep", () => {
    const value = { a: ["x hush", { "a hush": { b: "hush" } }], n: 1, t: true, z: null };
    expect(redactTexts(value, redact)).toEqual({
      a: ["x [secret]", { "a [secret]": { b: "[secret]" } }],
      n: 1,
      t: true,
      z: null,
    });
  });

  it("is the value itself where there is nothing to take out", () => {
    const value = { a: ["x", { b: "y" }], bytes: new Uint8Array(3) };
    expect(redactTexts(value, redact)).toBe(value);
    expect(redactTexts(value, undefined)).toBe(value);
  });

  it("keeps `__proto__` a name like any other", () => {
    const value = JSON.parse('{"__proto__": {"a": "hush"}}');
    expect(JSON.stringify(redactTexts(value, redact))).toBe('{"__proto__":{"a":"[secret]"}}');
  });
});

describe("a redacted event", () => {
  it("loses secrets in what was said and made, and keeps what a run finds its way by", () => {
    const gate = { id: "hush@1", question: "hush?", choices: ["hush"] };
    const event = {
      type: "x",
      key: "hush",
      folder: "hush",
      data: ["hush"],
      gate,
      ending: { next: "hush", reason: "hush" },
    };
    expect(redactEvent(event, redact)).toEqual({
      ...event,
      data: ["[secret]"],
      gate: { ...gate, question: "[secret]?" },
      ending: { next: "hush", reason: "[secret]" },
    });
  });
});

describe("redacted bytes", () => {
  it("of a text in any encoding lose the secret and nothing else", () => {
    expect(Buffer.from(redactBytes("é hush", redact)).toString()).toBe("é [secret]");
    expect(Buffer.from(redactBytes(Buffer.from("é hush"), redact)).toString()).toBe("é [secret]");
    expect(Buffer.from(redactBytes(Buffer.from("\u00e9 hush", "latin1"), redact)).toString("latin1")).toBe(
      "é [secret]",
    );
  });

  it("of what is no text stay as they are", () => {
    const bytes = Buffer.from("hush\0");
    expect(redactBytes(bytes, redact)).toBe(bytes);
    const plain = Buffer.from("nothing");
    expect(redactBytes(plain, redact)).toBe(plain);
  });
});

describe("a run whose secrets are known", () => {
  it("gives a phase what it records, and records no secret", async () => {
    const test = memoryEngine({ redact });
    const seen: Json[] = [];
    const loop = singlePhase(async (ctx) => {
      seen.push(await ctx.effect("read", { input: "hush", run: () => ({ said: "hush" }) }));
      const failed = await ctx.effect("fail", { run: () => Promise.reject(new Error("hush")) }).catch((error) => error);
      seen.push(failed.message);
      await ctx.tell("note", "hush");
      const artifact = await ctx.save("a.txt", "hush");
      seen.push(Buffer.from(await ctx.load(artifact)).toString());
      return passed(ctx, { result: "hush" });
    });
    const { state } = await test.engine.start(loop, { text: "hush" });
    expect(seen).toEqual([{ said: "[secret]" }, "[secret]", "[secret]"]);
    expect(state).toMatchObject({ result: "[secret]" });
    expect(JSON.stringify(test.events)).not.toContain("hush");
    const { record, input } = await loadRun(test.journal, await runOf(test));
    expect(input).toEqual({ text: "[secret]" });
    expect(JSON.stringify(record)).not.toContain("hush");
  });
});
