// `loopwright prompts`: lists and shows prompts, and which file overrides which.

import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { suggestOrList } from "../../core/nearest.ts";
import { listPrompts, loadPrompt, MODELS, type Prompt } from "../../models/prompts.ts";
import type { Cli } from "../cli.ts";
import { toDocument } from "../json-events.ts";
import { ownLoops } from "../loops.ts";
import { usage } from "../read-arguments.ts";
import { pad, plainText } from "../terminal.ts";

export async function run(cli: Cli): Promise<number> {
  const [loop, id] = cli.words;
  const known = [MODELS, ...ownLoops];
  if (loop !== undefined && !known.includes(loop))
    throw usage(`there are no prompts of '${loop}'${suggestOrList(loop, known)}`);
  if (loop !== undefined && id !== undefined) return showPrompt(cli, loop, id);
  const loops = loop === undefined ? known : [loop];
  const prompts = (await Promise.all(loops.map((name) => listPrompts({ loop: name, project: cli.dir })))).flat();
  const { terminal } = cli;
  if (terminal.isJson) terminal.document(toDocument("prompts", { prompts: prompts.map(promptToJson) }));
  else {
    for (const prompt of prompts) terminal.print(promptLine(cli, prompt));
    if (prompts.length === 0) terminal.print("There are no prompts here.");
    for (const stray of await strayFolders(cli, known))
      terminal.warn(`loopwright: prompts/${stray} belongs to no loop`);
  }
  return 0;
}

async function showPrompt(cli: Cli, loop: string, id: string): Promise<number> {
  const prompt = await loadPrompt({ loop, project: cli.dir }, id);
  const text = await readFile(prompt.file, "utf8");
  const { terminal } = cli;
  if (terminal.isJson) {
    terminal.document(toDocument("prompt", { ...promptToJson(prompt), text }));
    return 0;
  }
  terminal.say(terminal.style("dim", prompt.file));
  terminal.print(plainText(text.trimEnd()));
  const own = join("prompts", loop, `${id}.md`);
  if (!prompt.isOverride)
    terminal.say(terminal.style("dim", `\nTo use your own words, copy it to ${own} and change it.`));
  return 0;
}

function promptLine({ dir }: Cli, { loop, id, version, role, file, isOverride }: Prompt): string {
  const words = [pad(loop, 10), pad(id, 20), pad(`v${version}`, 6), pad(role, 14)];
  return `${words.join(" ")} ${isOverride ? `overridden by ${relative(dir, file)}` : "built in"}`;
}

function promptToJson({ loop, id, version, role, file, isOverride }: Prompt): Record<string, unknown> {
  return { loop, id, version, role, file, isOverride };
}

/** Folders of overrides that nothing looks at: a misspelt name would otherwise go unnoticed. */
async function strayFolders({ dir }: Cli, known: readonly string[]): Promise<string[]> {
  const entries = await readdir(join(dir, "prompts"), { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && !known.includes(entry.name)).map(({ name }) => name);
}
