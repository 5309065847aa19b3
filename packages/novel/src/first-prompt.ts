// How `--dry-run` reaches the first prompt: on a copy of the project and its repository, for hand edits are committed on the way.

import { cp, mkdir, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { SetUpFirstPrompt } from "@loopwright/core";
import { runUserGit } from "@loopwright/git";
import { findPlace, headOf, type Place } from "./repository/place.ts";

/** What no prompt is made of. */
const LEFT_OUT = new Set([".git", ".loopwright", "runs", "node_modules"]);

export const firstPrompt: SetUpFirstPrompt = async ({ settings, project }, folder) => {
  const place = await findPlace(project);
  if ("fault" in place) return { reason: place.fault };
  const root = join(folder, "repository");
  const copy = join(root, place.prefix);
  await borrowRepository(place, root);
  const set = (name: string, value: string) => runUserGit(["config", name, value], { folder: root });
  // No hook of the writer's runs, and whoever they are is of no matter to a copy.
  await set("core.hooksPath", join(folder, "no-hooks"));
  await set("user.name", "dry run");
  await set("user.email", "dry-run@example.org");
  await set("loopwright.shared", "true");
  await mkdir(copy, { recursive: true });
  await cp(project, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(project, path).split(sep)[0]!) });
  if (await headOf(place)) await runUserGit(["reset", "--quiet"], { folder: root });
  return {
    settings: settings ?? null,
    project: copy,
    answers: { downstream: "keep-all" },
    does: "copied the project, and answered its question with keep-all",
  };
};

/** A repository of its own at the same commit, which reads the other's objects and writes its own. */
async function borrowRepository(place: Place, root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  await runUserGit(["init", "--quiet", "--initial-branch=dry-run"], { folder: root });
  await writeFile(join(root, ".git/objects/info/alternates"), `${join(place.commonDir, "objects")}\n`);
  const head = await headOf(place);
  if (head !== undefined) await runUserGit(["update-ref", "refs/heads/dry-run", head], { folder: root });
}
