// What the configuration says of models: endpoints, the profile of each role, retries and prices. Plain data; the command
// line reads it from loopwright.yaml, flags and the environment.
//
// The user's own prices win; a model on the user's own machine costs nothing; for the models of two vendors there is a table with a
// date; everything else has an unknown price, and is never guessed.

/** Where models are served. */
export interface Endpoint {
  name: string;
  kind: "openai-compatible" | "openai" | "anthropic" | "command";
  /** The base address, such as http://127.0.0.1:1234/v1; for `command`, the command line. */
  url: string;
  /** The key that is sent along; never written anywhere. */
  key?: string;
  /** The environment variable that should hold the key, where it is asked for none without. */
  keyEnv?: string;
  headers?: Readonly<Record<string, string>>;
  /** Calls at once; one for a server on this machine. */
  concurrency: number;
  /** Whether it runs on the user's own machine, so that its tokens cost nothing. */
  isLocal: boolean;
  /** Whether its models can be offered tools; OpenAI's and Anthropic's where it is left out. */
  tools?: boolean;
}

/** A model at an endpoint. */
export interface ModelName {
  endpoint: string;
  model: string;
}

/** How a role's model is asked. */
export interface Profile extends ModelName {
  temperature?: number;
  topP?: number;
  /** The longest answer, in tokens. */
  maxTokens: number;
  /** Whether the user has said so: then it holds over what a prompt says. */
  hasMaxTokens?: true;
  /** The context window, in tokens: prompt and answer together. */
  context: number;
  /** Whether its models can be offered tools, whatever is said of their endpoints. */
  tools?: boolean;
  /** Whether nobody has said how large the window is: a loop's own word on a role holds then. */
  isContextUsual?: true;
  /** Tried in order when the endpoint stays dead. */
  fallback: readonly ModelName[];
}

/** Dollars for a million tokens. */
export interface Price {
  input: number;
  output: number;
}

/** What is done about model calls that fail. */
export interface RetryPolicy {
  /** Seconds before each try after the first; so there is one try more than there are waits. */
  waits: readonly number[];
  /** Seconds after which a call without any sign of life is given up. */
  timeout: number;
}

/** Everything that is known of models: where they are served, and which serves which role. */
export interface ModelsConfiguration {
  endpoints: Readonly<Record<string, Endpoint>>;
  /** By role; `default` serves every role that has none of its own. */
  profiles: Readonly<Record<string, Profile>>;
  retry: RetryPolicy;
  /** By model name; these win over the built-in table. */
  prices: Readonly<Record<string, Price>>;
  cassette?: { file: string; mode: "record" | "replay" | "auto" };
  /** What to type to see whether they answer, with the flags that name them. */
  doctor?: string;
}

/** What is done where nobody said. */
export const defaultRetry: RetryPolicy = { waits: [2, 8, 32], timeout: 300 };

/** What each preset stands for: servers that people run on their own machine. */
export const presets: Readonly<Record<string, string>> = {
  lmstudio: "http://127.0.0.1:1234/v1",
  ollama: "http://127.0.0.1:11434/v1",
  llamacpp: "http://127.0.0.1:8080/v1",
  vllm: "http://127.0.0.1:8000/v1",
};

/** Dollars for a million tokens [in, out], at the standard rate, compared with published copies of the vendors' price lists on
 * 2026-11-15. Models whose price depends on the prompt's length are left out. */
const table: Readonly<Record<"openai" | "anthropic", Readonly<Record<string, readonly [number, number]>>>> = {
  openai: {
    "gpt-5.2": [1.75, 14],
    "gpt-5.1": [1.25, 10],
    "gpt-5": [1.25, 10],
    "gpt-5-mini": [0.25, 2],
    "gpt-5-nano": [0.05, 0.4],
    "gpt-4.1": [2, 8],
    "gpt-4.1-mini": [0.4, 1.6],
    "gpt-4.1-nano": [0.1, 0.4],
    "gpt-4o": [2.5, 10],
    "gpt-4o-2024-05-13": [5, 15],
    "gpt-4o-mini": [0.15, 0.6],
    o3: [2, 8],
    "o4-mini": [1.1, 4.4],
  },
  anthropic: {
    "claude-fable-5-1": [10, 50],
    "claude-opus-5-5": [4, 20],
    "claude-opus-5": [5, 25],
    "claude-opus-4-6": [5, 25],
    "claude-opus-4-5": [5, 25],
    "claude-opus-4-1": [15, 75],
    "claude-sonnet-5-5": [2, 10],
    "claude-sonnet-5": [2, 10],
    "claude-sonnet-4-6": [3, 15],
    "claude-sonnet-4-5": [3, 15],
    "claude-haiku-4-5": [1, 5],
  },
};

/** The price of a model at an endpoint; undefined where it is not known. */
export function priceOf(
  { endpoints, prices }: Pick<ModelsConfiguration, "endpoints" | "prices">,
  { endpoint: name, model }: ModelName,
): Price | undefined {
  const endpoint = endpoints[name];
  if (endpoint === undefined) return undefined;
  if (endpoint.isLocal || endpoint.kind === "command") return { input: 0, output: 0 };
  if (Object.hasOwn(prices, model)) return prices[model];
  const vendor = vendorOf(endpoint);
  return vendor && listPrice(table[vendor], model);
}

/** What so many tokens cost in dollars; 0 where the price is not known. */
export function costOf(price: Price | undefined, inputTokens: number, outputTokens: number): number {
  return price === undefined ? 0 : (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}

/** Whose price list holds at an endpoint: others that serve the same models have prices of their own. */
function vendorOf({ kind, url }: Endpoint): "openai" | "anthropic" | undefined {
  const host = URL.parse(url)?.hostname;
  if (host === "api.openai.com") return "openai";
  if (host === "api.anthropic.com") return "anthropic";
  return kind === "openai" || kind === "anthropic" ? kind : undefined;
}

/** A model's price by its own name, or by that without the date of a version. */
function listPrice(list: Readonly<Record<string, readonly [number, number]>>, model: string): Price | undefined {
  const names = [model, model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, "")];
  const name = names.find((key) => Object.hasOwn(list, key));
  return name === undefined ? undefined : { input: list[name]![0], output: list[name]![1] };
}
