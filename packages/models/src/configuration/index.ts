// What the user says of models, and the models that come of it. Light: nothing here loads what calls a model.

export { type OpenModelsOptions, openModels } from "../open-models.ts";
export * from "./configuration.ts";
export { PRICES_AS_OF, priceOf } from "./prices.ts";
export * from "./resolve.ts";
export { type Redact, redactor, redactWire, secretsOf } from "./secrets.ts";
