// Probing an endpoint: is it there, what does it serve, how large a context, which structured output works, how fast.
//
// Servers tell their context in ways of their own; each is asked, and what none tells is left unknown.

import { z } from "zod";
import { splitAddress } from "../wire/provider.ts";
import type { Wire, WireAnswer } from "../wire/wire.ts";
import type { Endpoint, ModelName } from "./configuration.ts";

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
    probe.fault = messageOf(error);
  }
  return probe;
}

async function tryModel(endpoint: Endpoint, model: string, wire: Wire): Promise<NonNullable<Probe["tried"]>> {
  const served = await servedContext(endpoint, model).catch(() => undefined);
  const answer = await wire(smallRequest({ endpoint: endpoint.name, model }), {
    signal: AbortSignal.timeout(LIMIT_MS * 12),
    onText: () => {},
    idempotencyKey: "probe",
    ordinal: "probe",
  });
  if (!isAnswer(answer)) throw new Error(`${who(endpoint)} answered with ${unreadable(answer.text)}`);
  const speed = tokensPerSecond(answer);
  return {
    model,
    answeredBy: answer.model,
    ...(served !== undefined && { served }),
    ...(answer.structured !== undefined && { structured: answer.structured }),
    ...(speed !== undefined && { tokensPerSecond: speed }),
  };
}

/** Whether there is anything to read; a model that used up its room by thinking would have gone on. */
function isAnswer({ text, reasoning = "", finishReason }: WireAnswer): boolean {
  return finishReason === "length" || /[^\p{C}\p{Z}\uFFFD]/u.test(text + reasoning);
}

function unreadable(text: string): string {
  return text.trim() === "" ? "nothing" : `${text.length} characters, and none that can be read`;
}

function who({ kind, url }: Endpoint): string {
  return kind === "command" ? `the command '${url}'` : "it";
}

function smallRequest(name: ModelName): Parameters<Wire>[0] {
  return {
    ...name,
    prompt: 'Count from one to twenty in words. Answer with JSON only: {"words": ["one", "two", …]}',
    images: [],
    maxTokens: 400,
    schema: z.toJSONSchema(z.object({ words: z.array(z.string()) })) as never,
  };
}

function tokensPerSecond({ outputTokens, firstMs, ms }: WireAnswer): number | undefined {
  const streaming = ms - firstMs;
  return outputTokens === undefined || streaming < 50
    ? undefined
    : Math.round((outputTokens / streaming) * 10_000) / 10;
}

const ModelList = z.object({ data: z.array(z.looseObject({ id: z.string(), max_model_len: z.number().optional() })) });

async function listModels(endpoint: Endpoint): Promise<string[]> {
  const { data } = ModelList.parse(await getJson(endpoint, `${trim(endpoint.url)}/models`));
  return data.map(({ id }) => id);
}

/** The context that a server gives a model, by each server's own word for it. */
async function servedContext(endpoint: Endpoint, model: string): Promise<number | undefined> {
  if (endpoint.kind !== "openai-compatible") return undefined;
  const base = trim(endpoint.url);
  const root = base.replace(/\/v1$/, "");
  const asks: (() => Promise<number | undefined>)[] = [
    // vLLM
    async () =>
      ModelList.parse(await getJson(endpoint, `${base}/models`)).data.find(({ id }) => id === model)?.max_model_len,
    // LM Studio
    async () => {
      const found = z.looseObject({ loaded_context_length: z.number() });
      return found.parse(await getJson(endpoint, `${root}/api/v0/models/${encodeURIComponent(model)}`))
        .loaded_context_length;
    },
    // llama.cpp
    async () => {
      const found = z.looseObject({ default_generation_settings: z.looseObject({ n_ctx: z.number() }) });
      return found.parse(await getJson(endpoint, `${root}/props`)).default_generation_settings.n_ctx;
    },
    // Ollama: its own limit where one is set, for it cuts prompts silently there
    async () => {
      const found = z.looseObject({ parameters: z.string().optional() });
      const { parameters = "" } = found.parse(await getJson(endpoint, `${root}/api/show`, { model }));
      const limit = /num_ctx\s+(\d+)/.exec(parameters)?.[1];
      return limit === undefined ? undefined : Number(limit);
    },
  ];
  for (const ask of asks) {
    const found = await ask().catch(() => undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function getJson({ key, headers, kind, url: own }: Endpoint, url: string, body?: unknown): Promise<unknown> {
  const { search } = splitAddress(own);
  const auth: Record<string, string> =
    key === undefined ? {} : kind === "anthropic" ? { "x-api-key": key } : { authorization: `Bearer ${key}` };
  const { address, credentials } = splitCredentials(url, search);
  const response = await fetch(address, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...credentials,
      ...auth,
      ...headers,
      ...(kind === "anthropic" && { "anthropic-version": "2023-06-01" }),
    },
    signal: AbortSignal.timeout(LIMIT_MS),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return response.json();
}

/** The address of an endpoint without its query and without slashes at its end. */
function trim(url: string): string {
  return splitAddress(url).base;
}

/** `fetch` takes no address with a name and a password in it; they go as a header. */
function splitCredentials(url: string, search: string): { address: string; credentials: Record<string, string> } {
  const parsed = new URL(`${url}${search}`);
  const { username, password } = parsed;
  parsed.username = "";
  parsed.password = "";
  if (username === "" && password === "") return { address: parsed.href, credentials: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { address: parsed.href, credentials: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } };
}

/** The words of an error, with those of its cause: `fetch failed` alone says nothing. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
