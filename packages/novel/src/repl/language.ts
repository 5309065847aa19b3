// The language of a book: taken from the idea, confirmed once, and kept in project.yaml.

import { LoopwrightError } from "@loopwright/core";
import type { Manuscript } from "../manuscript/index.ts";
import { detectLanguage } from "../manuscript/language/detect.ts";
import { languageName } from "../manuscript/language/name.ts";
import { type Asking, askText, askWord } from "./ask.ts";
import { commitChange } from "./changes.ts";
import type { Session } from "./session.ts";

/** Settles the language of a book whose premise begins with an idea. English is what a book is in where nothing is said. */
export async function confirmLanguage(session: Session, { project, has }: Manuscript, idea: string): Promise<void> {
  if (project.language !== undefined || has("premise")) return;
  const found = detectLanguage(idea);
  if (found === undefined || found === "en") return;
  const name = languageName(found);
  // In a script the next line was written for something else: what is plain is taken, and said.
  const isAsked = session.input.isInteractive || session.context.isSet("yes");
  const word = isAsked
    ? await askWord(askingIn(session, found), `The idea is in ${name}. Write the book in it?`, ["yes", "no"], "yes")
    : "yes";
  const tag = word === "yes" ? found : await askTag(session);
  if (tag === undefined) return;
  const { changeProjectFile } = await import("../manuscript/index.ts");
  const file = await changeProjectFile(session.novel.folder, { language: tag });
  await commitChange(session, "project", `language ${tag}`, { write: [file], remove: [] });
  session.language = tag;
  session.output.note(`Language: ${tag}, kept in project.yaml`);
}

/** Whoever writes in a language answers in it, before the book has it, and may name it. */
export function askingIn({ output, input, context }: Asking, language: string): Asking {
  const names = [languageName(language), languageName(language, language)].map((name) => name.toLowerCase());
  return { output, input, context, language, courtesies: names.map((name) => `(?:\\p{L}{1,3} )?${name}`) };
}

async function askTag(session: Session): Promise<string | undefined> {
  const typed = await askText(session, "Which language? A tag such as en, de or pt-BR:");
  if (typed === undefined) return undefined;
  try {
    return Intl.getCanonicalLocales(typed)[0];
  } catch {
    throw new LoopwrightError("LANGUAGE_UNKNOWN", `'${typed}' is no language tag. Write one such as en, de or pt-BR`);
  }
}
