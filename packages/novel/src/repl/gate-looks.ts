// What can be looked at while a question is open: the full text of any attempt. No answer is given by it.

import { LoopwrightError } from "@loopwright/core";
import { fileTitle } from "../diff/index.ts";
import { loadValue } from "../saved.ts";
import type { NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { attempt } from "./attempt.ts";
import { pageFiles } from "./input/text-pager.ts";
import type { Session } from "./session.ts";
import { splitWords } from "./words/command-words.ts";
import { fitsName } from "./words/file-names.ts";

const USAGE =
  "A question is open. /full [ATTEMPT] [FILE] shows the text of an attempt; everything else waits for your answer";

/** Carries out a look; what cannot be shown is said. */
export function lookAt(session: Session, run: string, text: string): Promise<void> {
  const [command = "", ...words] = splitWords(text);
  return attempt(session, async () => {
    if (!"/full".startsWith(command.toLowerCase()) || command.length < 2) throw new LoopwrightError("USAGE", USAGE);
    await showFull(session, run, words);
  });
}

/** `/full`, `/full 2`, `/full chapter-3`, `/full 2 chapter-3`: a number alone is an attempt's. */
async function showFull({ novel, output, input }: Session, run: string, words: readonly string[]): Promise<void> {
  const { state } = await novel.project.state(run);
  const attempts = (state as unknown as NovelState).attempts.filter(({ files }) => files !== undefined);
  const [first = ""] = words;
  const isAttempt = attempts.some((each) => String(each.number) === first);
  // A number that is no attempt's is a chapter's.
  const number = /^\d+$/.test(first) && (isAttempt || words.length > 1) ? Number(first) : undefined;
  const name = words.slice(number === undefined ? 0 : 1).join(" ");
  const chosen = number === undefined ? attempts.at(-1) : attempts.find((each) => each.number === number);
  if (!chosen?.files) {
    const there = attempts.map((each) => each.number).join(", ") || "none yet";
    throw new LoopwrightError("ATTEMPT_UNKNOWN", `There is no text of that attempt. Attempts with one: ${there}`);
  }
  const artifacts = await novel.project.artifacts(run);
  const load = async ({ digest }: { digest: string }) => artifacts.find((each) => each.digest === digest)!.read();
  const files = await loadValue<FileBlock[]>({ load } as never, chosen.files);
  const shown = files.filter(({ path }) => name === "" || fitsName(path, name));
  if (shown.length === 0) throw new LoopwrightError("FILE_UNKNOWN", `Attempt ${chosen.number} has no ${name}`);
  await pageFiles(
    shown.map(({ path, content }) => ({ title: `Attempt ${chosen.number}: ${fileTitle(path)}`, text: content })),
    output,
    input,
  );
}
