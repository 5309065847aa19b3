// Texts that files of the project once had, found again by what they said.

import { git, type Place, toProjectPath, toRepositoryPath } from "./place.ts";
import { readBlobs } from "./trees.ts";

/** How many versions are looked through; a text that is older is not found. */
const MOST_VERSIONS = 400;

/** The newest of a path's versions that fits; else of its folder's, for a file that was moved. */
export async function findText(
  place: Place,
  path: string,
  fits: (text: string) => boolean,
): Promise<string | undefined> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  for (const where of [path, folder]) {
    const blobs = await blobsOf(place, where);
    for (const text of await readBlobs(place, blobs)) if (fits(text.toString())) return text.toString();
  }
  return undefined;
}

/** Every version of what lies at a path, newest first. */
async function blobsOf(place: Place, path: string): Promise<string[]> {
  const output = await git(place, [
    ...["log", `--max-count=${MOST_VERSIONS}`, "--format=", "--raw", "--no-abbrev", "--no-renames", "-m", "--root"],
    ...["--", toRepositoryPath(place, path)],
  ]);
  const lines = output.toString().split("\n");
  const blobs = lines.flatMap((line) => (line.split(" ")[3] ?? "").match(/^(?!0+$)[0-9a-f]{40,64}$/)?.[0] ?? []);
  return [...new Set(blobs)].slice(0, MOST_VERSIONS);
}

/** The newest commit that changed a file of the project that fits. */
export async function lastCommitOf(place: Place, fits: (path: string) => boolean): Promise<string | undefined> {
  const output = await git(place, [
    ...["log", `--max-count=${MOST_VERSIONS}`, "--format=commit %H", "--name-only", "--no-renames"],
    ...["--", place.prefix === "" ? "." : place.prefix],
  ]);
  let commit: string | undefined;
  for (const line of output.toString().split("\n")) {
    if (line.startsWith("commit ")) commit = line.slice("commit ".length);
    else if (line !== "" && fits(toProjectPath(place, line) ?? "")) return commit;
  }
  return undefined;
}
