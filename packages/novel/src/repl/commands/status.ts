// /status: the project as it stands.

import { showAge } from "@loopwright/terminal";
import { pendingCascade } from "../../cascade/plan.ts";
import { levels } from "../../layout.ts";
import { describeKept } from "../../manuscript/kept.ts";
import type { Session } from "../session.ts";
import { findUnfinished } from "../unfinished.ts";
import { roleNames } from "../words/role-names.ts";
import { plural, staleFileLines, staleLine } from "../words/words.ts";

export async function showStatus(session: Session): Promise<void> {
  const { voice, target, novel } = session;
  const manuscript = await session.manuscript();
  voice.say(`Project: ${manuscript.name}`, "bold");
  voice.say(`Iteration target: ${target ?? "none yet"}`);
  if (target) voice.say(`Iterations: ${(await manuscript.history(target)).length} on ${target}`);
  voice.say();
  for (const level of levels) {
    if (!manuscript.has(level)) {
      voice.say(`  ${level.padEnd(10)} –`, "dim");
      continue;
    }
    const isChaptered = level === "chapters" || level === "prose";
    const count = isChaptered ? `${plural(manuscript.count(level), "chapter")}, ` : "";
    const iterations = plural((await manuscript.history(level)).length, "iteration");
    voice.say(`  ${level.padEnd(10)} ${count}${plural(manuscript.words(level), "word")}, ${iterations}`);
  }
  const stale = manuscript.stale();
  if (stale.length > 0) voice.say();
  for (const each of stale) {
    voice.say(`⚠️  ${staleLine(each)}`, "yellow");
    const count = each.level === "analysis" ? 0 : manuscript.paths(each.level).length;
    for (const line of staleFileLines(each, count)) voice.say(line);
  }
  const cascade = pendingCascade(manuscript);
  if (cascade) voice.say(`Cascade: ${cascade.levels.join(", ")} left; /cascade goes on with it`, "yellow");
  else if (stale.some(({ level }) => level !== "analysis"))
    voice.note("/cascade brings them in line, one after the other");
  for (const kept of manuscript.setAside)
    voice.note(`Kept passage set aside until it is written again: ${describeKept(kept)}`);
  for (const note of manuscript.notes) voice.note(note);
  voice.say();
  const unfinished = await findUnfinished(novel.project);
  if (unfinished)
    voice.say(
      `Unfinished: an iteration, ${showAge(Date.now() - unfinished.at)} ago; /resume goes on with it`,
      "yellow",
    );
  await tellRepository(session);
  const names = roleNames.map((role) => `${role} ${novel.roles.nameOf(role) ?? "none"}`);
  voice.say(`Models: ${names.join(", ")}`);
}

async function tellRepository({ voice, novel }: Session): Promise<void> {
  const refused = await novel.repository.check();
  if (refused !== undefined) return voice.say(`Git: ${refused}`, "yellow");
  const edits = await novel.repository.handEdits();
  const paths = edits.flatMap((edit) => edit.paths);
  const hint = "committed on their own before the next iteration";
  voice.say(paths.length === 0 ? "Git: clean" : `Git: ${plural(paths.length, "file")} edited by hand, ${hint}`);
}
