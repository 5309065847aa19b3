// What an iteration keeps beside its state: texts that are too long for it, as artifacts of the run, and the debug store.
//
// The debug store has every attempt of an iteration in one folder of the project, for whoever wants to know what went on. Its name comes
// from the time at which the iteration began, as the journal has it, so that a run which is resumed writes into the same one. Each write
// is an effect and gives the same file however often it is made. Git does not see the store, whatever the project's own .gitignore says.

import { basename, join } from "node:path";
import { type Artifact, leadsOut, sha256, UsageError } from "@loopwright/core";
import type { ChangesAbove } from "./cascade/changes-above.ts";
import type { WritingContext } from "./manuscript/context.ts";
import { writeWhole } from "./manuscript/files/files.ts";
import type { ProjectFile } from "./manuscript/files/schemas.ts";
import { type Attempt, baseOf, type NovelContext, type NovelState } from "./task.ts";
import type { FileBlock, Level } from "./types.ts";

/** What can be asked for an artifact's bytes. */
type Loader = Pick<NovelContext, "load">;

/** A value as the text of an artifact. */
export function toArtifactText(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

/** Saves a part of the book, which must be kept letter by letter: it is read again, compared and committed. */
export async function saveText(
  { save }: Pick<NovelContext, "save">,
  name: string,
  value: readonly FileBlock[] | object,
): Promise<Artifact> {
  const text = toArtifactText(value);
  const artifact = await save(name, text);
  if (artifact.digest === sha256(text)) return artifact;
  throw new UsageError(
    "TEXT_SECRET",
    "The text holds the value of a key, token or password of your environment or .env, and none of these is ever recorded: change the text, or leave that variable out",
  );
}

/** The value that an artifact holds. */
export async function loadValue<Value>(ctx: Loader, artifact: Artifact): Promise<Value> {
  return JSON.parse(Buffer.from(await ctx.load(artifact)).toString()) as Value;
}

/** The level as it was when the iteration began. */
export function loadBefore(ctx: Loader, state: NovelState): Promise<FileBlock[]> {
  return loadValue(ctx, baseOf(state).files);
}

/** What writers and judges are told of the project, and project.yaml, as they were then. */
export type SavedContext = WritingContext & {
  project: ProjectFile;
  /** Versions of the files above, by path. */
  seen: Record<string, string>;
  /** What changed above since the files were made. */
  changes: ChangesAbove;
};

/** What writers and judges are told of the project. */
export function loadContext(ctx: Loader, state: NovelState): Promise<SavedContext> {
  return loadValue(ctx, baseOf(state).context);
}

/** The level as an attempt would have it; undefined where the attempt came to nothing. */
export async function loadAttempt(ctx: Loader, attempt: Attempt): Promise<FileBlock[] | undefined> {
  return attempt.files && loadValue<FileBlock[]>(ctx, attempt.files);
}

/** The last attempt that was written from the text as the iteration now has it; one from before a hand edit is none.
 * A person who stops the rounds decides about it. */
export function currentAttempt({ attempts, base }: Pick<NovelState, "attempts" | "base">): Attempt | undefined {
  return attempts.findLast(({ files, on }) => files !== undefined && (on === undefined || on === base?.commit));
}

const STORE = ".agentic";
/** Where the folders of all iterations lie, from the project's own. */
export const DEBUG_STORE = `${STORE}/debug`;

/** The folder of an iteration's debug files, from the project's own. */
export function debugFolder(project: string, target: Level, at: number): string {
  const time = new Date(at).toISOString().replace(/[:.]/g, "-");
  return `${DEBUG_STORE}/${basename(project)}/iteration_${target}_${time}`;
}

/** Writes files into an iteration's debug folder, by name. */
export async function keepForDebugging(
  ctx: NovelContext,
  key: string,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const project = projectOf(ctx);
  await ctx.effect(key, {
    input: Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, sha256(text)])),
    run: async () => {
      for (const place of [STORE, folder]) {
        if (!leadsOut(project, join(project, place))) continue;
        const message = `${join(project, place)} is a link, and nothing is written through it: put a folder there`;
        throw new UsageError("FOLDER_LINKED", message);
      }
      await writeWhole(join(project, STORE, ".gitignore"), "*\n");
      for (const [name, text] of Object.entries(files)) await writeWhole(join(project, folder, name), text);
      return null;
    },
  });
}

/** The folder of the novel's project; a run without one has nothing to write on. */
export function projectOf({ project }: Pick<NovelContext, "project">): string {
  if (project === undefined) throw new Error("the novel loop runs in a project's folder, and this run has none");
  return project;
}
