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
