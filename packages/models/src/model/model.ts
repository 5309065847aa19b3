// The model behind a role: the prompt is fitted, the call waits its turn, failures that may pass are tried again, then
// the fallbacks are asked in order, each with tries of its own.
//
// A request that is refused (a wrong key, an unknown model) is neither retried nor sent elsewhere: MODEL_REFUSED. Where
// nothing answers: MODEL_UNREACHABLE. Both end the run as failed, to be resumed. An aborted call throws the reason of the
// abort, and counts as no failure.

import {
  type Model,
  type ModelAnswer,
  type ModelCall,
  type ModelRequest,
  type Usage,
  UsageError,
} from "@loopwright/core";
import type {
  Endpoint,
  ModelName,
  ModelsConfiguration,
  Price,
  Profile,
  RetryPolicy,
} from "../configuration/configuration.ts";
import { costOf, priceOf } from "../configuration/prices.ts";
import { nameToText, profileOf } from "../configuration/resolve.ts";
import { type Fitted, fitPrompt, sizePrompt } from "../prompt/fit.ts";
import { countTokens, IMAGE_TOKENS } from "../prompt/tokens.ts";
import { loadImages } from "../wire/images.ts";
import { retry } from "../wire/transport.ts";
import { type Wire, type WireAnswer, WireError, type WireRequest } from "../wire/wire.ts";
import { type FailedTry, recordAnswer } from "./details.ts";
import { keyMissing, oneLine, refused, unknownEndpoint, unknownRole, unreachable } from "./errors.ts";
import { reportProgress } from "./progress.ts";
import { type Enqueue, openQueues } from "./queue.ts";

export interface ModelOptions {
  /** The queues, where other roles share them. */
  enqueue?: Enqueue;
  /** The real window of a model by `endpoint:model`, where a server was asked for it. */
  served?: Readonly<Record<string, number>>;
  /** Milliseconds on a steady clock, for the rate at which an answer streams. */
  now?: () => number;
}

/** A model that may be asked: the profile's own, or a fallback. Both share the profile's figures. */
interface Candidate extends ModelName {
  at: Endpoint;
  /** The window of its server, where that is smaller than the profile's. */
  served: number | undefined;
  price: Price | undefined;
  hasTools: boolean;
}

interface Setup extends Required<Pick<ModelOptions, "enqueue" | "now">> {
  role: string;
  profile: Profile;
  candidates: readonly Candidate[];
  policy: RetryPolicy;
  /** What to type to see whether models answer. */
  doctor: string;
  wire: Wire;
}

/** Makes the model of a role from its profile; throws MODEL_UNKNOWN where it has none. */
export function makeModel(
  role: string,
  configuration: ModelsConfiguration,
  wire: Wire,
  { enqueue = openQueues(), served = {}, now = () => performance.now() }: ModelOptions = {},
): Model {
  const profile = profileOf(configuration, role);
  if (profile === undefined) throw unknownRole(role, Object.keys(configuration.profiles));
  const candidates = [profile, ...profile.fallback].map((name) =>
    toCandidate(role, name, profile, configuration, served),
  );
  const { retry: policy, doctor = "loopwright doctor --models" } = configuration;
  const setup: Setup = { role, profile, candidates, policy, doctor, wire, enqueue, now };
  return {
    estimate: (request) => estimate(setup, request),
    call: (request, effect) => call(setup, request, effect),
  };
}

function toCandidate(
  role: string,
  { endpoint, model }: ModelName,
  { context, tools }: Profile,
  configuration: ModelsConfiguration,
  served: Readonly<Record<string, number>>,
): Candidate {
  const { endpoints } = configuration;
  const at = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  if (at === undefined) throw unknownEndpoint(role, { endpoint, model }, Object.keys(endpoints));
  const window = served[`${endpoint}:${model}`] ?? served[`${at.name}:${model}`] ?? context;
  const price = priceOf(configuration, { endpoint, model });
  const hasTools = at.kind !== "command" && (tools ?? at.tools ?? at.kind !== "openai-compatible");
  return { endpoint, model, at, price, hasTools, served: window < context ? window : undefined };
}

/** What a call may use at most: its prompt and the longest answer, at the dearest of the models that may be asked. */
function estimate({ profile, candidates }: Setup, request: ModelRequest): Usage {
  const answer = longestAnswer(profile, request);
  const beside = Object.values(sizeBeside(request)).reduce((total, tokens) => total + tokens, 0);
  const prompt = sizePrompt(request.prompt, countTokens) + beside;
  const input = Math.max(0, Math.min(prompt, profile.context - answer));
  return { tokens: input + answer, usd: Math.max(...candidates.map(({ price }) => costOf(price, input, answer))) };
}

/** Asks one model after the other, until one answers. */
async function call(setup: Setup, request: ModelRequest, effect: ModelCall): Promise<ModelAnswer> {
  const { role, profile, candidates, doctor } = setup;
  const images = await loadImages(request.images ?? [], effect.load);
  const tries: FailedTry[] = [];
  for (const candidate of candidates) {
    const { at, model, served, price } = candidate;
    const name = { endpoint: at.name, model };
    try {
      const fitted = fitTo(candidate, profile, request);
      const sent = toWireRequest(request, profile, candidate, fitted, images);
      const answer = await ask(setup, candidate, { request: sent, tokens: fitted.tokens }, effect, tries);
      return recordAnswer(answer, { endpoint: at.name, request: sent, fitted, served, price, tries });
    } catch (error) {
      effect.signal.throwIfAborted();
      if (error instanceof WireError) {
        if (error.lacksKey !== undefined) throw keyMissing(role, name, error.lacksKey);
        if (!error.isRetryable) throw refused(role, name, error, { tries, isCommand: at.kind === "command", doctor });
      } else if (isTooLarge(error) && candidate !== candidates[0]) {
        // A fallback whose window is too small is one that cannot help; what matters is that the others are dead.
        tries.push({ ...name, error: oneLine(error.message), waited: 0 });
      } else throw error;
    }
  }
  throw unreachable(role, tries, { kinds: candidates.map(({ at }) => at.kind), doctor });
}

/** Asks one model until it answers or its tries are used up; each failure is added to `tries`, and charged where a model may
 * have begun on an answer. */
function ask(
  { policy, wire, enqueue, now }: Setup,
  { at, model, price }: Candidate,
  { request, tokens }: { request: WireRequest; tokens: number },
  { signal, idempotencyKey, ordinal, progress, wait, charge, again }: ModelCall,
  tries: FailedTry[],
): Promise<WireAnswer> {
  const makeTry = async () => {
    if (tries.length > 0) await again();
    const onText = reportProgress(model, progress, now);
    try {
      return await enqueue(at, model, signal, () => wire(request, { signal, idempotencyKey, ordinal, onText }));
    } catch (error) {
      const { received } = error as Partial<WireError>;
      if (received !== undefined) {
        const output = Math.max(received, request.maxTokens);
        charge({ tokens: tokens + output, usd: costOf(price, tokens, output) });
      }
      throw error;
    }
  };
  return retry(policy, makeTry, wait, (failure, seconds) => {
    const error = oneLine(failure.message);
    tries.push({ endpoint: at.name, model, error, waited: seconds ?? 0 });
    if (seconds !== undefined) progress({ model, error, next_try_in_s: seconds });
  });
}

function isTooLarge(error: unknown): error is UsageError {
  return error instanceof UsageError && error.code === "PROMPT_TOO_LARGE";
}

function fitTo(candidate: Candidate, profile: Profile, request: ModelRequest): Fitted {
  const window = candidate.served ?? profile.context;
  const answer = longestAnswer(profile, request);
  const name = nameToText({ endpoint: candidate.at.name, model: candidate.model });
  return fitPrompt(request.prompt, { window, answer, beside: sizeBeside(request) }, name, countTokens);
}

/** What the user has configured holds over what a prompt says; what neither says has a default. */
function longestAnswer(profile: Profile, { maxTokens }: ModelRequest): number {
  return profile.hasMaxTokens ? profile.maxTokens : (maxTokens ?? profile.maxTokens);
}

/** The tokens that go along with a prompt. */
function sizeBeside({ system = "", images = [], schema, tools }: ModelRequest): Record<string, number> {
  return {
    system: countTokens(system),
    images: images.length * IMAGE_TOKENS,
    schema: schema === undefined ? 0 : countTokens(JSON.stringify(schema)),
    ...(tools && { tools: countTokens(JSON.stringify(tools)) }),
  };
}

function toWireRequest(
  { system, schema, tools, ...request }: ModelRequest,
  profile: Profile,
  { endpoint, model, hasTools }: Candidate,
  { prompt }: Fitted,
  images: WireRequest["images"],
): WireRequest {
  const temperature = profile.temperature ?? request.temperature;
  const topP = profile.topP ?? request.topP;
  return {
    endpoint,
    model,
    prompt,
    images,
    maxTokens: longestAnswer(profile, request as ModelRequest),
    ...(system !== undefined && { system }),
    ...(schema !== undefined && { schema }),
    ...(hasTools && tools && tools.length > 0 && { tools }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
  };
}
