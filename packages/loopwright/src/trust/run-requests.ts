// What a run asks for when it goes on: the programs and addresses of its models, its folders, its sandbox. A journal can come
// with a folder, and its runs were then started by somebody else.

import type { Json } from "@loopwright/core";
import type { KeptFlags } from "../configuration/settings.ts";
import type { ProjectRequest } from "./dangers.ts";
import { blockRequests, endpointRequest, isCommand, isOutside } from "./requests.ts";

/** What a run keeps of how it was started. */
export interface StartedWith {
  flags: Partial<KeptFlags>;
  settings: Json;
  input: Json;
}

const FILE = ".loopwright";

/** What the record of a run asks for beyond the project's folder. */
export function runRequests({ flags, settings, input }: StartedWith, project: string): ProjectRequest[] {
  const { flags: _, ...blocks } = (settings ?? {}) as Record<string, Json>;
  return [
    ...modelRequests(flags.model ?? [], FILE),
    ...(flags.url === undefined
      ? []
      : endpointRequest({ key: "--url", file: FILE }, { url: flags.url, keyEnv: "OPENAI_API_KEY" })),
    ...(flags.cassette && isOutside(flags.cassette.file, project)
      ? [{ key: "--cassette", file: FILE, value: flags.cassette.file }]
      : []),
    ...blockRequests("run", blocks, project, FILE),
    ...blockRequests("run.input", input, project, FILE),
  ];
}

/** Models, as `--model` takes them, that are programs. */
export function modelRequests(models: readonly string[], file: string): ProjectRequest[] {
  return models.filter(isCommand).map((value) => ({ key: "--model", file, value, words: `--model ${value}` }));
}
