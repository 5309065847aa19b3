// The notes of the novel loop as lines, word for word as a writer knows them.

import type { Style } from "@loopwright/core";
import { DEBUG_STORE } from "../../debug-store.ts";
import { fileTitle } from "../../diff/index.ts";
import { filesInWords } from "../../level/names.ts";
import type { NovelNotes } from "../../notes.ts";
import { SHRUNK } from "../../style/measured.ts";
import { completeLine, culledLine, madeLine, messages, plural, savedLine, targetIs, withCommas } from "./words.ts";
import { firstLine, quote, textWidth, wrap, wrapIndented } from "./wrapping.ts";

export interface Line {
  text: string;
  style?: Style;
}

/** What is known beside the note itself. */
export interface NoteContext {
  columns: number;
  /** What was said when the run began. */
  kind: NovelNotes["target-checked"] | undefined;
  /** Whether the run is a step of a cascade. */
  isStep?: boolean;
}

/** Where every answer is kept; its own folder is named where an iteration is declined. */
const SAVED = `(saved to ${DEBUG_STORE}/)`;

type Words = { [Name in keyof NovelNotes]?: (data: NovelNotes[Name], context: NoteContext) => Line[] };

const line = (text: string, style?: Line["style"]): Line => ({ text, ...(style && { style }) });

const words: Words = {
  "target-checked": ({ hand_edits }) =>
    hand_edits.map(({ subject, paths }) =>
      line(`[Hand edit kept: "${subject}" (${plural(paths.length, "file")})]`, "dim"),
    ),

  "read-began": () => [],

  "feedback-read": ({ files, is_whole, of, conditions }, { columns }) => [
    ...conditions.map((each) => line(bullet(`Condition: ${each}`, columns))),
    is_whole
      ? line(`This feedback reaches all ${of} files.`, "bold")
      : line(`This feedback reaches ${files.length} of ${of} files:`, "bold"),
    ...(is_whole ? [] : reachLines(files, columns)),
    line(""),
  ],

  "read-looked": ({ words, files }) => [line(`[Looking at more: ${[...words, ...files].join(", ")}]`, "dim")],

  "plan-changed": ({ added, dropped }, { columns }) => [
    ...(added.length > 0 ? [line("The judge finds that these must change too, and opens them:", "yellow")] : []),
    ...added.map(({ path, why }) => line(bullet(`${filesInWords([path])}: ${why}`, columns))),
    ...(dropped.length > 0
      ? [line("The judge finds that these need not have changed, and puts them back:", "yellow")]
      : []),
    ...dropped.map(({ path, why }) => line(bullet(`${filesInWords([path])}: ${why}`, columns))),
  ],

  "reply-read": ({ choice, note }) => [
    line(`[Read as: ${choice}${note === "" ? "" : `; told to the writer: "${note}"`}]`, "dim"),
  ],

  "edit-met": ({ paths, is_joined }) => [
    line(
      `[Edited by hand meanwhile: ${paths.join(", ")}. ${is_joined ? "Both are in it: they touch different paragraphs" : "The edit has a commit of its own, and the iteration begins anew from it"}]`,
      "yellow",
    ),
  ],

  "generation-began": ({ target, attempt, context, feedback, judge_rounds, said = [], files, variants, passage }) => [
    line(""),
    line(`[Generating ${target}... Attempt ${attempt}]`, "bold"),
    ...(files ? [line(`  • Writing: ${writtenWords(files, variants, passage)}`)] : []),
    line(`  • Context: ${attempt === 1 ? context.join(", ") || "none yet" : "Same as attempt 1"}`),
    ...feedbackLines(feedback, attempt, judge_rounds, said),
    line(""),
  ],

  "chapter-finished": ({ chapter, part, of, words: count, is_unchanged }) => [
    line(
      `  ✓ ${part ? `The ${part.replace("-", " ")}` : `Chapter ${chapter} of ${of}`} (${is_unchanged ? "unchanged" : plural(count, "word")})`,
      "dim",
    ),
  ],

  "generation-finished": (_data, { kind }) => [
    line(`✓ ${kind?.kind === "edit" ? "Your edit is taken" : "Generated"} ${SAVED}`, "green"),
  ],

  "format-refused": ({ problems, retry_count, debug }, { columns }) => [
    line(
      `✗ The answer had no usable form${retry_count > 0 ? `, after ${plural(retry_count, "more try", "more tries")}` : ""} ${SAVED}`,
      "yellow",
    ),
    ...problems.map((problem) => line(bullet(problem, columns))),
    line(`  What came is in ${debug}`),
    line(""),
  ],

  "variants-written": ({ name, texts, refused }, { columns }) => [
    line(`✓ ${plural(texts.length, "variant")} of ${name} ${SAVED}`, "green"),
    ...listLines("Without a usable form:", refused, columns),
  ],

  "answer-refused": ({ role, problem }, { columns }) => [
    line(`[The ${role}'s answer had no usable form, and is asked for again]`, "yellow"),
    line(bullet(problem, columns)),
  ],

  "pass-began": ({ pass, of, problems }, { columns }) => [
    line(`[Pass ${pass} of ${of} over the prose]`, "yellow"),
    ...problems.map((problem) => line(bullet(problem, columns))),
  ],

  "words-counted": ({ files }) => wordLines(files),

  measured: ({ findings }, { columns }) => listLines("Measured:", findings, columns),

  "judge-began": ({ judges, parts }) => [
    line(""),
    line(judges > 1 ? `[Running ${judges} validation judges...]` : "[Running validation judge...]", "bold"),
    ...(parts ? [line(`  • The change is shown in ${parts} parts`)] : []),
  ],

  "judge-unreadable": ({ message }, { columns }) => [
    line("Judge verdict: none, its answer cannot be read", "yellow"),
    line(bullet(message, columns)),
    line(""),
  ],

  "stuck-detected": ({ count }) => [
    line(`The judge has found the same faults ${count} times running.`, "yellow"),
    line(""),
  ],

  judged: ({ verdict, reasoning, issues, suggestions }, { columns }) =>
    verdict === "approved"
      ? [
          line("Judge verdict: ✓ APPROVED", "green"),
          line(""),
          line("Judge reasoning:"),
          line(quote(reasoning, columns)),
        ]
      : [
          line("Judge verdict: ✗ NEEDS REVISION", "yellow"),
          line(""),
          line("Judge feedback:"),
          line(quote(reasoning, columns)),
          ...listLines("Issues:", issues, columns),
          ...listLines("Suggestions:", suggestions, columns),
          line(""),
        ],

  "summary-began": () => [
    line(""),
    line("[Generating semantic diff...]", "bold"),
    line("  • Comparing: Old vs New content"),
    line("  • Context: User feedback + iteration history"),
    line("  • Analysis: What changed and why"),
  ],

  "partial-shown": ({ text }, { columns }) => [line(""), line(summaryText(text, columns)), line("")],

  "semantic-diff": ({ text }, { columns }) => [line(""), line(summaryText(text, columns)), line("")],

  finalised: (data, { kind, isStep }) => {
    // That a level stays as it is has been said.
    if (isStep && data.files + data.removed === 0) return [];
    return finalizedLines(data, kind, isStep === true);
  },

  stayed: ({ target }) => [line(`✓ The ${target} is in line with what changed, and stays as it is`, "green")],

  answered: ({ text, shown }, { columns }) => [
    line(""),
    line(wrap(text, textWidth(columns)).join("\n")),
    line(""),
    line(`[Shown: ${shown.join(", ") || "nothing, the book is empty so far"}. Nothing was changed]`, "dim"),
  ],

  declined: ({ reason, debug }) => [
    line(""),
    line(`[${debug === "" ? "Cancelled" : "Rejected"}: ${reason}]`, "yellow"),
    ...(debug === "" ? [] : [line(`[The attempts are kept in ${debug}]`, "dim")]),
  ],

  warning: ({ message }) => [line(`[Warning: ${message}]`, "yellow")],
};

/** The lines of a note; undefined for one that says nothing to a person, or is not known. */
export function noteLines<Name extends keyof NovelNotes>(
  name: Name,
  data: NovelNotes[Name],
  context: NoteContext,
): Line[] | undefined {
  return Object.hasOwn(words, name) ? words[name]!(data as never, context) : undefined;
}

/** A summary of what changed, as it fits the terminal. */
export function summaryText(text: string, columns: number): string {
  return wrapIndented(text.trimEnd(), textWidth(columns)).join("\n");
}

function finalizedLines(
  data: NovelNotes["finalised"],
  kind: NovelNotes["target-checked"] | undefined,
  isStep: boolean,
): Line[] {
  return [
    line(""),
    line("[Finalizing iteration...]", "bold"),
    line(`  ✓ ${savedLine(data.target, data.files)}`),
    ...(data.removed > 0 ? [line(`  ✓ ${plural(data.removed, "surplus file")} removed`)] : []),
    ...(kind?.is_first ? [] : [line(`  ✓ Iteration history updated (${plural(data.history, "total iteration")})`)]),
    ...data.culled.map((culled) => line(`  ✓ ${culledLine(culled)}`)),
    line(`  ✓ Git commit: "${firstLine(data.subject, 200)}"`),
    line(""),
    ...(kind?.is_first
      ? [line(madeLine(data.target, kind.kind), "green")]
      : [
          line(completeLine(data.attempts, data.verdict), "green"),
          line(""),
          line("To review full diff: git diff HEAD~1"),
          line("To undo iteration: /undo"),
          line(""),
        ]),
    ...(isStep ? [] : [line(`[${targetIs(data.target)}]`, "dim")]),
    ...(kind?.is_first && kind.kind === "generate" && !isStep
      ? [line("[/read shows it, /undo takes it back]", "dim")]
      : []),
    ...(kind?.is_first || isStep ? [] : [line(messages.ready)]),
  ];
}

/** The first attempt is told the feedback, the others what came on top of it. */
function feedbackLines(feedback: readonly string[], attempt: number, rounds: number, said: readonly string[]): Line[] {
  if (attempt > 1) {
    const more = rounds === 0 ? "" : rounds === 1 ? " + Judge feedback" : " + Judge feedback (cumulative)";
    const yours =
      said.length === 0 ? "" : ` + Your words: ${said.map((text) => `"${firstLine(text, 200)}"`).join(", ")}`;
    return [line(`  • Feedback: Original${more}${yours}`)];
  }
  if (feedback.length === 0) return [];
  if (feedback.length === 1) return [line(`  • Feedback: "${firstLine(feedback[0]!, 200)}"`)];
  return [
    line(`  • Feedback: ${feedback.length} items`),
    ...feedback.map((item, at) => line(`    ${at + 1}. "${firstLine(item, 200)}"`)),
  ];
}

/** `chapters 3, 5`, `2 variants of a passage in chapter 3 ("Marcus woke…")` */
function writtenWords(files: readonly string[], variants: number | undefined, passage: string | undefined): string {
  const what = filesInWords(files);
  if (variants === undefined) return what;
  const of = passage === undefined ? what : `a passage in ${what} ("${firstLine(passage, 50)}")`;
  return `${variants} variants of ${of}`;
}

/** More chapters than this are summed up; those that shrank are always named. */
const MOST_COUNTED = 12;

function wordLines(files: readonly { path: string; before: number; after: number }[]): Line[] {
  const isShrunk = ({ before, after }: { before: number; after: number }) => after < before * (1 - SHRUNK);
  const named = files.length <= MOST_COUNTED ? files : files.filter(isShrunk);
  const left = files.length - named.length;
  const sum = (side: "before" | "after") => withCommas(files.reduce((total, file) => total + file[side], 0));
  if (files.length === 0) return [];
  return [
    line("Words, before → after:"),
    ...named.map((file) => {
      const counts = `  ${fileTitle(file.path)}: ${withCommas(file.before)} → ${withCommas(file.after)}`;
      if (file.after === 0) return line(`${counts}, gone`);
      if (!isShrunk(file)) return line(counts);
      return line(`${counts}  ⚠️  ${Math.round((1 - file.after / file.before) * 100)}% shorter`, "yellow");
    }),
    ...(left > 0 ? [line(`  ${plural(left, "other file")}; all: ${sum("before")} → ${sum("after")}`)] : []),
    line(""),
  ];
}

const ripple = { heart: "", before: "a ripple before: ", after: "a ripple after: ", foundation: "the foundation: " };

/** The files that are reached, each with why; those with the same reason together. */
function reachLines(files: NovelNotes["feedback-read"]["files"], columns: number): Line[] {
  const groups = Map.groupBy(files, ({ kind, why }) => `${ripple[kind]}${why}`);
  return [...groups].map(([why, each]) =>
    line(bullet(`${filesInWords(each.map(({ path }) => path))}: ${why}`, columns)),
  );
}

function listLines(title: string, items: readonly string[], columns: number): Line[] {
  return items.length === 0 ? [] : [line(`  ${title}`), ...items.map((item) => line(bullet(item, columns)))];
}

function bullet(text: string, columns: number): string {
  return wrap(text.trim(), textWidth(columns) - 6)
    .map((part, at) => `${at === 0 ? "    • " : "      "}${part}`.trimEnd())
    .join("\n");
}
