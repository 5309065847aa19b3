// `loopwright novel --dry-run`: the project that would be opened, and who would write. Nothing is called or written.

import { resolve } from "node:path";
import type { CommandContext } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { openManuscript } from "../manuscript/files/open.ts";
import { contextFor, openRoles } from "./roles.ts";
import { roleNames } from "./words/role-names.ts";
import { projectLine } from "./words/words.ts";

export async function showNovelPlan(context: CommandContext): Promise<number> {
  const { output } = context;
  const folder = resolve(context.arguments[0] ?? context.dir);
  const manuscript = await openManuscript(folder);
  const roles = await openRoles(contextFor(context, manuscript));
  const models = Object.fromEntries(roleNames.map((role) => [role, roles.nameOf(role) ?? null]));
  const target = manuscript.target() ?? null;
  if (output.isJson) {
    output.document("novel-plan", { folder, name: manuscript.name, target, models, dryRun: true });
    return 0;
  }
  output.print(plainLine(projectLine(manuscript)));
  output.print(`folder  ${folder}`);
  output.print(`target  ${target ?? "none yet"}`);
  for (const [role, name] of Object.entries(models)) output.print(`${role.padEnd(11)} ${name ?? "none"}`);
  output.print("Nothing was called and nothing was written.");
  return 0;
}
