// /analyze: checks that need no model. The reports are files of the project, and one commit.

import { commitChange } from "../iterations.ts";
import type { Session } from "../session.ts";
import { plural } from "../words/words.ts";

const SHOWN = 30;

export async function analyze(session: Session): Promise<void> {
  const { output } = session;
  const { analyze } = await import("../../manuscript/index.ts");
  const { findings, change } = await analyze(await session.manuscript());
  for (const { severity, message } of findings.slice(0, SHOWN))
    output.say(`  ${severity === "hard" ? "✗" : "•"} ${message}`, severity === "hard" ? "red" : undefined);
  const left = findings.length - SHOWN;
  if (left > 0) output.say(`  … ${left} more in analysis/`);
  output.say(findings.length === 0 ? "✓ Nothing was found" : `${plural(findings.length, "finding")} in all`);
  if (change.write.length === 0 && change.remove.length === 0)
    return output.note("The reports in analysis/ are up to date");
  const { subject } = await commitChange(session, "analysis", "analyze", change);
  output.say(`  ✓ ${plural(change.write.length - 1, "report")} saved in analysis/`);
  output.say(`  ✓ Git commit: "${subject}"`);
}
