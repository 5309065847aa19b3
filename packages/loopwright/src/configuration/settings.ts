// The settings that a run keeps: its configuration as resolved, and the flags that a resume takes up again. No secrets.

import type { Ceilings, Json } from "@loopwright/core";
import { nameToText, redactor } from "@loopwright/models/configuration";
import type { Cli } from "../cli.ts";
import type { Configuration, GivenFlags } from "./configuration.ts";

/** What of the command line a resume takes up again. */
export type KeptFlags = Pick<GivenFlags, "url" | "cassette"> & { model: readonly string[] };

/** The settings of a new run, for its record. */
export async function settingsOf(cli: Cli): Promise<Readonly<Record<string, Json>>> {
  const configuration = await cli.configuration();
  const { url, model, cassette } = cli.modelFlags();
  const flags = {
    ...(model.length > 0 && { model }),
    ...(url !== undefined && isWithoutSecrets(url) && { url }),
    ...(cassette && { cassette }),
  };
  const models = modelNames(configuration);
  return {
    ceilings: configuration.ceilings as Json,
    ...(Object.keys(models).length > 0 && { models }),
    ...(Object.keys(flags).length > 0 && { flags: flags as Json }),
  };
}

/** The flags that a run was started with, out of its settings. */
export function keptFlags(settings: Json): Partial<KeptFlags> {
  const flags = (settings as { flags?: Partial<KeptFlags> } | null)?.flags;
  return typeof flags === "object" && flags !== null ? flags : {};
}

/** The folder that a run's programs work in, where its loop's settings name one. */
export function workspaceOf(settings: Json, loop: string): string | undefined {
  const own = (settings as Readonly<Record<string, { workspace?: unknown } | null>> | null)?.[loop];
  return typeof own?.workspace === "string" ? own.workspace : undefined;
}

/** The ceilings that this command line names; those of files are for runs that have none of their own. */
export function givenCeilings(cli: Cli, { ceilings }: Configuration): Partial<Ceilings> {
  const named = cli.list("config").map((given) => given.split("=")[0]!.split(".").at(-1)!);
  const names = new Set([...Object.keys(cli.limits()), ...named]);
  return Object.fromEntries(Object.entries(ceilings).filter(([name]) => names.has(name)));
}

/** `endpoint:model` by role; a program that is run outside any sandbox is said to be one. */
function modelNames({ models, secrets }: Configuration): Record<string, string> {
  const redact = redactor(secrets);
  const names = Object.entries(models.profiles).map(([role, { endpoint, model }]) => {
    const { kind, url } = models.endpoints[endpoint]!;
    return [
      role,
      kind === "command" ? `command (outside the sandbox): ${redact(url)}` : nameToText({ endpoint, model }),
    ];
  });
  return Object.fromEntries(names);
}

/** An address with a name, a password or a query may hold a key; it has to be given again. */
export function isWithoutSecrets(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.username === "" && parsed.password === "" && parsed.search === "";
}
