// Prices: what a model's tokens cost. The user's own figures win; a model on the user's own machine costs nothing; for
// the models of two vendors there is a table with a date; everything else has an unknown price, and is never guessed.

import type { Endpoint, ModelName, ModelsConfiguration, Price } from "./configuration.ts";

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
