// /ask: talks about the book. Nothing is changed, and no iteration is in its way.

import { type Json, LoopwrightError } from "@loopwright/core";
import { levels } from "../../layout.ts";
import type { NovelNotes } from "../../notes.ts";
import { startIteration } from "../drive.ts";
import { drop, newIterationId, requireWriter } from "../iterations.ts";
import type { Session } from "../session.ts";

/** Turns of the talk that go along with the next question. */
const REMEMBERED = 3;

/** /ask QUESTION */
export async function askAboutBook(session: Session, rest: string): Promise<void> {
  const question = rest.trim();
  if (question === "") throw new LoopwrightError("USAGE", "Ask something: /ask QUESTION");
  requireWriter(session);
  const target = session.target ?? levels[0];
  const result = await startIteration(session, {
    ...{ kind: "ask", target, feedback: [question], iteration_id: newIterationId(), scope: "model" },
    ...{ has_judge: false, has_second_judge: false, has_summarizer: false },
    ...(session.talk.length > 0 && { talk: session.talk.slice(-REMEMBERED) }),
  });
  if (result.outcome !== "done") return drop(session, result.run);
  for await (const event of session.novel.project.events(result.run)) {
    if (event.type !== "loop-noted" || event.name !== "answered") continue;
    const { text } = event.data as Json & NovelNotes["answered"];
    session.talk.push({ question, answer: text });
  }
}
