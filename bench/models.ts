// The model layer: what a call costs through it, against the bare AI SDK, on a local server that answers at once.
//
// Both stream the same answer from the same server and collect it whole. A sample is one call; calls take turns, and a
// figure is the median. The layer does more for its time: it fits the prompt, counts tokens, queues, watches for stalls,
// takes secrets out and records what came back.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelCall } from "@loopwright/core";
import { openModels, resolveModels } from "@loopwright/models";
import { streamText } from "ai";

const ROUNDS = 400;
const QUICK_ROUNDS = 40;
const WARM_UP = 40;
const AT_ONCE = 1_000;

export const aims = { ratio_to_bare_sdk: 1.3 };

const words = "the loop is the product and it can always say why it stopped ".split(" ");
const prompt = Array.from({ length: 300 }, (_, index) => words[index % words.length]).join(" ");
const answer = Array.from({ length: 100 }, (_, index) => words[index % words.length]).join(" ");

export async function run({ quick }: { quick: boolean }) {
  const server = createServer(answerAtOnce);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  try {
    const bare = bareSdk(url);
    const ours = throughLayer(url);
    const times = { bare: [] as number[], ours: [] as number[] };
    for (let round = -WARM_UP; round < (quick ? QUICK_ROUNDS : ROUNDS); round++) {
      const took = { bare: await time(bare), ours: await time(ours) };
      if (round < 0) continue;
      times.bare.push(took.bare);
      times.ours.push(took.ours);
    }
    const [bareMs, ourMs] = [median(times.bare), median(times.ours)];
    const count = quick ? AT_ONCE / 10 : AT_ONCE;
    const start = performance.now();
    await Promise.all(Array.from({ length: count }, ours));
    return {
      bare_ms: round(bareMs),
      layer_ms: round(ourMs),
      ratio_to_bare_sdk: round(ourMs / bareMs),
      calls_per_s: Math.round((count / (performance.now() - start)) * 1000),
    };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function bareSdk(url: string): () => Promise<string> {
  const provider = createOpenAICompatible({ name: "bare", baseURL: url, includeUsage: true });
  return async () => streamText({ model: provider("instant"), prompt, maxRetries: 0 }).text;
}

function throughLayer(url: string): () => Promise<string> {
  const configuration = resolveModels({ url, model: ["instant"] }, {});
  const model = openModels(configuration)("writer");
  const call: ModelCall = {
    signal: new AbortController().signal,
    idempotencyKey: "bench",
    ordinal: "1/bench",
    progress: () => {},
    load: async () => new Uint8Array(),
    wait: async () => {},
    charge: () => {},
    again: async () => {},
  };
  return async () => (await model.call({ prompt }, call)).text;
}

/** An OpenAI-compatible server that streams the answer in ten pieces, at once. */
function answerAtOnce(
  request: import("node:http").IncomingMessage,
  response: import("node:http").ServerResponse,
): void {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (body: object) =>
      response.write(`data: ${JSON.stringify({ id: "1", created: 1, model: "instant", ...body })}\n\n`);
    const size = Math.ceil(answer.length / 10);
    for (let at = 0; at < answer.length; at += size)
      send({ choices: [{ index: 0, delta: { role: "assistant", content: answer.slice(at, at + size) } }] });
    send({
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
      usage: { prompt_tokens: 320, completion_tokens: 110, total_tokens: 430 },
    });
    response.end("data: [DONE]\n\n");
  });
}

async function time(call: () => Promise<string>): Promise<number> {
  const start = performance.now();
  if ((await call()) !== answer) throw new Error("the answer is not what the server sent");
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
