// Probing an endpoint: is it there, what does it serve, how large a context, which structured output works, how fast.
//
// Servers tell their context in ways of their own; each is asked, and what none tells is left unknown.

import { z } from "zod";
import { openFetch, watchLife } from "../wire/connection.ts";
import { splitAddress } from "../wire/provider.ts";
import type { Wire } from "../wire/wire.ts";
import type { Endpoint } from "./configuration.ts";

/** What an endpoint says when it is asked who it is. */
export interface Probe {
  endpoint: string;
  isReachable: boolean;
  /** Why it is not, or what else went wrong. */
  fault?: string;
  models: string[];
  tried?: {
    model: string;
    /** The model that answered. */
    answeredBy: string;
    /** The context that the server gives it, in tokens. */
    served?: number;
    structured?: string;
    tokensPerSecond?: number;
  };
}

const LIMIT_MS = 10_000;

/** Asks an endpoint what it serves, and one of its models for a small answer. */
export async function probeEndpoint(endpoint: Endpoint, model: string | undefined, wire: Wire): Promise<Probe> {
  const probe: Probe = { endpoint: endpoint.name, isReachable: false, models: [] };
  try {
    if (endpoint.kind !== "command") probe.models = await listModels(endpoint);
    probe.isReachable = true;
    const asked = model ?? probe.models[0];
    if (asked !== undefined) probe.tried = await tryModel(endpoint, asked, wire);
  } catch (error) {
    probe.fault = error instanceof Error ? error.message : String(error);
  }
  return probe;
}

async function tryModel(endpoint: Endpoint, model: string, wire: Wire): Promise<NonNullable<Probe["tried"]>> {
  const served = await servedContext(endpoint, model).catch(() => undefined);
  const answer = await wire(
    { endpoint: endpoint.name, model, ...question },
    {
      signal: AbortSignal.timeout(LIMIT_MS * 12),
      onText: () => {},
      idempotencyKey: "probe",
      ordinal: "probe",
    },
  );
  const { text, reasoning = "", finishReason, firstMs, ms, outputTokens } = answer;
  // A model that used up its room by thinking would have gone on.
  if (finishReason !== "length" && !/[^\p{C}\p{Z}\uFFFD]/u.test(text + reasoning)) {
    const who = endpoint.kind === "command" ? `the command '${endpoint.url}'` : "it";
    const what = text.trim() === "" ? "nothing" : `${text.length} characters, and none that can be read`;
    throw new Error(`${who} answered with ${what}`);
  }
  const isMeasured = outputTokens !== undefined && ms - firstMs >= 50;
  const tokensPerSecond = isMeasured ? Math.round((outputTokens / (ms - firstMs)) * 10_000) / 10 : undefined;
  return { model, answeredBy: answer.model, served, structured: answer.structured, tokensPerSecond };
}

const question = {
  prompt: 'Count from one to twenty in words. Answer with JSON only: {"words": ["one", "two", …]}',
  images: [],
  maxTokens: 400,
  schema: z.toJSONSchema(z.object({ words: z.array(z.string()) })) as never,
};

const ModelList = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

async function listModels(endpoint: Endpoint): Promise<string[]> {
  const { data } = ModelList.parse(await getJson(endpoint, `${splitAddress(endpoint.url).base}/models`));
  return data.map(({ id }) => id);
}

/** The context that a server gives a model, by each server's own word for it. */
async function servedContext(endpoint: Endpoint, model: string): Promise<number | undefined> {
  if (endpoint.kind !== "openai-compatible") return undefined;
  const { base } = splitAddress(endpoint.url);
  const root = base.replace(/\/v1$/, "");
  // biome-ignore lint/suspicious/noExplicitAny: whatever a server answers
  type Read = (found: any) => unknown;
  const places: [url: string, read: Read, body?: object][] = [
    // vLLM, LM Studio, llama.cpp, and Ollama: its own limit where one is set, for it cuts prompts silently there
    [`${base}/models`, ({ data }) => data.find(({ id }: { id: string }) => id === model).max_model_len],
    [`${root}/api/v0/models/${encodeURIComponent(model)}`, (found) => found.loaded_context_length],
    [`${root}/props`, (found) => found.default_generation_settings.n_ctx],
    [`${root}/api/show`, ({ parameters }) => Number(/num_ctx\s+(\d+)/.exec(parameters)![1]), { model }],
  ];
  for (const [url, read, body] of places) {
    const found = await getJson(endpoint, url, body)
      .then(read, () => undefined)
      .catch(() => undefined);
    if (typeof found === "number") return found;
  }
  return undefined;
}

async function getJson({ key, headers, kind, url: own }: Endpoint, url: string, body?: object): Promise<unknown> {
  const auth: Record<string, string> =
    key === undefined ? {} : kind === "anthropic" ? { "x-api-key": key } : { authorization: `Bearer ${key}` };
  const life = watchLife(LIMIT_MS, AbortSignal.timeout(LIMIT_MS));
  try {
    const ask = openFetch(life, splitAddress(own).search);
    const response = await ask(url, {
      method: body ? "POST" : "GET",
      headers: { ...auth, ...headers, ...(kind === "anthropic" && { "anthropic-version": "2023-06-01" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return await response.json();
  } finally {
    life.end();
  }
}
