// /status: the project as it stands.

import { showAge } from "@loopwright/terminal";
import { bookPart, levels } from "../../layout.ts";
import { describeKept, keptOf } from "../../manuscript/kept.ts";
import { findUnfinished } from "../iterations.ts";
import { roleNames, type Session } from "../session.ts";
import { plural, staleFileLines, staleLine } from "../words/words.ts";

export async function showStatus(session: Session): Promise<void> {
  const { output, target, novel } = session;
  const manuscript = await session.manuscript();
  output.say(`Project: ${manuscript.name}`, "bold");
  output.say(`Iteration target: ${target ?? "none yet"}`);
  if (target) output.say(`Iterations: ${(await manuscript.history(target)).length} on ${target}`);
  output.say();
  for (const level of levels) {
    if (!manuscript.has(level)) {
      output.say(`  ${level.padEnd(10)} –`, "dim");
      continue;
    }
    const isChaptered = level === "chapters" || level === "prose";
    const parts = manuscript.paths(level).flatMap((path) => bookPart(path)?.replace("-", " ") ?? []);
    const count = isChaptered ? `${[plural(manuscript.count(level), "chapter"), ...parts].join(", ")}, ` : "";
    const iterations = plural((await manuscript.history(level)).length, "iteration");
    output.say(`  ${level.padEnd(10)} ${count}${plural(manuscript.words(level), "word")}, ${iterations}`);
  }
  const stale = manuscript.stale();
  if (stale.length > 0) output.say();
  for (const each of stale) {
    output.say(`⚠️  ${staleLine(each)}`, "yellow");
    const count = each.level === "analysis" ? 0 : manuscript.paths(each.level).length;
    for (const line of staleFileLines(each, count)) output.say(line);
  }
  if (stale.some(({ level }) => level !== "analysis"))
    output.note("/cascade brings them in line, one after the other; /fresh LEVEL says that one is in line as it is");
  for (const level of levels)
    for (const kept of keptOf(await manuscript.read(level))) output.note(`Kept: ${describeKept(kept)}`);
  for (const note of manuscript.notes) output.note(note);
  output.say();
  const unfinished = await findUnfinished(session);
  if (unfinished)
    output.say(
      `Unfinished: an iteration, ${showAge(Date.now() - unfinished.at)} ago; /resume goes on with it`,
      "yellow",
    );
  await tellRepository(session);
  const names = roleNames.map((role) => `${role} ${novel.roles.nameOf(role) ?? "none"}`);
  output.say(`Models: ${names.join(", ")}`);
}

async function tellRepository({ output, novel }: Session): Promise<void> {
  const refused = await novel.repository.check();
  if (refused !== undefined) return output.say(`Git: ${refused}`, "yellow");
  const edits = await novel.repository.handEdits();
  const paths = edits.flatMap((edit) => edit.paths);
  const hint = `committed on ${paths.length === 1 ? "its" : "their"} own before the next iteration`;
  output.say(paths.length === 0 ? "Git: clean" : `Git: ${plural(paths.length, "file")} edited by hand, ${hint}`);
}
