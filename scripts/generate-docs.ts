// Writes the pages of docs/ that come from the code; with --check it writes nothing and fails where one is stale, with --api it makes
// docs/api instead, as it is done at release.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { z } from "zod";
import { GateConfig } from "../packages/fab/src/gate/schema.ts";
import { GateVerdict } from "../packages/fab/src/verdict/gate-verdict.ts";
import { commandHelp, exitCodes, mainHelp } from "../packages/loopwright/src/arguments/help.ts";
import { loopToMermaid } from "../packages/loopwright/src/commands/graph.ts";
import { allCommands, defaultPackages } from "../packages/loopwright/src/loops/find-command.ts";
import { apiPages } from "./api.ts";
import { configurationPage } from "./docs/configuration.ts";
import { errorsPage } from "./docs/errors.ts";
import { allDocuments, events, jsonOutput } from "./docs/json-schema.ts";
import { schemaOf, words } from "./docs/schema.ts";

const mark = "<!-- made by scripts/generate-docs.ts; change the code, then run `npm run docs` -->";

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

const isApi = process.argv.includes("--api");
if (isApi) mkdirSync("docs/api", { recursive: true });
const pages: Record<string, string> = isApi
  ? apiPages()
  : {
      "docs/cli.md": cliPage(),
      "docs/json.md": jsonPage(),
      "docs/configuration.md": configurationPage(mark, configured),
      "docs/errors.md": errorsPage(),
      "packages/loopwright/json-v1.schema.json": `${JSON.stringify(schemaOf(await jsonOutput()), null, 2)}\n`,
      "packages/fab/gate-config-v1.schema.json": `${JSON.stringify(schemaOf(GateConfig), null, 2)}\n`,
      "packages/fab/gate-verdict-v1.schema.json": `${JSON.stringify(schemaOf(GateVerdict), null, 2)}\n`,
      ...Object.fromEntries(await Promise.all(diagrams)),
    };

const stale = Object.entries(pages).filter(([path, text]) => read(path) !== text);
if (process.argv.includes("--check")) {
  for (const [path] of stale) console.error(`${path} is stale: run \`npm run docs\``);
  if (stale.length > 0) process.exitCode = 1;
} else for (const [path, text] of stale) writeFileSync(path, text);
console.log(`${Object.keys(pages).length} pages say what the code says`);

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
    [
      "`--dry-run` of a command that drives a run shows configuration, ceilings and models, and for `code`, `hull`, `fab` and `novel` the first prompt",
      "whole, as it would be sent. To reach it the loop runs in memory, in a temporary folder: `code` copies the workspace and runs a program's tests",
      "in the sandbox, `hull` builds and measures its start, `novel` copies the book. No model is called, no issue is told, and neither the project nor your files are written.",
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
    '```json\n{ "v": 1, "type": "phase-finished", "run": "20260102-030405_tidy", "at": "2026-01-02T03:04:05.678Z", "phase": "fix", "visit": 1, "next": "judge" }\n```',
    "## Events",
    "Every event has `v`, `type`, `run` and `at` (ISO 8601, UTC).",
    table("event", events),
    "## Documents",
    "Every document has `v` and `type`.",
    table("document", documents),
    "",
  ].join("\n\n");
}

/** A page with its Mermaid diagram made anew. */
function withDiagram(path: string, diagram: string): string {
  return read(path).replace(/```mermaid\n[\s\S]*?```/, () => `\`\`\`mermaid\n${diagram}\n\`\`\``);
}
