// /model: who writes, judges and sums up in this session.

import { LoopwrightError, suggestOrList } from "@loopwright/core";
import { roleNames } from "../roles.ts";
import type { Session } from "../session.ts";

/** /model [[ROLE=]NAME] */
export async function chooseModel(session: Session, rest: string): Promise<void> {
  const { output, chosenModels } = session;
  const given = rest.trim();
  if (given !== "") {
    const role = /^([a-z][a-z-]*)=/.exec(given)?.[1];
    const known = [...roleNames, "default"];
    if (role !== undefined && !known.includes(role))
      throw new LoopwrightError("ROLE_UNKNOWN", `There is no role '${role}'${suggestOrList(role, known)}`);
    chosenModels.push(given);
    try {
      await session.reloadRoles();
    } catch (error) {
      chosenModels.pop();
      throw error;
    }
  }
  for (const role of roleNames) output.say(`  ${role.padEnd(11)} ${session.novel.roles.nameOf(role) ?? "none"}`);
  if (given === "")
    output.note("/model NAME sets all, /model ROLE=ENDPOINT:NAME one, for this session; project.yaml keeps them");
}
