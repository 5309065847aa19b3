// The model layer: roles of loops, and the models behind them.

export { askObject, askText, type Question, roleOf, toRequest, wholeText } from "./ask/ask.ts";
export { type Answered, type FollowUp, obtainObject, obtainText, type RetrySpec, retryWithModel } from "./ask/retry.ts";
export * from "./calls.ts";
export * from "./configuration/index.ts";
export { type OpenModelsOptions, openModels } from "./open-models.ts";
export { answerOf, fencesOf, pairFences, withoutThought } from "./parse/blocks.ts";
export { codeBlock, parseObject, planAndCode } from "./parse/parse.ts";
export { type Cut, countTokens, fitPrompt, IMAGE_TOKENS } from "./prompt/fit.ts";
export { listPrompts, loadPrompt, type Prompt, type PromptPlace, readPrompt } from "./prompt/prompts.ts";
export { fence, type RenderedPrompt, renderPrompt } from "./prompt/render.ts";
export * from "./wire/wire.ts";
