// `loopwright code --branch NAME --pr`: the branch is pushed, and the page of its proof becomes the body of a pull request, by whichever of these programs is installed.
// Where none is, the page is printed.

import { spawnSync } from "node:child_process";
import { type CommandContext, type RunResult, usage } from "@loopwright/core";

interface Asked {
  branch: string;
  title: string;
  body: string;
}

const PROGRAMS: Readonly<Record<string, (asked: Asked) => string[]>> = {
  gh: ({ branch, title, body }) => ["pr", "create", "--head", branch, "--title", title, "--body", body],
  glab: ({ branch, title, body }) => [
    "mr",
    "create",
    "--yes",
    "--source-branch",
    branch,
    "--title",
    title,
    "--description",
    body,
  ],
};

/** Opens the pull request of a run that is done, in the folder of its repository. */
export async function openPullRequest(
  { output, project }: Pick<CommandContext, "output" | "project">,
  { run }: RunResult,
  { folder, title }: { folder: string; title: string },
): Promise<void> {
  const opened = await project();
  const { branch } = ((await opened.record(run)).lastNotes?.change ?? {}) as { branch?: string };
  const page = (await opened.artifacts(run)).findLast(({ path }) => path.endsWith("/proof/proof.md"));
  if (branch === undefined || !page) return;
  const body = Buffer.from(await opened.ports.store.get(page.digest)).toString();
  const call = (program: string, words: string[]) =>
    spawnSync(program, words, { cwd: folder, stdio: ["ignore", 2, 2] }).status === 0;
  const program = Object.keys(PROGRAMS).find((name) => spawnSync(name, ["--version"]).status === 0);
  if (program === undefined) return output.print(body);
  if (
    call("git", ["push", "--set-upstream", "origin", branch]) &&
    call(program, PROGRAMS[program]!({ branch, title, body }))
  )
    return;
  throw usage(`${program} made no pull request, and says above why`, `the branch ${branch} is there: make it by hand`);
}
