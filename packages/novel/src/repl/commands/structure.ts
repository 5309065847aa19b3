// /merge, /split, /move and /drop: the chapters of the plan and of the prose together, each in one commit that can be undone.

import { LoopwrightError } from "@loopwright/core";
import type { Manuscript } from "../../manuscript/index.ts";
import type { Slot } from "../../structure/slots.ts";
import { askWord } from "../ask.ts";
import { commitChange } from "../changes.ts";
import { newIterationId } from "../iterations.ts";
import type { Session } from "../session.ts";
import { splitWords } from "../words/command-words.ts";
import { plural, quoted } from "../words/words.ts";
import { firstLine } from "../words/wrapping.ts";

/** /merge N M [as TITLE] */
export async function merge(session: Session, rest: string): Promise<void> {
  const { words, title } = takeTitle(rest);
  const numbers = numbersIn(words);
  const { mergeChapters } = await import("../../structure/merge.ts");
  await change(session, (slots) => mergeChapters(slots, numbers, title), {
    words: `merge chapters ${numbers.join(" and ")}`,
    told: `Chapters ${numbers.join(" and ")} are one: chapter ${Math.min(...numbers)}${title === "" ? "" : `, "${title}"`}`,
  });
}

/** /split N [SCENE|WORDS] [as TITLE] */
export async function split(session: Session, rest: string): Promise<void> {
  const { words, title } = takeTitle(rest);
  const [, first, more = ""] = /^(?:chapter\s+)?(\d+)(?:\s+(?:at\s+)?([\s\S]+))?$/i.exec(words) ?? [];
  if (first === undefined)
    throw new LoopwrightError(
      "USAGE",
      'Name a chapter: /split 5, /split 5 at "its words", /split 5 2 (its second scene)',
    );
  const number = Number(first);
  const place = more.trim().replace(/^["'“„«»](.*)["'”“»«]$/s, "$1");
  const at = place === "" ? undefined : /^\d+$/.test(place) ? { scene: Number(place) } : { words: place };
  const { splitChapter } = await import("../../structure/split.ts");
  await change(session, (slots) => splitChapter(slots, number, at, title), {
    words: `split chapter ${number}`,
    told: `Chapter ${number} is two: chapters ${number} and ${number + 1}`,
  });
  await tellBeginning(session, number + 1);
  if ((await session.manuscript()).has("chapters"))
    session.output.note(
      "The plan's events were divided in their order, and what is no event stands in both plans. Where that is not right: /iterate chapters, and say what belongs where",
    );
}

/** Says how a chapter's prose begins, so that it is seen where it was split. */
async function tellBeginning(session: Session, number: number): Promise<void> {
  const { chapterPath } = await import("../../layout.ts");
  const path = chapterPath("prose", number);
  const file = (await (await session.manuscript()).read("prose")).find((each) => each.path === path);
  const first = file?.content.split("\n").find((line) => line.trim() !== "" && !line.startsWith("#"));
  if (first !== undefined) session.output.note(`Chapter ${number} begins: ${quoted(firstLine(first, 70))}`);
}

/** /move N TO */
export async function move(session: Session, rest: string): Promise<void> {
  const [number, to, ...more] = numbersIn(rest);
  if (number === undefined || to === undefined || more.length > 0)
    throw new LoopwrightError("USAGE", "Name a chapter and its new place: /move 7 2");
  const { moveChapter } = await import("../../structure/order.ts");
  await change(session, (slots) => moveChapter(slots, number, to), {
    words: `move chapter ${number} to ${to}`,
    told: `Chapter ${number} is chapter ${to} now`,
  });
}

/** /drop N */
export async function drop(session: Session, rest: string): Promise<void> {
  const { output } = session;
  const [number, ...more] = numbersIn(rest);
  if (number === undefined || more.length > 0)
    throw new LoopwrightError(
      "USAGE",
      "Name one chapter to drop: /drop 9 (one that was culled is brought back by /undo)",
    );
  const [{ dropChapter, keptOfSlot }, { slotAt, slotsOf, titleOfSlot }, { countWords }] = await Promise.all([
    import("../../structure/order.ts"),
    import("../../structure/slots.ts"),
    import("../../manuscript/words.ts"),
  ]);
  const slots = slotsOf(await session.manuscript());
  const slot = slotAt(slots, number);
  const { plan, prose } = keptOfSlot(slot);
  const kept = [...plan, ...prose];
  for (const passage of kept) output.say(`Kept passage: "${firstLine(passage.trim(), 200)}"`, "yellow");
  const size = slot.prose === undefined ? "not written yet" : plural(countWords(slot.prose), "word");
  const question = `⚠️  Drop chapter ${number}, "${titleOfSlot(slot)}" (${size})${kept.length > 0 ? ", and its kept passages with it, or move these to the chapter beside it" : ""}?`;
  const canMove = kept.length > 0 && slots.length > 1;
  const word = canMove
    ? await askWord(session, question, ["drop", "move", "cancel"], "cancel")
    : await askWord(session, question, ["yes", "no"], "no");
  if (word === undefined || word === "no" || word === "cancel") return output.note("Nothing was dropped");
  await change(session, (now) => dropChapter(now, number, word === "move"), {
    words: `drop chapter ${number}`,
    told: `Chapter ${number} is gone${word === "move" ? ", its kept passages are in the chapter beside it" : ""}`,
  });
}

/** Makes the change in one commit, and says what it did. */
async function change(
  session: Session,
  make: (slots: readonly Slot[]) => Slot[],
  { words, told }: { words: string; told: string },
): Promise<void> {
  const { output, novel } = session;
  const [{ slotsOf }, { restructure }] = await Promise.all([
    import("../../structure/slots.ts"),
    import("../../structure/restructure.ts"),
  ]);
  await refuseUnfinished(session);
  // What was edited by hand is moved along too, and has its own commit before.
  for (const { subject, paths } of await novel.repository.commitHandEdits())
    output.note(`Hand edit kept: "${subject}" (${plural(paths.length, "file")})`);
  const manuscript = await session.manuscript();
  requireChapters(manuscript);
  const slots = make(slotsOf(manuscript));
  const iteration_id = newIterationId();
  const sentence = `${words[0]!.toUpperCase()}${words.slice(1)}.`;
  const made = await restructure(manuscript, slots, { words: sentence, iteration_id, at: new Date() });
  const part = made.levels[0] ?? "chapters";
  const { subject } = await commitChange(session, part, words, made.change, iteration_id);
  output.say(
    `✓ ${told}, in ${made.levels.map((level) => (level === "chapters" ? "the plan" : "the prose")).join(" and ")}`,
    "green",
  );
  output.say(`  ✓ ${plural(slots.length, "chapter")} now`);
  if (made.wanted !== undefined)
    output.say(`  ✓ project.yaml says so too: chapters: ${slots.length} (it was ${made.wanted})`);
  output.say(`  ✓ Git commit: "${subject}"; /undo takes it back`);
  const above = await naming(manuscript);
  if (above.length > 0)
    output.note(
      `Chapters are spoken of by number in ${above.join(" and ")}, which stays as it is: look whether it still fits`,
    );
}

/** What stands above the chapters and names some by their numbers. */
async function naming(manuscript: Manuscript): Promise<string[]> {
  const [{ CHAPTER_WORDS }, { FOUNDATION_PATH, nameOf, TREATMENT_PATH }] = await Promise.all([
    import("../../manuscript/language/part-names.ts"),
    import("../../manuscript/files/layout.ts"),
  ]);
  const numbered = new RegExp(`(?<!\\p{L})(?:${CHAPTER_WORDS})\\s+\\d`, "iu");
  return [TREATMENT_PATH, FOUNDATION_PATH].filter((path) => numbered.test(manuscript.text(path) ?? "")).map(nameOf);
}

function requireChapters(manuscript: Manuscript): void {
  if (manuscript.has("chapters") || manuscript.has("prose")) return;
  throw new LoopwrightError("LEVEL_MISSING", "There are no chapters yet. Generate them first with /generate chapters");
}

/** An iteration that is under way was made from chapters under their old numbers. */
async function refuseUnfinished({ novel }: Session): Promise<void> {
  const { findUnfinished } = await import("../unfinished.ts");
  if (await findUnfinished(novel.project))
    throw new LoopwrightError(
      "ITERATION_UNFINISHED",
      "An iteration is unfinished: /resume goes on with it, /resume drop ends it",
    );
}

/** `3 4 as The Mill` → its words, and the title. */
function takeTitle(rest: string): { words: string; title: string | undefined } {
  const [, words = rest, title] =
    /^([\s\S]*?)\s+(?:as|als|comme|como|come|jako|som|как)\s+(\S[\s\S]*)$/i.exec(rest) ?? [];
  return { words: words.trim(), title: title?.trim().replace(/^["“„«](.*)["”“»]$/s, "$1") };
}

/** `3 4`, `3-5`, `3 and 4`, `chapters 3, 4`. */
function numbersIn(text: string): number[] {
  return splitWords(text.replace(/[,–]/g, (sign) => (sign === "," ? " " : "-"))).flatMap((word) => {
    if (/^(?:and|to|with|into|chapters?)$/i.test(word)) return [];
    const [, first, last] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(word) ?? [];
    if (first === undefined)
      throw new LoopwrightError("USAGE", `'${word}' is no chapter's number: name chapters by their numbers, such as 3`);
    const [from, to] = [Number(first), Number(last ?? first)];
    return Array.from({ length: Math.max(1, Math.min(to - from, 2_000) + 1) }, (_, index) => from + index);
  });
}
