// What the user says of models. Light: nothing here loads what calls one.

export { redactWire } from "../wire/wire.ts";
export * from "./configuration.ts";
export * from "./resolve.ts";
export { redactor, secretsOf } from "./secrets.ts";
