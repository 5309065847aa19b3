// `loopwright demo`: a loop on its shipped task, offline.

import { usage } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { commandContext } from "../loops/command-context.ts";
import { defaultPackages } from "../loops/find-command.ts";
import { findPackage } from "../loops/find-package.ts";

export async function run(cli: Cli): Promise<number> {
  const name = cli.arguments[0];
  const packages = await defaultPackages();
  const { loops } = await cli.look();
  const isOfFolder = name !== undefined && Object.hasOwn(loops, name) && loops[name]!.danger !== undefined;
  if (isOfFolder) await cli.configuration();
  else cli.doWithoutFolder();
  const found = name === undefined ? packages.find((each) => each.package.demo)! : await findPackage(name, { loops });
  const { demo } = found.package;
  if (!demo) {
    const others = packages.filter((each) => each.package.demo).map((each) => `\`loopwright demo ${each.name}\``);
    throw usage(`the loop '${name}' has no demo; these have one: ${others.join(", ")}`);
  }
  await using context = commandContext(cli, found);
  return await demo.run(context);
}
