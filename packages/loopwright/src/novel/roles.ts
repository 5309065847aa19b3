// Who writes, judges and sums up: the models behind the loop's roles, as the files, the flags and the session have them.

import type { Json, Model } from "@loopwright/core";
import { defaultRetry, priceOf, profileOf, type Redact, redactor } from "@loopwright/models/configuration";
import { openModels } from "@loopwright/models/open";
import type { Manuscript } from "@loopwright/novel/manuscript";
import { Cli } from "../cli.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { type KeptFlags, settingsOf } from "../configuration/settings.ts";
import type { Session } from "./session.ts";
import type { RoleName } from "./words/role-names.ts";

export interface Roles {
  configuration: Configuration;
  /** What a run keeps of all this. */
  settings: Readonly<Record<string, Json>>;
  /** Takes every secret out of a text. */
  redact: Redact;
  has(role: RoleName): boolean;
  /** `endpoint:model`; undefined where the role has none. */
  nameOf(role: RoleName): string | undefined;
  model(role: string): Model;
}

/** Reads the configuration of a project: its files, then project.yaml, then the flags, then the session's choices. */
export async function openRoles(
  session: Pick<Session, "cli" | "chosenModels">,
  { folder, project }: Pick<Manuscript, "folder" | "project">,
  kept: Partial<KeptFlags> = {},
): Promise<Roles> {
  const ofProject = Object.entries(project.models ?? {}).map(([role, name]) => `${role}=${name}`);
  const cli = cliFor(session.cli, folder, [...ofProject, ...session.cli.list("model"), ...session.chosenModels]);
  const configuration = await cli.configuration(kept);
  const { models, secrets } = configuration;
  const settings = await settingsOf(cli);
  const model = openModels(models, { secrets });
  return {
    configuration,
    settings,
    redact: redactor(secrets),
    has: (role) => profileOf(models, role) !== undefined,
    nameOf: (role) => {
      const profile = profileOf(models, role);
      return profile && `${profile.endpoint}:${profile.model}`;
    },
    model,
  };
}

/** Roles without a model, for a project whose configuration cannot be used: everything but writing works. */
export function noRoles(): Roles {
  const models = { endpoints: {}, profiles: {}, retry: defaultRetry, prices: {} };
  return {
    configuration: { ceilings: {}, loops: {}, models, notify: {}, sandbox: {}, secrets: [], files: [] },
    settings: {},
    redact: (text) => text,
    has: () => false,
    nameOf: () => undefined,
    model: openModels(models),
  };
}

/** The model whose price nobody knows, where there is a ceiling on dollars: it could not hold. */
export function modelWithoutPrice({ configuration }: Roles): string | undefined {
  const { ceilings, models } = configuration;
  if (ceilings.usd === undefined) return undefined;
  const named = Object.values(models.profiles).flatMap((profile) => [profile, ...profile.fallback]);
  return named.find((name) => priceOf(models, name) === undefined)?.model;
}

/** The command line as if it had been given for this folder, with these models. */
function cliFor(cli: Cli, folder: string, models: readonly string[]): Cli {
  const flags: Record<string, string | number | readonly string[]> = {
    dir: folder,
    config: cli.list("config"),
    model: models,
  };
  for (const name of ["url", "cassette", "cassette-mode", "max-iterations", "max-minutes", "max-tokens", "max-usd"]) {
    const value = cli.text(name) ?? cli.number(name);
    if (value !== undefined) flags[name] = value;
  }
  return new Cli(cli.terminal, { words: [], flags });
}
