import { FormatError, type ModelAnswer, type ModelRequest, type PromptPart } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { RenderedPrompt } from "../prompt/prompts.ts";
import { type Asker, askObject, askText, type Question } from "./ask.ts";

interface Asked {
  role: string;
  key: string;
  request: ModelRequest;
}

/** A context whose models all give one answer, and what they were asked. */
function asker(text: string, finishReason = "stop"): { ctx: Asker; asked: Asked[] } {
  const asked: Asked[] = [];
  const answer: ModelAnswer = { text, finishReason, model: "scripted", usage: { tokens: 1, usd: 0 } };
  const ctx: Asker = {
    model: (role) => ({
      call: async (key, request) => {
        asked.push({ role, key, request });
        return answer;
      },
    }),
  };
  return { ctx, asked };
}

const rendered: RenderedPrompt = {
  id: "review",
  version: 2,
  hash: "0123456789abcdef0123",
  role: "judge",
  system: "You judge boats.",
  parts: [{ name: "task", text: "Judge this.", priority: 1, floor: 10 }],
  text: "Judge this.",
  temperature: 0,
  maxTokens: 500,
  output: "object",
};
const picture = { name: "front.png", digest: "d", bytes: 3, folder: "iter-000" } as never;
const Verdict = z.object({ verdict: z.enum(["pass", "fail"]) });
const plain: Question = { prompt: "Judge.", role: "judge" };

describe("askText", () => {
  it("sends a prompt as a request that names its version and hash, and gives the answer without its thought", async () => {
    const { ctx, asked } = asker("<think>hm</think>Fine.");
    expect(await askText(ctx, "review", { prompt: rendered, images: [picture] })).toBe("Fine.");
    expect(asked).toEqual([
      {
        role: "judge",
        key: "review",
        request: {
          id: "review@2#0123456789ab",
          system: "You judge boats.",
          prompt: rendered.parts,
          images: [picture],
          temperature: 0,
          maxTokens: 500,
        },
      },
    ]);
  });

  it("asks another role where one is named, and takes a plain text", async () => {
    const { ctx, asked } = asker("Fine.");
    await askText(ctx, "a", { prompt: rendered, role: "second-judge" });
    await askText(ctx, "b", plain);
    expect(asked.map(({ role }) => role)).toEqual(["second-judge", "judge"]);
    expect(asked[1]!.request).toEqual({ prompt: "Judge." });
  });

  it.each([
    ["an empty answer", "", "stop", "ANSWER_EMPTY"],
    ["one of nothing but thought", "<think>hm", "stop", "ANSWER_EMPTY"],
    ["one that was cut off, however whole it looks", "Fine.", "length", "ANSWER_CUT"],
    ["one that was withheld", "", "content-filter", "ANSWER_WITHHELD"],
  ])("refuses %s", async (_title, text, finishReason, code) => {
    const error = await askText(asker(text, finishReason).ctx, "a", plain).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FormatError);
    expect(error).toMatchObject({ code });
  });
});

describe("askObject", () => {
  it("adds the form in words behind the prompt's own parts, and the schema to the request", async () => {
    const { ctx, asked } = asker('Here: {"verdict": "pass",}');
    expect(await askObject(ctx, "review", Verdict, { prompt: rendered })).toEqual({ verdict: "pass" });
    const { prompt, schema } = asked[0]!.request;
    expect(prompt).toEqual([
      rendered.parts[0],
      { name: "format", priority: 0, text: expect.stringContaining('- "verdict": one of') },
    ]);
    expect(schema).toMatchObject({ type: "object", required: ["verdict"] });
  });

  it("adds it to a plain text too", async () => {
    const { ctx, asked } = asker('{"verdict": "fail"}');
    expect(await askObject(ctx, "review", Verdict, plain)).toEqual({ verdict: "fail" });
    expect((asked[0]!.request.prompt as readonly PromptPart[]).map(({ name }) => name)).toEqual(["prompt", "format"]);
  });

  it.each([
    ["an empty answer", "", "stop", "ANSWER_EMPTY"],
    ["one that was cut off, though its JSON is whole", '{"verdict": "pass"}', "length", "ANSWER_CUT"],
    ["one that is truncated though the server says it is not", '{"verdict": "pass"', "stop", "ANSWER_CUT"],
    ["a refusal", "I cannot judge boats.", "stop", "NO_JSON"],
    ["one that does not fit", '{"verdict": "maybe"}', "stop", "NOT_FITTING"],
  ])("refuses %s", async (_title, text, finishReason, code) => {
    const error = await askObject(asker(text, finishReason).ctx, "a", Verdict, plain).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(FormatError);
    expect(error).toMatchObject({ code });
  });
});
