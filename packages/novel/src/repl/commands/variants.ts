// /variants: two or three versions of a level, of one file, or of a passage of it, to choose from.

import { LoopwrightError } from "@loopwright/core";
import type { FileBlock } from "../../layout.ts";
import { beginIteration } from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord } from "../words/command-words.ts";
import { fitsName } from "../words/file-names.ts";
import { messages } from "../words/words.ts";

const USAGE =
  'Say it as /variants [2|3] [FILE] ["words of a passage"] FEEDBACK, such as /variants 3 chapter-3 make it colder';

/** /variants [2|3] [FILE] ["PASSAGE"] FEEDBACK */
export async function writeVariants(session: Session, rest: string): Promise<void> {
  const [, count = "2", words = ""] = /^(?:([23])\s+(?=\S))?([\s\S]*)$/.exec(rest.trim()) ?? [];
  const { target } = session;
  if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  const files = await (await session.manuscript()).read(target);
  const [name, afterName] = firstWord(words.replace(/^chapter\s+(?=\d)/i, "chapter-"));
  const found = files.find(({ path }) => name !== "" && fitsName(path, name));
  // Of prose one chapter is written, of any other level all of it.
  if (!found && (target === "prose" || /^(?:chapter-)?\d+$/i.test(name)))
    throw new LoopwrightError("USAGE", `There is no one file '${name}' in ${target}. ${USAGE}`);
  const file = found ?? (files.length === 1 ? files[0] : undefined);
  const { passage, feedback } = file ? readPassage(found ? afterName : words, file) : { feedback: words.trim() };
  if (feedback === "") throw new LoopwrightError("USAGE", USAGE);
  const variants = count === "3" ? 3 : 2;
  await beginIteration(session, {
    ...{ kind: "iterate", target, feedback: [feedback], variants },
    ...(file && (found || passage !== undefined) && { file: file.path }),
    ...(passage !== undefined && { passage }),
  });
}

const MARKS_AROUND = /^<!--\s*keep\s*-->\s*|\s*<!--\s*\/\s*keep\s*-->$/gi;

/** The paragraph that holds the quoted words, without keep marks round it; they must say which one is meant. */
function readPassage(text: string, { path, content }: FileBlock): { passage?: string; feedback: string } {
  const [all, ...groups] = /^(?:"([^"]+)"|“([^”]+)”|„([^“”"]+)[“”"]|»([^«]+)«|«([^»]+)»)/u.exec(text.trim()) ?? [];
  const words = groups.find((group) => group !== undefined)?.trim();
  if (all === undefined || words === undefined) return { feedback: text.trim() };
  const found = content.split(/\n[ \t]*\n/).filter((paragraph) => paragraph.includes(words));
  if (found.length === 1)
    return { passage: found[0]!.trim().replace(MARKS_AROUND, ""), feedback: text.trim().slice(all.length).trim() };
  const why = found.length === 0 ? "is in no paragraph" : `is in ${found.length} paragraphs`;
  throw new LoopwrightError(
    "PASSAGE_UNKNOWN",
    `"${words}" ${why} of ${path}: quote words that only the passage has (the target is what /iterate shows)`,
  );
}
