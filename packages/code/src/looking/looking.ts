// Looking before writing: an answer may ask to see things, which are shown in the next question, inside the same iteration, in so
// many rounds and no more. Each round is one more question that holds what was seen so far; there is no conversation.
//
// Every answer to a request is an effect, and so is every question: after a crash nothing is run or asked again.

import { type Answered, type FollowUp, readPrompt } from "@loopwright/models";
import { promptsFolder } from "../folders.ts";
import { warn } from "../notes.ts";
import type { CodeContext, CodeState } from "../task.ts";
import { workcellOf } from "../workspace.ts";
import { type Look, lookTools, type Requests, readCalls, type Seen, titleOf } from "./requests.ts";

/** What a prompt says of looking. */
export interface View extends Record<string, unknown> {
  /** Rounds in all; 0 where nothing can be looked at. */
  looks: number;
  looks_left: number;
  seen: { title: string; text: string }[];
  /** What could not be answered. */
  not_shown: string;
}

export interface LookingSpec {
  /** Who looks, in words for a person. */
  who: string;
  /** How much of what was seen a question may hold, in characters. */
  room: number;
  /** The prompt that asks; one that says nothing of looking, as a project's own may be, offers none. */
  prompt: string;
  /** The question, with what was seen so far. */
  ask: (view: View) => Promise<FollowUp>;
  /** What an answer's text asks to see; nothing where it is an answer. */
  read: (text: string) => Requests;
}

export interface Looking {
  /** The first question. */
  question: FollowUp;
  /** The next question, where an answer asks to see something and may. */
  follow: (ctx: CodeContext, answer: Answered) => Promise<FollowUp | undefined>;
}

/** Opens a visit's rounds of looking. */
export async function openLooking(ctx: CodeContext, state: CodeState, spec: LookingSpec): Promise<Looking> {
  const { input } = await readPrompt(ctx, { loop: "code", folder: promptsFolder }, spec.prompt);
  // Where there was no program, there is nothing to look at.
  const looks = state.baseline && input.includes("looks_left") ? ctx.input.looks : 0;
  let seen: Seen[] = [];
  let round = 0;
  const ask = async (problems: readonly string[]): Promise<FollowUp> => {
    const looks_left = looks - round;
    const view = { looks, looks_left, seen: shownOf(seen, spec.room), not_shown: problems.join("\n") };
    return { ...(await spec.ask(view)), ...(looks_left > 0 && { tools: lookTools }) };
  };
  const follow: Looking["follow"] = async (scope, answer) => {
    const refused = (answer.details as { toolsRefused?: string } | undefined)?.toolsRefused;
    if (refused !== undefined)
      await warn(scope, "TOOLS_REFUSED", `tools were refused, and are not offered again: ${refused}`);
    if (round >= looks || answer.finishReason === "length") return undefined;
    const { toolCalls = [], text } = answer;
    const { looks: asked, problems } = toolCalls.length > 0 ? readCalls(toolCalls) : spec.read(text);
    if (asked.length + problems.length === 0) return undefined;
    round++;
    const shown = shownOf(seen, spec.room);
    const isShown = (look: Look) => shown.some(({ title, text }) => title === titleOf(look) && text !== LEFT_OUT);
    const found = await answerAll(
      scope,
      state,
      round,
      asked.filter((look) => !isShown(look)),
    );
    seen = [...seen.filter(({ title }) => !found.some((each) => each.title === title)), ...found];
    await scope.tell("looked", { who: spec.who, at: found.map(({ words }) => words), round, of: looks, problems });
    const known = asked.filter(isShown).map((look) => `${titleOf(look)}: it stands above already.`);
    return ask([...problems, ...known]);
  };
  return { question: await ask([]), follow };
}

async function answerAll(ctx: CodeContext, state: CodeState, round: number, looks: readonly Look[]): Promise<Seen[]> {
  const { answerLook } = await import("./answers.ts");
  const found: Seen[] = [];
  for (const [nth, look] of looks.entries())
    found.push(
      await workcellOf(ctx, state).effect(`look-${round}-${nth + 1}`, {
        input: { look },
        run: (cell, { signal }) => answerLook(cell, look, state, signal),
      }),
    );
  return found;
}

const LEFT_OUT = "It was shown before, and is left out now for want of room: ask for it again where you need it.";

/** What was seen, the newest whole; what there is no room for is named alone. */
function shownOf(seen: readonly Seen[], room: number): View["seen"] {
  let left = room;
  const shown = seen.toReversed().map(({ title, text }, nth) => {
    left -= text.length;
    return { title, text: left >= 0 || nth === 0 ? text : LEFT_OUT };
  });
  return shown.reverse();
}
