// Old versions read from the repository.

import { tryUserGit } from "@loopwright/git";
import { gitLine, type Place, toProjectPath, toRepositoryPath } from "./place.ts";
import { compareTrees, readBlobs } from "./trees.ts";
import type { CommittedFile } from "./types.ts";

/** A file's text in a commit; undefined where it did not exist. */
export async function fileAt(place: Place, sha: string, path: string): Promise<string | undefined> {
  const name = `${sha}:${toRepositoryPath(place, path)}`;
  const { code, output } = await tryUserGit(["cat-file", "blob", name], { folder: place.root });
  return code === 0 ? output.toString() : undefined;
}

/** A file's text in the last commit that wrote it. */
export async function lastText(place: Place, path: string): Promise<string | undefined> {
  const named = ["log", "-1", "--format=%H", "--diff-filter=AMR", "--", toRepositoryPath(place, path)];
  const { code, output } = await tryUserGit(named, { folder: place.root });
  const sha = output.toString().trim();
  return code === 0 && sha !== "" ? fileAt(place, sha, path) : undefined;
}

/** The project's files that a commit changed, as it found them and left them. */
export async function changeOf(place: Place, sha: string): Promise<CommittedFile[]> {
  const line = await gitLine(place, ["rev-list", "--parents", "--max-count=1", sha, "--"]);
  const changes = await compareTrees(place, line.split(" ")[1], sha);
  const sides = changes.flatMap(({ before, after }) => [before, after]);
  const blobs = sides.flatMap((entry) => entry?.blob ?? []);
  const texts = await readBlobs(place, blobs);
  let at = 0;
  const textOf = (entry: unknown) => (entry ? texts[at++]!.toString() : undefined);
  return changes.flatMap(({ path, before, after }) => {
    const file = { path: toProjectPath(place, path), before: textOf(before), after: textOf(after) };
    return file.path === undefined ? [] : [{ ...file, path: file.path }];
  });
}
