// `loopwright init <folder> --loop novel`: an empty novel with its own git repository.

import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { usage } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import { toDocument } from "../display/json-events.ts";
import { createNovel, titleOf } from "./commands/project.ts";

const files = ["project.yaml", "taxonomy.json", ".gitignore"];

export async function initNovel(cli: Cli, folder: string): Promise<number> {
  const { terminal } = cli;
  if (existsSync(join(folder, "project.yaml")))
    throw usage(`${folder} is a novel project already; nothing was written`);
  const isDry = cli.isSet("dry-run");
  if (!isDry) await createNovel(folder, { title: titleOf(basename(folder)) });
  const next = [`loopwright novel ${relative(process.cwd(), folder) || "."}`];
  if (terminal.isJson) {
    terminal.document(toDocument("init", { folder, files, next, dryRun: isDry }));
    return 0;
  }
  terminal.say(isDry ? `It would write into ${folder}:` : `Written into ${folder}:`);
  for (const file of files) terminal.print(`  ${file}`);
  terminal.say("\nNext:");
  for (const command of next) terminal.say(`  ${command}`);
  return 0;
}
