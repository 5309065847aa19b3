// The model behind a role: the prompt is fitted, the call waits its turn, failures that may pass are tried again, then
// the fallbacks are asked in order, each with tries of its own (wire/transport.ts).
//
// A request that is refused (a wrong key, an unknown model) is neither retried nor sent elsewhere: MODEL_REFUSED. Where
// nothing answers: MODEL_UNREACHABLE. Both end the run as failed, to be resumed. An aborted call throws the reason of the
// abort, and counts as no failure.

import {
  type Artifact,
  InfrastructureError,
  type Model,
  type ModelAnswer,
  type ModelCall,
  type ModelRequest,
  UsageError,
} from "@loopwright/core";
import { type FailedTry, oneLine } from "../calls.ts";
import {
  costOf,
  type Endpoint,
  type ModelName,
  type ModelsConfiguration,
  type Price,
  type Profile,
  priceOf,
} from "../configuration/configuration.ts";
import { nameToText, profileOf } from "../configuration/resolve.ts";
import { countTokens, type Fitted, fitPrompt, IMAGE_TOKENS, sizePrompt } from "../prompt/fit.ts";
import { retry } from "../wire/transport.ts";
import { type Wire, type WireAnswer, WireError, type WireRequest } from "../wire/wire.ts";
import { recordAnswer, reportProgress } from "./answer.ts";

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

/** The model of a role from its profile; throws MODEL_UNKNOWN where it has none. */
export class RoleModel implements Model {
  readonly #role: string;
  readonly #configuration: ModelsConfiguration;
  readonly #profile: Profile;
  readonly #candidates: readonly Candidate[];
  readonly #wire: Wire;
  readonly #enqueue: Enqueue;
  readonly #now: () => number;

  constructor(role: string, configuration: ModelsConfiguration, wire: Wire, options: ModelOptions = {}) {
    const profile = profileOf(configuration, role);
    if (profile === undefined) throw unknownRole(role, Object.keys(configuration.profiles));
    this.#role = role;
    this.#configuration = configuration;
    this.#profile = profile;
    this.#candidates = [profile, ...profile.fallback].map((name) => this.#candidate(name, options.served ?? {}));
    this.#wire = wire;
    this.#enqueue = options.enqueue ?? openQueues();
    this.#now = options.now ?? (() => performance.now());
  }

  #candidate({ endpoint, model }: ModelName, windows: Readonly<Record<string, number>>): Candidate {
    const { endpoints } = this.#configuration;
    const { context, tools } = this.#profile;
    const at = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
    if (at === undefined) throw unknownEndpoint(this.#role, { endpoint, model }, Object.keys(endpoints));
    const window = windows[`${endpoint}:${model}`] ?? windows[`${at.name}:${model}`] ?? context;
    const price = priceOf(this.#configuration, { endpoint, model });
    const hasTools = at.kind !== "command" && (tools ?? at.tools ?? at.kind !== "openai-compatible");
    return { endpoint, model, at, price, hasTools, served: window < context ? window : undefined };
  }

  /** What a call may use at most: its prompt and the longest answer, at the dearest of the models that may be asked. */
  estimate(request: ModelRequest) {
    const answer = longestAnswer(this.#profile, request);
    const beside = Object.values(sizeBeside(request)).reduce((total, tokens) => total + tokens, 0);
    const prompt = sizePrompt(request.prompt, countTokens) + beside;
    const input = Math.max(0, Math.min(prompt, this.#profile.context - answer));
    const costs = this.#candidates.map(({ price }) => costOf(price, input, answer));
    return { tokens: input + answer, usd: Math.max(...costs) };
  }

  /** Asks one model after the other, until one answers. */
  async call(request: ModelRequest, effect: ModelCall): Promise<ModelAnswer> {
    const { doctor = "loopwright doctor --models" } = this.#configuration;
    const role = this.#role;
    const images = await loadImages(request.images ?? [], effect.load);
    const tries: FailedTry[] = [];
    for (const candidate of this.#candidates) {
      const { at, model } = candidate;
      const name = { endpoint: at.name, model };
      const failed = tries.at(-1);
      if (failed && candidate !== this.#candidates[0])
        await effect.tellReplaced?.({ role, model: nameToText(failed), by: nameToText(name), error: failed.error });
      try {
        const window = candidate.served ?? this.#profile.context;
        const room = { window, answer: longestAnswer(this.#profile, request), beside: sizeBeside(request) };
        const fitted = fitPrompt(request.prompt, room, nameToText(name), countTokens);
        const sent = toWireRequest(request, this.#profile, candidate, fitted, images);
        const answer = await this.#ask(candidate, sent, fitted.tokens, effect, tries);
        return recordAnswer(answer, { ...candidate, endpoint: at.name, request: sent, fitted, tries });
      } catch (error) {
        effect.signal.throwIfAborted();
        if (error instanceof WireError) {
          const { keyMissing, refused } = await import("./errors.ts");
          if (error.lacksKey !== undefined) throw keyMissing(role, name, error.lacksKey);
          if (!error.isRetryable) throw refused(role, name, error, { tries, isCommand: at.kind === "command", doctor });
          continue;
        }
        const isTooLarge = error instanceof UsageError && error.code === "PROMPT_TOO_LARGE";
        if (!isTooLarge || candidate === this.#candidates[0]) throw error;
        // A fallback whose window is too small is one that cannot help; what matters is that the others are dead.
        tries.push({ ...name, error: oneLine(error.message), waited: 0 });
      }
    }
    const { unreachable } = await import("./errors.ts");
    throw unreachable(role, tries, { kinds: this.#candidates.map(({ at }) => at.kind), doctor });
  }

  /** Asks one model until it answers or its tries are used up; each failure is added to `tries`, and charged where a model may
   * have begun on an answer. */
  #ask(
    { at, model, price }: Candidate,
    request: WireRequest,
    tokens: number,
    { signal, idempotencyKey, ordinal, progress, wait, charge, again }: ModelCall,
    tries: FailedTry[],
  ): Promise<WireAnswer> {
    const makeTry = async () => {
      if (tries.length > 0) await again();
      const onText = reportProgress(model, progress, this.#now);
      const call = { signal, idempotencyKey, ordinal, onText };
      try {
        return await this.#enqueue(at, model, signal, () => this.#wire(request, call));
      } catch (error) {
        signal.throwIfAborted();
        const { received } = error as Partial<WireError>;
        if (received !== undefined) {
          const output = Math.max(received, request.maxTokens);
          charge({ tokens: tokens + output, usd: costOf(price, tokens, output) });
        }
        throw error;
      }
    };
    return retry(this.#configuration.retry, makeTry, wait, (failure, seconds) => {
      const error = oneLine(failure.message);
      tries.push({ endpoint: at.name, model, error, waited: seconds ?? 0 });
      if (seconds !== undefined) progress({ model, error, next_try_in_s: seconds });
    });
  }
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
  request: ModelRequest,
  profile: Profile,
  { endpoint, model, hasTools }: Candidate,
  { prompt }: Fitted,
  images: WireRequest["images"],
): WireRequest {
  const { system, schema } = request;
  const tools = hasTools && request.tools && request.tools.length > 0 ? request.tools : undefined;
  const temperature = profile.temperature ?? request.temperature;
  const topP = profile.topP ?? request.topP;
  const maxTokens = longestAnswer(profile, request);
  return { endpoint, model, system, prompt, images, schema, tools, temperature, topP, maxTokens };
}

/** What the files of each kind of picture begin with, in hex; a dot stands for anything. */
const pictures: readonly (readonly [string, RegExp])[] = [
  ["image/png", /^89504e470d0a1a0a/],
  ["image/jpeg", /^ffd8ff/],
  ["image/gif", /^474946383[79]61/],
  ["image/webp", /^52494646.{8}57454250/],
];

/** Loads the pictures of a request. A file that is none is refused here, in words that name it. */
function loadImages(images: readonly Artifact[], load: ModelCall["load"]): Promise<WireRequest["images"]> {
  return Promise.all(
    images.map(async (artifact) => {
      const bytes = await load(artifact);
      const beginning = Buffer.from(bytes.subarray(0, 12)).toString("hex");
      const [mediaType] = pictures.find(([, pattern]) => pattern.test(beginning)) ?? [];
      if (mediaType !== undefined) return { bytes, mediaType, digest: artifact.digest };
      const message = `'${artifact.path}' is no picture that models read: use PNG, JPEG, GIF or WebP`;
      throw new UsageError("IMAGE_UNKNOWN", message);
    }),
  );
}

/** A role that nothing is configured for. */
function unknownRole(role: string, configured: readonly string[]): InfrastructureError {
  const known = configured.length > 0 ? `configured are ${configured.join(", ")}` : "no role has one";
  const message = `no model is configured for the role '${role}' (${known}). Name one with --model ${role}=ENDPOINT:MODEL, --model ENDPOINT:MODEL for all roles, or under 'models' in loopwright.yaml.`;
  return new InfrastructureError("MODEL_UNKNOWN", message, { data: { role } });
}

/** A role whose model, or a fallback of it, is at an endpoint that there is not. */
function unknownEndpoint(role: string, { endpoint }: ModelName, known: readonly string[]): InfrastructureError {
  const message = `the role '${role}' names the endpoint '${endpoint}', which is not configured; known are ${known.join(", ") || "none"}`;
  return new InfrastructureError("MODEL_UNKNOWN", message, { data: { role, endpoint } });
}

// Queues: one for each server, so that it gets no more calls at once than it is meant to.
//
// Of the calls that wait, one for the model that was used last goes first: a server on one's own machine must not load
// two models in turns. So that others do not wait for ever, the call at the front is overtaken only so many times.

/** How many calls may overtake the one at the front. */
const MOST_OVERTAKES = 8;

/** Makes a call when its turn has come; an aborted one leaves the queue at once. */
export type Enqueue = ReturnType<typeof openQueues>;

/** Opens the queues of all endpoints. Two endpoints at one address are one server, and share a queue. */
export function openQueues() {
  const queues = new Map<string, Queue>();
  return <Result>(endpoint: Endpoint, model: string, signal: AbortSignal, call: () => Promise<Result>) => {
    const address = `${endpoint.kind === "command" ? "command" : "http"} ${endpoint.url}`;
    const queue = queues.get(address) ?? new Queue(endpoint.concurrency);
    queues.set(address, queue);
    return queue.run(model, signal, call);
  };
}

class Queue {
  #free: number;
  #waiting: { model: string; begin: () => void }[] = [];
  #lastModel: string | undefined;
  #overtakes = 0;

  constructor(concurrency: number) {
    this.#free = concurrency;
  }

  async run<Result>(model: string, signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    const begun = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<never>();
    const turn = { model, begin: begun.resolve };
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort);
    this.#waiting.push(turn);
    this.#next();
    try {
      await Promise.race([begun.promise, aborted.promise]);
      return await Promise.race([call(), aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
      if (!this.#waiting.includes(turn)) this.#free++;
      this.#waiting = this.#waiting.filter((other) => other !== turn);
      this.#next();
    }
  }

  /** Lets a call begin where there is room: one of the same model as the last one, or the one that has waited longest. */
  #next(): void {
    if (this.#free === 0 || this.#waiting.length === 0) return;
    const same = this.#waiting.findIndex(({ model }) => model === this.#lastModel);
    const index = same > 0 && this.#overtakes < MOST_OVERTAKES ? same : 0;
    this.#overtakes = index === 0 ? 0 : this.#overtakes + 1;
    const [turn] = this.#waiting.splice(index, 1);
    this.#lastModel = turn!.model;
    this.#free--;
    turn!.begin();
  }
}
