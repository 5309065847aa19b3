// Finds a gate configuration: by a path, by its id among the project's own, or among those that are shipped. What the block `fab` of
// loopwright.yaml says of iterations holds over every gate.

import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type CommandContext, MaxRetries, readPlainFile, suggestOrList, UsageError, usage } from "@loopwright/core";
import { openYaml } from "@loopwright/models/yaml";
import { z } from "zod";
import { templateCode } from "../builders/search.ts";
import { isMeasuredKind } from "../critics/category/index.ts";
import { gatesFolder } from "../folders.ts";
import { builders, profiles } from "../task.ts";
import { GateConfig, Iteration } from "./schema.ts";

/** Where a project keeps gates of its own. */
const OWN = "gates";

/** The gate of that id, or in that file. */
export async function loadGate(name: string, project: string): Promise<GateConfig> {
  if (/\.ya?ml$/.test(name)) return readGate(resolve(name));
  const file = [join(project, OWN), gatesFolder].map((folder) => join(folder, `${name}.yaml`)).find(existsSync);
  if (file === undefined || basename(name) !== name)
    throw usage(
      `there is no gate '${name}'${suggestOrList(name, gateIds(project))}`,
      `write your own as ${OWN}/<id>.yaml, or name a file: --gate FILE.yaml`,
    );
  const gate = readGate(file);
  if (gate.gate_config_id !== name)
    throw new UsageError(
      "GATE_MISNAMED",
      `${file} calls itself '${gate.gate_config_id}': give file and gate_config_id one name`,
    );
  return gate;
}

/** The ids of all gates that a project can use, its own first. */
export function gateIds(project: string): string[] {
  const folders = [join(project, OWN), gatesFolder].filter(existsSync);
  const names = folders.flatMap((folder) => readdirSync(folder).filter((file) => file.endsWith(".yaml")));
  return [...new Set(names.map((file) => basename(file, ".yaml")))];
}

function readGate(file: string): GateConfig {
  let text: string;
  try {
    text = readPlainFile(file);
  } catch (cause) {
    throw new UsageError("YAML_MISSING", `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
  const { value, fit } = openYaml(text, { file, code: "YAML_INVALID" });
  const gate = fit(GateConfig, value);
  for (const template of Object.values(gate.iteration.template_fallback.templates)) templateCode(template);
  return gate;
}

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
    builder: z
      .enum(builders)
      .describe("who builds: a search by templates and repairs, or a model (search, where a template builds the kind)"),
    profile: z.enum(profiles).describe("how good the pictures by Blender are (standard)"),
    max_retries: MaxRetries,
    iteration: (partly(Iteration) as z.ZodType<object>).describe(
      "as in a gate's file, and over it: max_iterations, escalation, template_fallback, priority_escalation",
    ),
  })
  .partial();
export type FabConfiguration = z.output<typeof FabConfiguration>;

/** The gate of that id, or in that file, as the project's configuration has it: with models as critics where one is configured. */
export async function configuredGate(context: CommandContext, name: string): Promise<GateConfig> {
  const gate = await loadGate(name, context.dir);
  const { own, modelOf } = await context.configuration();
  const { iteration } = own as FabConfiguration;
  // The model of a role that has none of its own builds, and may be blind.
  const hasCritic = modelOf("critic")?.name !== modelOf("default")?.name;
  const critics = Object.entries(gate.critics).map(([critic, settings]) => {
    const isModelAlone = critic === "category" && !isMeasuredKind(gate.kind);
    const available = isModelAlone ? "model" : hasCritic ? "both" : "measured";
    return [critic, { ...settings, by: settings.by === "available" ? available : settings.by }];
  });
  return GateConfig.parse({
    ...gate,
    critics: Object.fromEntries(critics),
    ...(iteration && { iteration: over(gate.iteration, iteration) }),
  });
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
