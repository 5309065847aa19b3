// What a loop package's command is run with: the command line, its project and its driver, as the core describes them.

import { type CommandContext, type Configuration, type Project, suggestOrList, usage } from "@loopwright/core";
import { lackedKey, nameToText, priceOf, profileOf, roleIn, withRoleDefaults } from "@loopwright/models/configuration";
import type { Cli } from "../cli.ts";
import type * as configured from "../configuration/configuration.ts";
import { controlFiles, keptFlags } from "../configuration/configuration.ts";
import { RunDriver } from "../drive/driver.ts";
import { type FoundPackage, findPackage } from "./find-package.ts";

/** A command line in a package's hands. */
export function commandContext(cli: Cli, found: FoundPackage): CommandContext<never> {
  refuseUnknownRoles(cli.list("model"), found);
  return contextFor(cli, found);
}

/** A role that a loop does not have was misspelled: its model would never be asked. */
function refuseUnknownRoles(models: readonly string[], { name, package: { roles } }: FoundPackage): void {
  if (!roles) return;
  const known = Object.keys(roles);
  const role = models.map(roleIn).find((each) => each !== undefined && ![...known, "default"].includes(each));
  if (role !== undefined) throw usage(`--model: there is no role '${role}' in ${name}${suggestOrList(role, known)}`);
}

function contextFor(cli: Cli, found: FoundPackage): CommandContext<never> {
  const { terminal } = cli;
  const configuration = async () => packageConfiguration(await cli.configuration(), found, cli.dir);
  const workcells = async () => found.package.workcells?.(await configuration());
  let opened: Promise<Project> | undefined;
  const project = () => {
    opened ??= workcells().then((kinds) => cli.openProject({ ...driver.ports, ...(kinds && { workcells: kinds }) }));
    return opened;
  };
  const driver = new RunDriver(cli, found, project, workcells);
  return {
    arguments: cli.arguments,
    isSet: (flag) => cli.isSet(flag),
    text: (flag) => cli.text(flag),
    number: (flag) => cli.number(flag),
    list: (flag) => cli.list(flag),
    dir: cli.dir,
    typed: cli.typed,
    terminal,
    output: terminal,
    driver,
    project,
    existingProject: async () => (cli.isProject ? project() : undefined),
    configuration,
    trust: (ask) => cli.trust(ask),
    trustRun: async (run) => {
      const { input, config: settings } = await (await project()).state(run);
      await cli.configurationFor({ flags: keptFlags(settings), settings, input });
    },
    ofLoop: async (name) => {
      const other = await cli.findPackage(name);
      return { package: other.package, context: contextFor(cli, other) };
    },
    elsewhere: (dir, models = cli.list("model"), ofFolder = []) =>
      contextFor(cli.elsewhere(dir, models, ofFolder), found),
    [Symbol.asyncDispose]: async () => {
      await using _ = driver;
      await using __ = cli.outbox;
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** The configuration as a package sees it. */
async function packageConfiguration(
  all: configured.Configuration,
  { name, package: { configuration, roles } }: FoundPackage,
  dir: string,
): Promise<Configuration<never>> {
  const { ceilings, sandbox, block } = all;
  const models = withRoleDefaults(all.models, roles);
  return {
    own: block(name, await configuration?.()) as never,
    block: async (other) => block(other, await (await findPackage(other, all)).package.configuration?.()),
    ceilings,
    sandbox,
    control: controlFiles(dir, all),
    modelOf: (role) => {
      const profile = profileOf(models, role);
      if (!profile) return undefined;
      const [price, lacksKey] = [priceOf(models, profile), lackedKey(models, profile)];
      const more = { ...(price && { price }), ...(lacksKey !== undefined && { lacksKey }) };
      return { name: nameToText(profile), context: profile.context, ...more };
    },
  };
}
