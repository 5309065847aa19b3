// /analyze: checks that need no model. The reports are files of the project, and one commit.

import { commitChange } from "../changes.ts";
import type { Session } from "../session.ts";
import { plural } from "../words/words.ts";

const SHOWN = 30;

export async function analyze(session: Session): Promise<void> {
  const { voice } = session;
  const { analyse } = await import("../../manuscript/index.ts");
  const { findings, change } = await analyse(await session.manuscript());
  const sorted = findings.toSorted((a, b) => a.priority - b.priority);
  for (const { severity, message, path, line } of sorted.slice(0, SHOWN)) {
    const place = path === undefined ? "" : `${path}${line === undefined ? "" : `:${line}`}: `;
    voice.say(`  ${severity === "hard" ? "✗" : "•"} ${place}${message}`, severity === "hard" ? "red" : undefined);
  }
  const left = findings.length - SHOWN;
  if (left > 0) voice.say(`  … ${left} more in analysis/`);
  voice.say(findings.length === 0 ? "✓ Nothing was found" : `${plural(findings.length, "finding")} in all`);
  if (change.write.length === 0 && change.remove.length === 0)
    return voice.note("The reports in analysis/ are up to date");
  const { subject } = await commitChange(session, "analysis", "analyze", change);
  voice.say(`  ✓ ${plural(change.write.length, "report")} saved in analysis/`);
  voice.say(`  ✓ Git commit: "${subject}"`);
}
