// `loopwright novel --dry-run`: the project that would be opened, and who would write. Nothing is called or written.

import { resolve } from "node:path";
import { openManuscript } from "@loopwright/novel/open";
import type { Cli } from "../cli.ts";
import { toDocument } from "../display/json-events.ts";
import { plainLine } from "../display/terminal.ts";
import { openRoles } from "./roles.ts";
import { roleNames } from "./words/role-names.ts";
import { projectLine } from "./words/words.ts";

export async function showNovelPlan(cli: Cli): Promise<number> {
  const { terminal } = cli;
  const folder = resolve(cli.words[0] ?? cli.dir);
  const manuscript = await openManuscript(folder);
  const roles = await openRoles({ cli, chosenModels: [] }, manuscript);
  const models = Object.fromEntries(roleNames.map((role) => [role, roles.nameOf(role) ?? null]));
  const target = manuscript.target() ?? null;
  if (terminal.isJson) {
    terminal.document(toDocument("novel-plan", { folder, name: manuscript.name, target, models, dryRun: true }));
    return 0;
  }
  terminal.print(plainLine(projectLine(manuscript)));
  terminal.print(`folder  ${folder}`);
  terminal.print(`target  ${target ?? "none yet"}`);
  for (const [role, name] of Object.entries(models)) terminal.print(`${role.padEnd(11)} ${name ?? "none"}`);
  terminal.print("Nothing was called and nothing was written.");
  return 0;
}
