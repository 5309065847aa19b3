// `loopwright init`: a project to start from. Nothing that is there is overwritten.

import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Cli } from "../cli.ts";
import { toDocument } from "../json-events.ts";
import { usage } from "../read-arguments.ts";

const templates = new URL("../../../examples/project/", import.meta.url);

export async function run(cli: Cli): Promise<number> {
  const name = cli.text("loop") ?? "tidy";
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw usage(`'${name}' is no name for a loop: use a-z, 0-9 and -`);
  const folder = resolve(cli.words[0]!);
  const files = await projectFiles(name);
  const taken = Object.keys(files).filter((file) => existsSync(join(folder, file)));
  if (taken.length > 0) throw usage(`${folder} already has ${taken.join(", ")}; nothing was written`);
  const { terminal } = cli;
  if (!cli.isSet("dry-run")) await writeAll(folder, files);
  const written = Object.keys(files);
  const next = [
    ...(folder === process.cwd() ? [] : [`cd ${relative(process.cwd(), folder) || "."}`]),
    `loopwright run ${name}`,
  ];
  if (terminal.isJson)
    terminal.document(toDocument("init", { folder, files: written, next, dryRun: cli.isSet("dry-run") }));
  else {
    terminal.say(cli.isSet("dry-run") ? `It would write into ${folder}:` : `Written into ${folder}:`);
    for (const file of written) terminal.print(`  ${file}`);
    terminal.say("\nNext:");
    for (const command of next) terminal.say(`  ${command}`);
  }
  return 0;
}

/** The files of a new project, with the loop's name put in. */
async function projectFiles(name: string): Promise<Record<string, string>> {
  const sources = {
    "loopwright.yaml": "loopwright.yaml",
    [`loops/${name}.ts`]: "loops/tidy.ts",
    "README.md": "README.md",
    "package.json": "package.template.json",
    ".gitignore": "gitignore.template",
  };
  const files: Record<string, string> = {};
  for (const [file, source] of Object.entries(sources)) {
    const text = await readFile(new URL(source, templates), "utf8");
    files[file] = text.replaceAll("tidy", name);
  }
  return files;
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    try {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text, { flag: "wx" });
    } catch (error) {
      throw usage(`${join(folder, file)} could not be written (${(error as NodeJS.ErrnoException).code})`);
    }
  }
}
