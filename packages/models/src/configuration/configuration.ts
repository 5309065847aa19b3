// What the configuration says of models: endpoints, the profile of each role, retries and prices. Plain data; the command
// line reads it from loopwright.yaml, flags and the environment.

/** Where models are served. */
export interface Endpoint {
  name: string;
  kind: "openai-compatible" | "openai" | "anthropic" | "command";
  /** The base address, such as http://127.0.0.1:1234/v1; for `command`, the command line. */
  url: string;
  /** The key that is sent along; never written anywhere. */
  key?: string;
  headers?: Readonly<Record<string, string>>;
  /** Calls at once; one for a server on this machine. */
  concurrency: number;
  /** Whether it runs on the user's own machine, so that its tokens cost nothing. */
  isLocal: boolean;
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
  /** The context window, in tokens: prompt and answer together. */
  context: number;
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

export interface RetryPolicy {
  /** Seconds before each try after the first; so there is one try more than there are waits. */
  waits: readonly number[];
  /** Seconds after which a call without any sign of life is given up. */
  timeout: number;
}

export interface ModelsConfiguration {
  endpoints: Readonly<Record<string, Endpoint>>;
  /** By role; `default` serves every role that has none of its own. */
  profiles: Readonly<Record<string, Profile>>;
  retry: RetryPolicy;
  /** By model name; these win over the built-in table. */
  prices: Readonly<Record<string, Price>>;
  cassette?: { file: string; mode: "record" | "replay" | "auto" };
}

export const defaultRetry: RetryPolicy = { waits: [2, 8, 32], timeout: 300 };

/** What each preset stands for: servers that people run on their own machine. */
export const presets: Readonly<Record<string, string>> = {
  lmstudio: "http://127.0.0.1:1234/v1",
  ollama: "http://127.0.0.1:11434/v1",
  llamacpp: "http://127.0.0.1:8080/v1",
  vllm: "http://127.0.0.1:8000/v1",
};
