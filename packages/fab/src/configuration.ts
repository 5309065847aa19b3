// The block `fab` of loopwright.yaml: what it says of iterations holds over every gate.

import type { CommandContext } from "@loopwright/core";
import { z } from "zod";
import { loadGate } from "./gate/load.ts";
import { GateConfig, Iteration } from "./gate/schema.ts";

/** A schema whose keys may all be left out, at every depth: no default takes the place of one. What is said of a key stays. */
function partly(schema: z.core.$ZodType): z.core.$ZodType {
  const { description } = schema as z.ZodType;
  const bare = withoutDefaults(schema) as z.ZodType;
  return description === undefined ? bare : bare.describe(description);
}

function withoutDefaults(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return partly(schema.unwrap());
  if (!(schema instanceof z.ZodObject)) return schema;
  const shape = Object.entries(schema.shape).map(([name, each]) => [name, partly(each)]);
  return z.strictObject(Object.fromEntries(shape)).partial();
}

export const FabConfiguration = z
  .strictObject({
    iteration: (partly(Iteration) as z.ZodType<object>).describe(
      "as in a gate's file, and over it: max_iterations, escalation, template_fallback, priority_escalation",
    ),
  })
  .partial();
export type FabConfiguration = z.output<typeof FabConfiguration>;

/** The gate of that id, or in that file, as the project's configuration has it. */
export async function configuredGate(context: CommandContext, name: string): Promise<GateConfig> {
  const gate = await loadGate(name, context.dir);
  const { iteration } = (await context.configuration()).own as FabConfiguration;
  return iteration ? GateConfig.parse({ ...gate, iteration: over(gate.iteration, iteration) }) : gate;
}

/** A value with what another says over it. */
function over(value: unknown, more: unknown): unknown {
  if (!isBlock(value) || !isBlock(more)) return more;
  return {
    ...value,
    ...Object.fromEntries(Object.entries(more).map(([name, each]) => [name, over(value[name], each)])),
  };
}

function isBlock(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
