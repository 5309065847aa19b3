// Providers: the AI SDK's packages behind each kind of endpoint, loaded when one is first called.

import type { Json } from "@loopwright/core";
import type { LanguageModel, streamText } from "ai";
import { isObject } from "../calls.ts";
import type { Endpoint } from "../configuration/configuration.ts";
import { type Life, openFetch } from "./connection.ts";
import type { Way } from "./transport.ts";

type StreamTextOptions = Parameters<typeof streamText>[0];

/** Makes the model of an endpoint, for the life of one call. */
type OpenModel = (endpoint: Endpoint, model: string, life: Life) => LanguageModel;

/** Loads the package behind a kind of endpoint. It is always given a key, so that it takes none of the environment. */
export async function loadProvider(kind: Endpoint["kind"]): Promise<OpenModel> {
  switch (kind) {
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const more = { name: "openaiCompatible", includeUsage: true, supportsStructuredOutputs: true };
      return (endpoint, model, life) =>
        createOpenAICompatible({ ...settingsOf(endpoint, life, true), ...more }).chatModel(model);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return (endpoint, model, life) => createOpenAI(settingsOf(endpoint, life)).responses(model);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return (endpoint, model, life) => createAnthropic(settingsOf(endpoint, life)).messages(model);
    }
    case "command":
      throw new TypeError("a command line has no provider");
  }
}

function settingsOf({ url, key = "", headers }: Endpoint, life: Life, streamsWholeBodies = false) {
  const { base, search } = splitAddress(url);
  return { baseURL: base, apiKey: key, headers: { ...headers }, fetch: openFetch(life, search, streamsWholeBodies) };
}

/** How a step of the ladder is said to the SDK. Nothing is parsed here: the answer is kept as it came. */
export function formatOf(
  step: Way["step"],
  schema: Json | undefined,
): Pick<StreamTextOptions, "providerOptions" | "output"> {
  const strictJsonSchema = isStrict(schema);
  return {
    providerOptions: {
      openaiCompatible: { strictJsonSchema },
      // Otherwise the provider keeps every prompt for a month.
      openai: { strictJsonSchema, store: false },
    },
    ...(step === "json_schema" && { output: rawOutput({ type: "json", schema: schema as object }) }),
    ...(step === "json_object" && { output: rawOutput({ type: "json" }) }),
  };
}

type RawOutput = NonNullable<StreamTextOptions["output"]>;

function rawOutput(format: Awaited<RawOutput["responseFormat"]>): RawOutput {
  return {
    name: "raw",
    responseFormat: Promise.resolve(format),
    parseCompleteOutput: async ({ text }) => text as never,
    parsePartialOutput: async ({ text }) => ({ partial: text as never }),
    createElementStreamTransform: () => undefined,
  };
}

/** An address without its query and trailing slashes, and the query. */
export function splitAddress(url: string): { base: string; search: string } {
  const [, base = "", search = ""] = /^([^?#]*?)\/*(\?[^#]*)?(?:#.*)?$/.exec(url) ?? [];
  return { base, search };
}

/** Whether every object of a schema requires all its properties and allows no others: what providers' `strict` demands. */
export function isStrict(schema: Json | undefined): boolean {
  if (!isObject(schema)) return Array.isArray(schema) ? schema.every(isStrict) : true;
  const { type, properties, required, additionalProperties } = schema;
  if (type === "object" || isObject(properties)) {
    const names = Object.keys(isObject(properties) ? properties : {});
    if (additionalProperties !== false || !Array.isArray(required)) return false;
    if (!names.every((name) => required.includes(name))) return false;
  }
  return Object.entries(schema).every(([name, value]) => VALUES.has(name) || isStrict(value));
}

/** Keywords whose value is data and no schema. */
const VALUES = new Set(["const", "enum", "default", "examples"]);
