// What the user says of models. Light: nothing here loads what calls one.

export { redactWire } from "../wire/wire.ts";
export * from "./configuration.ts";
export { listedPrice, PRICES_AS_OF, priceOf } from "./prices.ts";
export * from "./resolve.ts";
export { type Redact, redactor, secretsOf } from "./secrets.ts";
