// `loopwright novel`: the writing REPL.

import type { Cli } from "../cli.ts";

export async function run(cli: Cli): Promise<number> {
  if (cli.isSet("dry-run")) return (await import("../novel/dry-run.ts")).showNovelPlan(cli);
  return (await import("../novel/repl.ts")).runRepl(cli);
}
