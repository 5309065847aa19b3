// The loop's notes, each in a line, for whoever looks at a run from outside its REPL.

import type { NoteWords } from "@loopwright/core";
import { filesInWords } from "./level/names.ts";
import type { NovelNotes } from "./notes.ts";

type Lines = { [Name in keyof NovelNotes]: (data: NovelNotes[Name]) => string | undefined };

const lines: Lines = {
  "target-checked": ({ hand_edits }) =>
    hand_edits.length === 0
      ? undefined
      : `kept what was edited by hand: ${hand_edits.map((edit) => edit.subject).join(", ")}`,
  "read-began": () => undefined,
  "read-looked": ({ words, files }) => `looked at ${[...words.map((word) => `'${word}'`), ...files].join(", ")} too`,
  "feedback-read": ({ files, is_whole, of }) =>
    `the feedback reaches ${is_whole ? `all ${of} files` : `${filesInWords(files.map(({ path }) => path))} (${files.length} of ${of})`}`,
  "plan-changed": ({ added, dropped }) =>
    [
      ...(added.length > 0 ? [`the judge misses ${filesInWords(added.map(({ path }) => path))}`] : []),
      ...(dropped.length > 0 ? [`the judge wants ${filesInWords(dropped.map(({ path }) => path))} as it was`] : []),
    ].join("; "),
  "reply-read": ({ answer, choice, note }) => `'${answer}' was read as ${choice}${note === "" ? "" : ` (${note})`}`,
  "generation-began": ({ target, attempt, files, variants }) =>
    `writing ${variants ? `${variants} variants of ` : ""}${files ? filesInWords(files) : target}, attempt ${attempt}`,
  "chapter-finished": ({ chapter, part, piece, of, words, is_unchanged }) =>
    `${part ? `the ${part.replace("-", " ")}` : `chapter ${chapter} of ${of}`}${piece ? `, part ${piece}` : ""}: ${is_unchanged ? "unchanged" : `${words} words`}`,
  "generation-finished": ({ target, attempt, words }) => `${target}, attempt ${attempt}: ${words} words`,
  "format-refused": ({ attempt, problems }) => `attempt ${attempt} had no usable form: ${problems.join("; ")}`,
  "variants-written": ({ name, texts }) => `${texts.length} variants of ${name} to choose from`,
  "answer-refused": ({ role, problem }) => `the ${role}'s answer had no usable form and is asked for again: ${problem}`,
  "pass-began": ({ pass, of, problems }) => `pass ${pass} of ${of} over the prose: ${problems.join(" ")}`,
  "words-counted": () => undefined,
  measured: ({ attempt, findings }) => `measured in attempt ${attempt}: ${findings.join(" ")}`,
  "judge-began": ({ parts }) => (parts ? `the judge is shown the change in ${parts} parts` : undefined),
  "judge-unreadable": ({ message }) => `the judge's answer cannot be read: ${message}`,
  judged: ({ attempt, verdict, reasoning }) =>
    `the judge ${verdict === "approved" ? "approved" : "wants a revision of"} attempt ${attempt}: ${reasoning}`,
  "stuck-detected": ({ count }) => `stuck: the judge has found the same faults ${count} times running`,
  "summary-began": () => undefined,
  "partial-shown": ({ attempt }) => `attempt ${attempt} was looked at before the judge's word on it`,
  "semantic-diff": ({ attempt, summary }) => `what attempt ${attempt} changes: ${summary}`,
  "full-shown": ({ attempt }) => `the whole text of attempt ${attempt} was looked at`,
  "detail-shown": ({ name }) => `the diff was looked at: ${name}`,
  finalised: ({ subject, commit }) => `committed as ${commit.slice(0, 7)}: ${subject}`,
  stayed: ({ target }) => `the ${target} is in line with what changed, and stays as it is`,
  "edit-met": ({ paths, is_joined }) =>
    `edited by hand meanwhile: ${paths.join(", ")}; ${is_joined ? "both are in it" : "the iteration begins anew from it"}`,
  answered: ({ question, text }) => `${question}: ${text}`,
  declined: ({ reason }) => `declined: ${reason}`,
  warning: ({ message }) => message,
};

export const noteWords: Readonly<Record<string, NoteWords>> = lines;
