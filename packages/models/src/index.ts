// The model layer: roles of loops, and the models behind them.

export { askObject, askText, type Question, roleOf, toRequest, wholeText } from "./ask/ask.ts";
export { type Answered, type FollowUp, obtainObject, obtainText, type RetrySpec, retryWithModel } from "./ask/retry.ts";
export * from "./calls.ts";
export * from "./configuration/index.ts";
export type { FailedTry, ModelDetails } from "./model/details.ts";
export { type OpenModelsOptions, openModels } from "./open-models.ts";

export { fencesOf, pairFences } from "./parse/blocks.ts";
export { codeBlock, parseObject, planAndCode } from "./parse/parse.ts";
export { answerOf, withoutThought } from "./parse/think.ts";
export { fence } from "./prompt/fence.ts";
export { type Cut, fitPrompt } from "./prompt/fit.ts";
export { listPrompts, loadPrompt, type Prompt, type PromptPlace } from "./prompt/prompts.ts";
export { readPrompt } from "./prompt/recorded.ts";
export { type RenderedPrompt, renderPrompt } from "./prompt/render.ts";
export { countTokens, IMAGE_TOKENS } from "./prompt/tokens.ts";
export * from "./wire/wire.ts";
