// Texts that are too long for the state: they are artifacts of the run, as JSON.

import { type Artifact, sha256, UsageError } from "@loopwright/core";
import type { ChangesAbove } from "./cascade/changes-above.ts";
import type { WritingContext } from "./manuscript/context.ts";
import type { ProjectFile } from "./manuscript/files/schemas.ts";
import { type Attempt, baseOf, type NovelContext, type NovelState } from "./task.ts";
import type { FileBlock } from "./types.ts";

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
