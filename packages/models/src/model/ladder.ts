// The structured-output ladder: servers refuse steps of it, so a refused one is left for the next below, and the step
// that held is remembered for each model of each endpoint.

import type { Json } from "@loopwright/core";
import type { Endpoint, ModelName } from "../configuration/configuration.ts";
import { type WireAnswer, WireError } from "../wire/wire.ts";

export type Step = NonNullable<WireAnswer["structured"]>;

/** What each kind of endpoint can be asked, the best first. Anthropic has no JSON without a schema. */
const STEPS: Readonly<Record<Endpoint["kind"], readonly Step[]>> = {
  "openai-compatible": ["json_schema", "json_object", "prompt"],
  openai: ["json_schema", "json_object", "prompt"],
  anthropic: ["json_schema", "prompt"],
  command: ["prompt"],
};

/** What a server answers that does not know a response format, or cannot serve it. */
const REFUSALS = [400, 404, 422, 501];

export interface Ladder {
  /** Asks with the step that held last; down to the next where it is refused. */
  descend<T>(kind: Endpoint["kind"], name: ModelName, ask: (step: Step) => Promise<T>): Promise<T>;
}

/** A ladder that remembers for as long as it lives. */
export function openLadder(): Ladder {
  const held = new Map<string, Step>();
  return {
    async descend(kind, { endpoint, model }, ask) {
      const key = JSON.stringify([endpoint, model]);
      const steps = STEPS[kind];
      const first = steps.indexOf(held.get(key) ?? steps[0]!);
      for (const step of steps.slice(first)) {
        try {
          const answer = await ask(step);
          // Only what held is remembered: where all steps are refused, the fault lies elsewhere in the request.
          held.set(key, step);
          return answer;
        } catch (error) {
          if (step === steps.at(-1) || !isRefusal(error)) throw error;
        }
      }
      throw new TypeError(`${kind} has no step`);
    },
  };
}

/** Whether a server refused what it was asked for; one that had begun to answer did not. */
export function isRefusal(error: unknown): error is WireError {
  return error instanceof WireError && error.received === undefined && REFUSALS.includes(error.status ?? 0);
}

/** Whether every object of a schema requires all its properties and allows no others: what providers' `strict` demands. */
export function isStrict(schema: Json | undefined): boolean {
  if (!isRecord(schema)) return Array.isArray(schema) ? schema.every(isStrict) : true;
  const { type, properties, required, additionalProperties } = schema;
  if (type === "object" || isRecord(properties)) {
    const names = Object.keys(isRecord(properties) ? properties : {});
    if (additionalProperties !== false || !Array.isArray(required)) return false;
    if (!names.every((name) => required.includes(name))) return false;
  }
  return Object.entries(schema).every(([name, value]) => VALUES.has(name) || isStrict(value));
}

/** Keywords whose value is data and no schema. */
const VALUES = new Set(["const", "enum", "default", "examples"]);

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
