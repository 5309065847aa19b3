// The notes of the novel loop as lines, word for word as a writer knows them.

import type { Style } from "@loopwright/core";
import { showCount, showNumber } from "@loopwright/terminal";
import { fileTitle } from "../../diff/render.ts";
import { filesInWords } from "../../level/names.ts";
import type { NovelNotes } from "../../notes.ts";
import { DEBUG_STORE } from "../../saved.ts";
import { SHRUNK } from "../../style/style.ts";
import { type Level, levels } from "../../types.ts";
import { firstLine, quote, textWidth, wrap, wrapIndented } from "./output.ts";
import { culledLine, messages, targetIs, titleOfLevel, verdictWords } from "./words.ts";

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

/** A line, with its style where it has one. */
type Said = string | readonly [string, Style];
type Words = { [Name in keyof NovelNotes]?: (data: NovelNotes[Name], context: NoteContext) => readonly Said[] };

/** Where every answer is kept; its own folder is named where an iteration is declined. */
const SAVED = `(saved to ${DEBUG_STORE}/)`;

const words: Words = {
  "target-checked": ({ hand_edits }) =>
    hand_edits.map(({ subject, paths }) => [
      `[Hand edit kept: "${subject}" (${showCount(paths.length, "file")})]`,
      "dim",
    ]),

  "feedback-read": ({ files, is_whole, of, conditions }, { columns }) => [
    ...conditions.map((each) => bullet(`Condition: ${each}`, columns)),
    [
      `This feedback reaches ${is_whole ? `all ${of}` : `${files.length} of ${of}`} files${is_whole ? "." : ":"}`,
      "bold",
    ],
    ...(is_whole ? [] : reachLines(files, columns)),
    "",
  ],

  "read-looked": ({ words, files }) => [[`[Looking at more: ${[...words, ...files].join(", ")}]`, "dim"]],

  "plan-changed": ({ added, dropped }, { columns }) => [
    ...judgedLines("must change too, and opens them", added, columns),
    ...judgedLines("need not have changed, and puts them back", dropped, columns),
  ],

  "reply-read": ({ choice, note }) => [
    [`[Read as: ${choice}${note === "" ? "" : `; told to the writer: "${note}"`}]`, "dim"],
  ],

  "edit-met": ({ paths, is_joined }) => [
    [
      `[Edited by hand meanwhile: ${paths.join(", ")}. ${is_joined ? "Both are in it: they touch different paragraphs" : "The edit has a commit of its own, and the iteration begins anew from it"}]`,
      "yellow",
    ],
  ],

  "generation-began": ({ target, attempt, context, feedback, judge_rounds, said = [], files, variants, passage }) => [
    "",
    [`[Generating ${target}... Attempt ${attempt}]`, "bold"],
    ...(files ? [`  • Writing: ${writtenWords(files, variants, passage)}`] : []),
    `  • Context: ${attempt === 1 ? context.join(", ") || "none yet" : "Same as attempt 1"}`,
    ...feedbackLines(feedback, attempt, judge_rounds, said),
    "",
  ],

  "chapter-finished": ({ chapter, part, of, words: count, is_unchanged, piece }) => [
    [
      `  ✓ ${part ? `The ${part.replace("-", " ")}` : `Chapter ${chapter} of ${of}`}${piece ? `, ${piece}` : ""} (${is_unchanged ? "unchanged" : showCount(count, "word")})`,
      "dim",
    ],
  ],

  "generation-finished": (_data, { kind }) => [
    [`✓ ${kind?.kind === "edit" ? "Your edit is taken" : "Generated"} ${SAVED}`, "green"],
  ],

  "format-refused": ({ problems, debug }, { columns }) => [
    [`✗ The answer had no usable form ${SAVED}`, "yellow"],
    ...problems.map((problem) => bullet(problem, columns)),
    `  What came is in ${debug}`,
    "",
  ],

  "variants-written": ({ name, texts, refused }, { columns }) => [
    [`✓ ${showCount(texts.length, "variant")} of ${name} ${SAVED}`, "green"],
    ...listLines("Without a usable form:", refused, columns),
  ],

  "answer-refused": ({ role, problem }, { columns }) => [
    [`[The ${role}'s answer had no usable form, and is asked for again]`, "yellow"],
    bullet(problem, columns),
  ],

  "words-counted": ({ files }) => wordLines(files),

  measured: ({ findings }, { columns }) => listLines("Measured:", findings, columns),

  "judge-began": ({ judges, parts }) => [
    "",
    [judges > 1 ? `[Running ${judges} validation judges...]` : "[Running validation judge...]", "bold"],
    ...(parts ? [`  • The change is shown in ${parts} parts`] : []),
  ],

  "judge-unreadable": ({ message }, { columns }) => [
    ["Judge verdict: none, its answer cannot be read", "yellow"],
    bullet(message, columns),
    "",
  ],

  "stuck-detected": ({ count }) => [[`The judge has found the same faults ${count} times running.`, "yellow"], ""],

  judged: ({ verdict, reasoning, issues, suggestions, is_split }, { columns }) => {
    if (verdict === "approved")
      return [["Judge verdict: ✓ APPROVED", "green"], "", "Judge reasoning:", quote(reasoning, columns)];
    return [
      [
        `Judge verdict: ✗ NEEDS REVISION${is_split ? " (the judges do not agree; the stricter one holds)" : ""}`,
        "yellow",
      ],
      ...["", "Judge feedback:", quote(reasoning, columns)],
      ...listLines("Issues:", issues, columns),
      ...listLines("Suggestions:", suggestions, columns),
      "",
    ];
  },

  "summary-began": () => [
    "",
    ["[Generating semantic diff...]", "bold"],
    "  • Comparing: Old vs New content",
    "  • Context: User feedback + iteration history",
    "  • Analysis: What changed and why",
  ],

  "partial-shown": ({ attempt, text }, { columns }) => [
    ...["", [`[Semantic diff for attempt ${attempt}...]`, "bold"] as const],
    ...["", summaryText(text, columns), ""],
  ],

  "semantic-diff": ({ text }, { columns }) => ["", summaryText(text, columns), ""],

  finalised: (data, { kind, isStep = false }) => {
    // That a level stays as it is has been said.
    if (isStep && data.files + data.removed === 0) return [];
    return finalizedLines(data, kind, isStep);
  },

  stayed: ({ target }) => [[`✓ The ${target} is in line with what changed, and stays as it is`, "green"]],

  answered: ({ text, shown }, { columns }) => [
    ...["", wrap(text, textWidth(columns)).join("\n"), ""],
    [`[Shown: ${shown.join(", ") || "nothing, the book is empty so far"}. Nothing was changed]`, "dim"],
  ],

  declined: ({ reason, debug }) => [
    "",
    [`[${debug === "" ? "Cancelled" : "Rejected"}: ${reason}]`, "yellow"],
    ...(debug === "" ? [] : [[`[The attempts are kept in ${debug}]`, "dim"] as const]),
  ],

  warning: ({ message }) => [[`[Warning: ${message}]`, "yellow"]],
};

/** The lines of a note; undefined for one that says nothing to a person, or is not known. */
export function noteLines<Name extends keyof NovelNotes>(
  name: Name,
  data: NovelNotes[Name],
  context: NoteContext,
): Line[] | undefined {
  if (!Object.hasOwn(words, name)) return undefined;
  const said = words[name]!(data as never, context);
  return said.map((each) => (typeof each === "string" ? { text: each } : { text: each[0], style: each[1] }));
}

/** A summary of what changed, as it fits the terminal. */
export function summaryText(text: string, columns: number): string {
  return wrapIndented(text.trimEnd(), textWidth(columns)).join("\n");
}

function finalizedLines(
  data: NovelNotes["finalised"],
  kind: NovelNotes["target-checked"] | undefined,
  isStep: boolean,
): Said[] {
  const { target, files, removed, history, culled, subject, attempts, verdict } = data;
  const isFirst = kind?.is_first === true;
  const what = target === "chapters" ? "Chapter beats" : titleOfLevel(target);
  const judged = attempts === 0 ? "" : ` (${showCount(attempts, "judge attempt")}, ${verdictWords[verdict]})`;
  return [
    ...["", ["[Finalizing iteration...]", "bold"] as const, `  ✓ ${what} saved (${showCount(files, "file")})`],
    ...(removed > 0 ? [`  ✓ ${showCount(removed, "surplus file")} removed`] : []),
    ...(isFirst ? [] : [`  ✓ Iteration history updated (${showCount(history, "total iteration")})`]),
    ...culled.map((each) => `  ✓ ${culledLine(each)}`),
    `  ✓ Git commit: "${firstLine(subject, 200)}"`,
    "",
    [isFirst ? madeLine(target, kind.kind) : `✓ Iteration complete${judged}`, "green"],
    ...(isFirst ? [] : ["", "To review full diff: git diff HEAD~1", "To undo iteration: /undo", ""]),
    ...(isStep ? [] : [[`[${targetIs(target)}]`, "dim"] as const]),
    ...(isFirst && kind.kind === "generate" && !isStep
      ? [["[/read shows it, /undo takes it back]", "dim"] as const]
      : []),
    ...(isFirst || isStep ? [] : [messages.ready]),
  ];
}

/** What became of a level that did not exist before. */
function madeLine(level: Level, kind: NovelNotes["target-checked"]["kind"]): string {
  const how = { edit: "written by hand", derive: `derived from the ${levels[levels.indexOf(level) + 1]}` };
  return `✓ ${titleOfLevel(level)} ${kind === "edit" || kind === "derive" ? how[kind] : "generated"}`;
}

/** The first attempt is told the feedback, the others what came on top of it. */
function feedbackLines(feedback: readonly string[], attempt: number, rounds: number, said: readonly string[]): Said[] {
  if (attempt > 1) {
    const more = ["", " + Judge feedback"][rounds] ?? " + Judge feedback (cumulative)";
    const yours = said.map((text) => `"${firstLine(text, 200)}"`).join(", ");
    return [`  • Feedback: Original${more}${yours === "" ? "" : ` + Your words: ${yours}`}`];
  }
  const items = feedback.map((item) => `"${firstLine(item, 200)}"`);
  if (items.length < 2) return items.map((item) => `  • Feedback: ${item}`);
  return [`  • Feedback: ${items.length} items`, ...items.map((item, at) => `    ${at + 1}. ${item}`)];
}

/** `chapters 3, 5`, `2 variants of a passage in chapter 3 ("Marcus woke…")` */
function writtenWords(files: readonly string[], variants: number | undefined, passage: string | undefined): string {
  const what = filesInWords(files);
  if (variants === undefined) return what;
  return `${variants} variants of ${passage === undefined ? what : `a passage in ${what} ("${firstLine(passage, 50)}")`}`;
}

/** More chapters than this are summed up; those that shrank are always named. */
const MOST_COUNTED = 12;

function wordLines(files: NovelNotes["words-counted"]["files"]): Said[] {
  const isShrunk = ({ before, after }: (typeof files)[number]) => after < before * (1 - SHRUNK);
  const named = files.length <= MOST_COUNTED ? files : files.filter(isShrunk);
  const left = files.length - named.length;
  const sum = (side: "before" | "after") => showNumber(files.reduce((total, file) => total + file[side], 0));
  if (files.length === 0) return [];
  return [
    "Words, before → after:",
    ...named.map((file): Said => {
      const counts = `  ${fileTitle(file.path)}: ${showNumber(file.before)} → ${showNumber(file.after)}`;
      if (file.after === 0) return `${counts}, gone`;
      const share = Math.round((1 - file.after / file.before) * 100);
      return isShrunk(file) ? [`${counts}  ⚠️  ${share}% shorter`, "yellow"] : counts;
    }),
    ...(left > 0 ? [`  ${showCount(left, "other file")}; all: ${sum("before")} → ${sum("after")}`] : []),
    "",
  ];
}

const ripples = { heart: "", before: "a ripple before: ", after: "a ripple after: ", foundation: "the foundation: " };

/** The files that are reached, each with why; those with the same reason together. */
function reachLines(files: NovelNotes["feedback-read"]["files"], columns: number): string[] {
  const groups = Map.groupBy(files, ({ kind, why }) => `${ripples[kind]}${why}`);
  return [...groups].map(([why, each]) => bullet(`${filesInWords(each.map(({ path }) => path))}: ${why}`, columns));
}

function judgedLines(finding: string, files: readonly { path: string; why: string }[], columns: number): Said[] {
  if (files.length === 0) return [];
  const lines = files.map(({ path, why }) => bullet(`${filesInWords([path])}: ${why}`, columns));
  return [[`The judge finds that these ${finding}:`, "yellow"], ...lines];
}

function listLines(title: string, items: readonly string[], columns: number): string[] {
  return items.length === 0 ? [] : [`  ${title}`, ...items.map((item) => bullet(item, columns))];
}

function bullet(text: string, columns: number): string {
  return wrap(text.trim(), textWidth(columns) - 6)
    .map((part, at) => `${at === 0 ? "    • " : "      "}${part}`.trimEnd())
    .join("\n");
}
