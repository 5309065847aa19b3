// What a run asks for when it goes on: the programs and addresses of its models, its folders, its sandbox. A journal can come
// with a folder, and its runs were then started by somebody else.

import type { Json } from "@loopwright/core";
import type { KeptFlags } from "../configuration/settings.ts";
import type { Wish } from "./dangers.ts";
import { blockWishes, endpointWish, isCommand, isOutside } from "./wishes.ts";

/** What a run keeps of how it was started. */
export interface StartedWith {
  flags: Partial<KeptFlags>;
  settings: Json;
  input: Json;
}

const FILE = ".loopwright";

/** What the record of a run asks for beyond the project's folder. */
export function runWishes({ flags, settings, input }: StartedWith, project: string): Wish[] {
  const { flags: _, ...blocks } = (settings ?? {}) as Record<string, Json>;
  return [
    ...modelWishes(flags.model ?? [], FILE),
    ...(flags.url === undefined
      ? []
      : endpointWish({ key: "--url", file: FILE }, { url: flags.url, keyEnv: "OPENAI_API_KEY" })),
    ...(flags.cassette && isOutside(flags.cassette.file, project)
      ? [{ key: "--cassette", file: FILE, value: flags.cassette.file }]
      : []),
    ...blockWishes("run", blocks, project, FILE),
    ...blockWishes("run.input", input, project, FILE),
  ];
}

/** Models, as `--model` takes them, that are programs. */
export function modelWishes(models: readonly string[], file: string): Wish[] {
  return models.filter(isCommand).map((value) => ({ key: "--model", file, value, words: `--model ${value}` }));
}
