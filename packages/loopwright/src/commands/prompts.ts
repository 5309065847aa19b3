// `loopwright prompts`: lists and shows prompts, and which file overrides which.

import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { suggestOrList, usage } from "@loopwright/core";
import { listPrompts, loadPrompt, MODELS, type Prompt, type PromptPlace } from "@loopwright/models/prompts";
import { pad, plainText } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { trustedLoops } from "../loops/sources.ts";

export async function run(cli: Cli): Promise<number> {
  const [loop, id] = cli.arguments;
  const { loops: named } = await cli.look();
  const known = [MODELS.loop, ...Object.keys(named)];
  if (loop !== undefined && !known.includes(loop))
    throw usage(`there are no prompts of '${loop}'${suggestOrList(loop, known)}`);
  if (loop !== undefined && id !== undefined) return showPrompt(cli, loop, id);
  const loops = loop === undefined ? [MODELS.loop, ...Object.keys(trustedLoops(named))] : [loop];
  const places = (await Promise.all(loops.map((name) => placeOf(cli, name)))).filter((place) => place !== undefined);
  const prompts = (await Promise.all(places.map(listPrompts))).flat();
  const { terminal } = cli;
  if (terminal.isJson) terminal.document("prompts", { prompts: prompts.map(promptToJson) });
  else {
    for (const prompt of prompts) terminal.print(promptLine(cli, prompt));
    if (prompts.length === 0) terminal.print("There are no prompts here.");
    const left = loop === undefined ? known.filter((name) => !loops.includes(name)) : [];
    if (left.length > 0)
      terminal.warn(
        `loopwright: this folder is not trusted, so these loops were not asked: ${left.join(", ")} (--trust)`,
      );
    // A misspelt name would otherwise go unnoticed.
    const entries = await readdir(join(cli.dir, "prompts"), { withFileTypes: true }).catch(() => []);
    for (const { name } of entries.filter((entry) => entry.isDirectory() && !known.includes(entry.name)))
      terminal.warn(`loopwright: prompts/${name} belongs to no loop`);
  }
  return 0;
}

/** Where a loop's prompts lie, with this project's own; undefined where it has none. */
async function placeOf(cli: Cli, loop: string): Promise<PromptPlace | undefined> {
  const { dir: project } = cli;
  if (loop === MODELS.loop) return { ...MODELS, project };
  const { prompts: folder } = (await cli.findPackage(loop)).package;
  return folder === undefined ? undefined : { loop, folder, project };
}

async function showPrompt(cli: Cli, loop: string, id: string): Promise<number> {
  const place = await placeOf(cli, loop);
  if (!place) throw usage(`the loop '${loop}' has no prompts`);
  const prompt = await loadPrompt(place, id);
  const text = await readFile(prompt.file, "utf8");
  const { terminal } = cli;
  if (terminal.isJson) {
    terminal.document("prompt", { ...promptToJson(prompt), text });
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
