// /diff: what the last iteration changed, section by section.

import { LoopwrightError } from "@loopwright/core";
import { diffFiles } from "../../diff/index.ts";
import { levelOf } from "../../layout.ts";
import type { CommittedFile, Repository } from "../../repository/index.ts";
import { pageSections } from "../input/pager.ts";
import type { Session } from "../session.ts";
import { fitsName } from "../words/file-names.ts";
import { plural } from "../words/words.ts";

/** /diff [FILE] */
export async function showDiff(session: Session, rest: string): Promise<void> {
  const { output, input, novel } = session;
  const last = await lastChange(novel.repository);
  if (!last) return output.note("There is no iteration yet");
  const { iteration, files, content } = last;
  const name = rest.trim();
  // What was culled is named; whoever wants to read it asks for it by name.
  const shown = content.filter(({ path, after }) => (name === "" ? after !== undefined : fitsName(path, name)));
  if (shown.length === 0 && name !== "")
    throw new LoopwrightError(
      "FILE_UNKNOWN",
      `The last iteration did not change ${name}. It changed ${namesOf(content)}`,
    );
  output.say(`"${iteration.subject}" (${iteration.sha.slice(0, 7)}, ${iteration.date.slice(0, 10)})`, "bold");
  const others = files.length - content.length;
  output.say(
    `${plural(content.length, "content file")} changed${others > 0 ? `, and ${plural(others, "record")}` : ""}: ${namesOf(content)}`,
  );
  await pageSections(
    diffFiles(
      shown.flatMap(({ path, before }) => (before === undefined ? [] : [{ path, content: before }])),
      shown.flatMap(({ path, after }) => (after === undefined ? [] : [{ path, content: after }])),
    ),
    output,
    input,
  );
}

/** How far back a change of content is looked for. */
const LOOKED_AT = 50;

/** The last iteration that is not undone and changed some content: an analysis changes none. */
export async function lastChange(repository: Repository) {
  const standing = (await repository.iterations()).filter(({ isUndone }) => !isUndone);
  for (const iteration of standing.slice(0, LOOKED_AT)) {
    const files = await repository.changeOf(iteration.sha);
    const content = files.filter(({ path }) => levelOf(path) !== undefined);
    if (content.length > 0) return { iteration, files, content };
  }
  return undefined;
}

function namesOf(files: readonly CommittedFile[]): string {
  const names = files.map(({ path, after }) => (after === undefined ? `${path} (removed)` : path));
  return names.length > 8 ? `${names.slice(0, 8).join(", ")}, …` : names.join(", ") || "nothing";
}
