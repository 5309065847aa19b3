// Who writes, judges and sums up: the models behind the loop's roles, as the files, the flags and the session have them.

import type { CommandContext } from "@loopwright/core";
import type { Manuscript } from "../manuscript/files/open.ts";

export const roleNames = ["writer", "judge", "second-judge", "summarizer"] as const;
export type RoleName = (typeof roleNames)[number];

export interface Roles {
  has(role: RoleName): boolean;
  /** `endpoint:model`; undefined where the role has none. */
  nameOf(role: RoleName): string | undefined;
  /** Tokens of its window; undefined where the role has none. */
  windowOf(role: RoleName): number | undefined;
}

/** The command line for a project's folder, with its models: its files' own, then project.yaml's, the flags', the session's. */
export function contextFor(
  context: CommandContext,
  { folder, project }: Pick<Manuscript, "folder" | "project">,
  chosen: readonly string[] = [],
): CommandContext {
  const ofProject = Object.entries(project.models ?? {}).map(([role, name]) => `${role}=${name}`);
  return context.elsewhere(folder, [...context.list("model"), ...chosen], ofProject);
}

/** The models that a configuration names. */
export async function openRoles(context: CommandContext): Promise<Roles> {
  const configuration = await context.configuration();
  // A second judge is one only where it is another model than the first.
  const modelOf = (role: RoleName) => {
    const found = configuration.modelOf(role);
    return role === "second-judge" && found?.name === configuration.modelOf("judge")?.name ? undefined : found;
  };
  return {
    has: (role) => modelOf(role) !== undefined,
    nameOf: (role) => modelOf(role)?.name,
    windowOf: (role) => modelOf(role)?.context,
  };
}

/** Roles without a model, for a project whose configuration cannot be used: everything but writing works. */
export const noRoles: Roles = { has: () => false, nameOf: () => undefined, windowOf: () => undefined };
