// One request as a stream of the AI SDK's parts: no retries, no telemetry, and nothing printed.

import type { CallWarning, JSONSchema7, streamText, ToolSet, wrapLanguageModel } from "ai";
import type { Endpoint } from "../configuration/configuration.ts";
import { isStrict, type Step } from "../model/ladder.ts";
import type { Life } from "./life.ts";
import { formatOf, loadProvider } from "./provider.ts";
import type { Exchange } from "./sdk-wire.ts";

type Stream = ReturnType<typeof streamText>["stream"];

export type StreamPart = Stream extends AsyncIterable<infer Part> ? Part : never;

/** The last part of an answer: why it ended, what it cost, who gave it. */
export type StreamEnd = Extract<StreamPart, { type: "finish-step" }>;

/** Sends a request; what the SDK warns of is added to `warnings`. */
export type OpenStream = (exchange: Exchange, step: Step | undefined, life: Life, warnings: string[]) => Stream;

/** Loads what a kind of endpoint needs. */
export async function loadStream(kind: Endpoint["kind"]): Promise<OpenStream> {
  const [{ jsonSchema, streamText, wrapLanguageModel }, openModel] = await Promise.all([
    import("ai"),
    loadProvider(kind),
  ]);
  return ({ endpoint, request, call }, step, life, warnings) => {
    const { system, prompt, images, schema, tools = [], temperature, topP, maxTokens } = request;
    const files = images.map(({ bytes, mediaType }) => ({ type: "file", data: bytes, mediaType }) as const);
    const model = openModel(endpoint, request.model, life);
    // Without `execute` a call is only told.
    const offered = tools.map(({ name, description, parameters }) => {
      const inputSchema = jsonSchema(parameters as JSONSchema7);
      return [name, { description, inputSchema, strict: isStrict(parameters) }] as const;
    });
    const way = [call.idempotencyKey, ...(tools.length > 0 ? ["tools"] : []), ...(step ? [step] : [])];
    return streamText({
      model: wrapLanguageModel({ model, middleware: takeWarnings(warnings) }),
      instructions: system,
      messages: [{ role: "user", content: [...files, { type: "text", text: prompt }] }],
      temperature,
      topP,
      maxOutputTokens: maxTokens,
      ...formatOf(step, schema),
      ...(offered.length > 0 && { tools: Object.fromEntries(offered) as ToolSet }),
      // A step of the ladder is another request, so its key is another.
      headers: { "idempotency-key": encodeURIComponent(way.join(" ")) },
      abortSignal: life.signal,
      maxRetries: 0,
      telemetry: { isEnabled: false },
      // Errors are read from the stream; the SDK would print them too.
      onError: () => {},
    }).stream;
  };
}

type Middleware = Parameters<typeof wrapLanguageModel>[0]["middleware"];

/** Takes the SDK's warnings out of the stream: it would print them. */
function takeWarnings(warnings: string[]): Middleware {
  return {
    specificationVersion: "v4",
    async wrapStream({ doStream }) {
      const { stream, ...rest } = await doStream();
      type Part = typeof stream extends ReadableStream<infer P> ? P : never;
      const taking = new TransformStream<Part, Part>({
        transform(part, controller) {
          if (part.type !== "stream-start") return controller.enqueue(part);
          warnings.push(...part.warnings.map(warningToWords));
          controller.enqueue({ ...part, warnings: [] });
        },
      });
      return { stream: stream.pipeThrough(taking), ...rest };
    },
  };
}

function warningToWords(warning: CallWarning): string {
  switch (warning.type) {
    case "unsupported":
      return joined(`${warning.feature} is not supported`, warning.details);
    case "compatibility":
      return joined(`${warning.feature} is only imitated`, warning.details);
    case "deprecated":
      return joined(`${warning.setting} is deprecated`, warning.message);
    case "other":
      return warning.message;
  }
}

function joined(what: string, details: string | undefined): string {
  return details ? `${what}: ${details}` : what;
}
