// `loopwright init`: a project to start from. Nothing that is there is overwritten.

import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { makeParents } from "@loopwright/core";
import { usage } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import { toDocument } from "../display/json-events.ts";
import { packageSpecs } from "./package-source.ts";

/** What a project of each kind is made of: the file, and where its text comes from. */
const kinds = {
  code: {
    folder: async () => (await import("@loopwright/code")).templatesFolder,
    files: {
      "task.md": "task.md",
      "philosophy.md": "philosophy.md",
      "loopwright.yaml": "loopwright.yaml",
      "README.md": "README.md",
    },
  },
  own: {
    folder: async () => join(import.meta.dirname, "../../templates/project"),
    files: {
      "loopwright.yaml": "loopwright.yaml",
      "loops/tidy.ts": "loops/tidy.ts",
      "README.md": "README.md",
      "package.json": "package.template.json",
      "tsconfig.json": "tsconfig.template.json",
    },
  },
};

export async function run(cli: Cli): Promise<number> {
  const name = cli.text("loop") ?? "tidy";
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw usage(`'${name}' is no name for a loop: use a-z, 0-9 and -`);
  const folder = resolve(cli.words[0]!);
  if (name === "novel") return (await import("../novel/init-novel.ts")).initNovel(cli, folder);
  const files = await projectFiles(name);
  const taken = Object.keys(files).filter((file) => existsSync(join(folder, file)));
  if (taken.length > 0) throw usage(`${folder} already has ${taken.join(", ")}; nothing was written`);
  const { terminal } = cli;
  const isDry = cli.isSet("dry-run");
  if (!isDry) await writeAll(folder, files);
  const written = Object.keys(files);
  const start = name === "code" ? "loopwright code" : `loopwright run ${name}`;
  const next = [...(folder === process.cwd() ? [] : [`cd ${relative(process.cwd(), folder)}`]), start];
  if (terminal.isJson) terminal.document(toDocument("init", { folder, files: written, next, dryRun: isDry }));
  else {
    terminal.say(isDry ? `It would write into ${folder}:` : `Written into ${folder}:`);
    for (const file of written) terminal.print(`  ${file}`);
    terminal.say("\nNext:");
    if (name === "code") terminal.say("  name your models in loopwright.yaml, then");
    for (const command of next) terminal.say(`  ${command}`);
    if (!isOnPath("loopwright"))
      terminal.say(`(\`npm link\` in ${packageRoot} makes \`loopwright\` a command everywhere.)`);
  }
  return 0;
}

const packageRoot = join(import.meta.dirname, "../..");

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** The files of a new project; in one for a loop of one's own, with its name put in. */
async function projectFiles(name: string): Promise<Record<string, string>> {
  const { folder, files: sources } = name === "code" ? kinds.code : kinds.own;
  const from = await folder();
  const files: Record<string, string> = {};
  for (const [file, source] of Object.entries({ ...sources, ".gitignore": "gitignore.template" })) {
    const text = await readFile(join(from, source), "utf8");
    files[file.replace("tidy", name)] = name === "code" ? text : text.replaceAll("tidy", name);
  }
  if (files["package.json"]) files["package.json"] = withDependencies(files["package.json"]);
  return files;
}

/** A package.json that installs what a loop is checked against; it runs without. */
function withDependencies(text: string): string {
  const { devDependencies, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const { zod } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")).dependencies;
  return `${JSON.stringify({ ...rest, dependencies: { ...packageSpecs(), zod }, devDependencies }, null, 2)}\n`;
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    try {
      makeParents(dirname(join(folder, file)));
      await writeFile(join(folder, file), text, { flag: "wx" });
    } catch (error) {
      throw usage(`${join(folder, file)} could not be written (${(error as NodeJS.ErrnoException).code})`);
    }
  }
}
