// The model layer: roles of loops, and the models behind them.

export { askObject, askText, type Question } from "./ask.ts";
export { obtainObject, obtainText, type RetrySpec, retryWithModel } from "./ask-retry.ts";
export * from "./calls.ts";
export * from "./configuration.ts";
export { fence } from "./fence.ts";
export type { Cut } from "./fit.ts";
export type { FailedTry, ModelDetails } from "./model-details.ts";
export { type OpenModelsOptions, openModels } from "./open-models.ts";
export { parseObject } from "./parse.ts";
export { codeBlock } from "./parse-code.ts";
export { PRICES_AS_OF, priceOf } from "./prices.ts";
export { listPrompts, loadPrompt, type Prompt, type PromptPlace } from "./prompts.ts";
export { type RenderedPrompt, renderPrompt } from "./prompts-render.ts";
export * from "./resolve.ts";
export { type Redact, redactor, secretsOf } from "./secrets.ts";
export { countTokens } from "./tokens.ts";
export * from "./wire.ts";
