// Writes the pages of docs/ that come from the code; with --check it writes nothing and fails where one is stale.

import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { GateConfig } from "../packages/fab/src/gate/schema.ts";
import { GateVerdict } from "../packages/fab/src/verdict/gate-verdict.ts";
import { commandHelp, exitCodes, mainHelp } from "../packages/loopwright/src/arguments/help.ts";
import { loopToMermaid } from "../packages/loopwright/src/commands/graph.ts";
import { ConfigurationSchema } from "../packages/loopwright/src/configuration/schema.ts";
import { allDocuments, events, jsonOutput } from "../packages/loopwright/src/display/json-schema.ts";
import { allCommands, defaultPackages } from "../packages/loopwright/src/loops/find-command.ts";

const mark = "<!-- made by scripts/generate-docs.ts; change the code, then run `npm run docs` -->";

interface Schema {
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  $ref?: string;
}

const packages = await defaultPackages();
const [commands, documents] = [await allCommands(), await allDocuments()];
const configured = await Promise.all(
  packages.map(async ({ name, package: found }) => [name, await found.configuration?.()] as const),
);
const diagrams = packages
  .filter((each) => each.package.loop)
  .map(async ({ name, loop }) => {
    const path = `packages/${name}/README.md`;
    return [path, withDiagram(path, loopToMermaid(await loop()))] as const;
  });

const pages: Record<string, string> = {
  "docs/cli.md": cliPage(),
  "docs/json.md": jsonPage(),
  "docs/configuration.md": configurationPage(),
  "packages/loopwright/json-v1.schema.json": `${JSON.stringify(schemaOf(await jsonOutput()), null, 2)}\n`,
  "packages/fab/gate-config-v1.schema.json": `${JSON.stringify(schemaOf(GateConfig), null, 2)}\n`,
  "packages/fab/gate-verdict-v1.schema.json": `${JSON.stringify(schemaOf(GateVerdict), null, 2)}\n`,
  ...Object.fromEntries(await Promise.all(diagrams)),
};

const stale = Object.entries(pages).filter(([path, text]) => read(path) !== text);
if (process.argv.includes("--check")) {
  for (const [path] of stale) console.error(`${path} is stale: run \`npm run docs\``);
  if (stale.length > 0) process.exit(1);
  console.log("docs/ says what the code says");
} else {
  for (const [path, text] of stale) writeFileSync(path, text);
  console.log(`${stale.length} of ${Object.keys(pages).length} pages written`);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function cliPage(): string {
  const fence = (text: string) => `\`\`\`\n${text}\n\`\`\``;
  const codes = exitCodes().map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  return [
    "# The command line",
    mark,
    [
      "What `--help` shows. A run id may be cut short while it is unique; a wrong word is answered with the nearest right one.",
      "Ctrl-C once finishes the current write and stops cleanly; twice stops at once. A file `.loopwright/STOP` stops every run",
      "of the project at its next effect and keeps new ones from starting; so does `LOOPWRIGHT_STOP=1` for one process.",
    ].join("\n"),
    fence(mainHelp(packages)),
    "## Exit codes",
    `| code | meaning |\n| --- | --- |\n${codes.join("\n")}`,
    ...commands.flatMap((command) => [`## loopwright ${command.name}`, fence(commandHelp(command, packages))]),
    "",
  ].join("\n\n");
}

function jsonPage(): string {
  const table = (name: string, rows: Record<string, z.ZodType>) => {
    const lines = Object.entries(rows).map(([key, schema]) => {
      const { description, properties = {}, required = [] } = schemaOf(schema);
      const fields = Object.entries(properties).filter(
        ([field]) => !["v", "type", "run", "at"].includes(field) || (name === "document" && field === "run"),
      );
      const shown = fields.map(([field, type]) => `\`${field}${required.includes(field) ? "" : "?"}\` ${words(type)}`);
      return `| \`${key}\` | ${description} | ${shown.join("<br>")} |`;
    });
    return `| ${name} | meaning | fields |\n| --- | --- | --- |\n${lines.join("\n")}`;
  };
  return [
    "# `--json`",
    mark,
    "A command that drives a run prints one event per line; the last line is `run-ended`, or `gate-opened` where the run stops\nto wait. A command that only looks prints one document; `show --follow` prints the events of the run's record as lines, as they\ncome. Diagnostics go to stderr. Every line and document carries `v`, the version of this shape; it changes when a field goes or changes its meaning, not when one comes.\n[json-v1.schema.json](../packages/loopwright/json-v1.schema.json) is the same as a JSON Schema, shipped in the package as\n`loopwright/json-v1.schema.json`.",
    '```json\n{ "v": 1, "type": "phase-finished", "run": "20260102-030405_tidy", "at": "2026-01-02T03:04:05.678Z", "phase": "mend", "visit": 1, "next": "judge" }\n```',
    "## Events",
    "Every event has `v`, `type`, `run` and `at` (ISO 8601, UTC).",
    table("event", events),
    "## Documents",
    "Every document has `v` and `type`.",
    table("document", documents),
    "",
  ].join("\n\n");
}

function configurationPage(): string {
  const rows: string[] = [];
  const tell = (path: string, value: Schema) =>
    rows.push(`| \`${path}\` | ${words({ ...value, description: "" })} | ${value.description ?? ""} |`);
  const walk = (schema: Schema, path: string): void => {
    for (const [key, value] of Object.entries(schema.properties ?? {})) {
      tell(`${path}${key}`, value);
      walk(value, `${path}${key}.`);
    }
  };
  walk(schemaOf(ConfigurationSchema), "");
  for (const [name, given] of configured) {
    const schema = given && schemaOf(given);
    if (schema?.enum) tell(name, schema);
    else if (schema) walk(schema, `${name}.`);
  }
  return [
    "# Configuration",
    mark,
    "`~/.config/loopwright/config.yaml` (or under `XDG_CONFIG_HOME`), then `loopwright.yaml` in the project, then `-c KEY=VALUE`,\nthen flags such as `--max-iterations`; the later wins. A run keeps its configuration as resolved: `resume` takes everything\nfrom the run's own record, and only what is given with it overrides.",
    "```yaml\nloops:\n  tidy: loops/tidy.ts\nceilings:\n  iterations: 40\n  usd: 2.5\n```",
    `| key | is | meaning (default) |\n| --- | --- | --- |\n${rows.join("\n")}`,
    "An error names the file, the line and column, the key, what was found and what was expected:",
    "```\nloopwright: loopwright.yaml:4:3: 'ceilings.iteratons' is no key of the configuration; did you mean 'iterations'?\n```",
    "## Trust",
    [
      "A folder that came from somebody else runs nothing, gets no key and widens no sandbox until you trust it. What needs trust, where",
      "the project's files say it: `loops`, `notify`, `command` in an endpoint or as a fallback, an endpoint elsewhere or with a key or header",
      "of yours, `OPENAI_BASE_URL` in `.env`, `sandbox.network`, a `sandbox` that is not `bwrap`, paths that lead out of the folder, prompts",
      "of its own under `prompts/`, and a run that was started with such things elsewhere. What you say yourself (your own file, `-c`,",
      "flags) needs none, nor does anything else.",
    ].join("\n"),
    [
      "In a terminal you are shown each of them and asked once; a script says `--trust`, a program `openProject({ trust: true })`; else it is",
      "exit 2. `init` trusts what it wrote. It is remembered under `$XDG_STATE_HOME/loopwright/trust` (`~/.local/state`), for this folder and",
      "these values: another value is asked about again, the text of a loop or a prompt is not. Looking (`runs`, `show`, `explain`, `verify`,",
      "`--help`) needs no trust and runs nothing; `loopwright doctor` says how a folder stands.",
    ].join("\n"),
    "",
  ].join("\n\n");
}

/** A page with its Mermaid diagram made anew. */
function withDiagram(path: string, diagram: string): string {
  return read(path).replace(/```mermaid\n[\s\S]*?```/, () => `\`\`\`mermaid\n${diagram}\n\`\`\``);
}

function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: "input", reused: "inline" }) as Schema;
}

function words(schema: Schema): string {
  const description = schema.description ? `: ${schema.description}` : "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((item) => `\`${item}\``).join(", ");
  if (schema.$ref) return "any JSON";
  if (schema.anyOf)
    return schema.anyOf.some(({ type }) => type === "null") && schema.anyOf.length === 2
      ? `${words(schema.anyOf[0]!)} or null`
      : "any JSON";
  if (schema.type === "array") return `list of ${words(schema.items ?? {})}`;
  if (schema.type === "object") return "object";
  return `${schema.type ?? "any JSON"}${description}`;
}
