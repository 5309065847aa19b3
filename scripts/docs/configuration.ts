// docs/configuration.md, from the schemas of the general keys, of each package's block, and of a novel's project.yaml.

import type { z } from "zod";
import { ConfigurationSchema } from "../../packages/loopwright/src/configuration/schema.ts";
import { ProjectFile } from "../../packages/novel/src/manuscript/files/schemas.ts";
import { type Schema, schemaOf, words } from "./schema.ts";

type Configured = readonly (readonly [string, z.ZodType | undefined])[];

/** The page, given the schema of each package's own block. */
export function configurationPage(mark: string, configured: Configured): string {
  const blocks = configured.flatMap(([name, given]) => {
    if (!given) return [];
    const schema = schemaOf(given);
    const rows = schema.properties ? keysOf(schema, `${name}.`) : [row(name, schema)];
    return [`### The block \`${name}\``, `Of [@loopwright/${name}](../packages/${name}/README.md).`, table(rows)];
  });
  return [
    "# Configuration",
    mark,
    "`~/.config/loopwright/config.yaml` (or under `XDG_CONFIG_HOME`), then `loopwright.yaml` in the project, then `-c KEY=VALUE`,\nthen flags such as `--max-iterations`; the later wins. A run keeps its configuration as resolved: `resume` takes everything\nfrom the run's own record, and only what is given with it overrides.",
    "```yaml\nloops:\n  tidy: loops/tidy.ts\nceilings:\n  iterations: 40\n  usd: 2.5\n```",
    "An error names the file, the line and column, the key, what was found and what was expected:",
    "```\nloopwright: loopwright.yaml:4:3: 'ceilings.iteratons' is no key of the configuration; did you mean 'iterations'?\n```",
    "## Keys for every loop",
    "`NAME` stands for a name of yours.",
    table(keysOf(schemaOf(ConfigurationSchema), "")),
    "## Keys of each package",
    "A package has a block of its own, under its loop's name; one of yours says its keys by a schema ([extending](extending.md)).",
    ...blocks,
    "## `project.yaml` of a novel",
    "In the folder of each book, beside its text; all but the title may be left out. `/model` and `--model` hold over `models`.",
    table(keysOf(schemaOf(ProjectFile), "")),
    ...trust,
    "",
  ].join("\n\n");
}

function table(rows: readonly string[]): string {
  return `| key | is | meaning (default) |\n| --- | --- | --- |\n${rows.join("\n")}`;
}

function row(path: string, schema: Schema): string {
  return `| \`${path}\` | ${words({ ...schema, description: "" })} | ${schema.description ?? ""} |`;
}

/** Every key below a schema, those of named things too. */
function keysOf(schema: Schema, path: string): string[] {
  const rows = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => [
    row(`${path}${key}`, value),
    ...keysOf(value, `${path}${key}.`),
  ]);
  const named = schema.additionalProperties;
  return typeof named === "object" ? [...rows, ...keysOf(named, `${path}NAME.`)] : rows;
}

const trust = [
  "## Trust",
  [
    "A folder that came from somebody else runs nothing, gets no key and widens no sandbox until you trust it. What needs trust, where",
    "the project's files say it: `loops`, `notify`, `sandbox`, `command` in an endpoint or as a fallback, an endpoint elsewhere or with a key or",
    "header of yours, `OPENAI_BASE_URL` in `.env`, in a loop's block a `command`, a `url`, other limits, a `sandbox` that is not `bwrap` and paths",
    "that lead out of the folder, prompts of its own under `prompts/`, and a run that was started with such things elsewhere. What you say yourself",
    "(your own file, `-c`, flags) needs none, nor does anything else.",
    "",
    "All of it is one digest. In a terminal you are shown each line and asked once; a script says `--trust`, a program",
    "`openProject({ trust: true })`; else it is exit 2. `init` trusts what it wrote. It is remembered under `$XDG_STATE_HOME/loopwright/trust`",
    "(`~/.local/state`), for this folder and these lines: when one changes you are asked about them all again; the text of a loop or a prompt is not",
    "part of it. Looking (`runs`, `show`, `explain`, `verify`,",
    "`--help`) needs no trust and runs nothing; `demo` of a loop that comes along needs none either, and uses nothing of a folder that",
    "is not trusted. `loopwright doctor` says how a folder stands.",
  ].join("\n"),
];
