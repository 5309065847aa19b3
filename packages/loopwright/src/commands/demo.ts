// `loopwright demo`: a loop on its shipped task, offline.

import { usage } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { commandContext } from "../loops/command-context.ts";
import { findPackage, packagesWith } from "../loops/find-package.ts";
import { defaultLoops } from "../loops/sources.ts";

export async function run(cli: Cli): Promise<number> {
  const withDemo = Object.keys(packagesWith("demo", defaultLoops()));
  const name = cli.arguments[0] ?? withDemo[0]!;
  const { loops } = await cli.look();
  // A loop of the folder's own that has the name is meant only where it was named.
  const isOfFolder = cli.arguments.length > 0 && Object.hasOwn(loops, name) && loops[name]!.control !== undefined;
  if (isOfFolder) await cli.configuration();
  else cli.doWithoutFolder();
  const found = await findPackage(name, { loops: cli.arguments.length > 0 ? loops : defaultLoops() });
  const { demo } = found.package;
  if (!demo) {
    const others = withDemo.map((each) => `\`loopwright demo ${each}\``);
    throw usage(`the loop '${name}' has no demo; these have one: ${others.join(", ")}`);
  }
  const driving = demo.cassette === undefined ? cli : cli.replaying(demo.cassette);
  await using context = commandContext(driving, found);
  return await demo.run(context);
}
