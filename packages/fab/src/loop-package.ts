// Everything that fab brings along. The loop itself is loaded when a run needs it.

import { defineLoopPackage, type Json } from "@loopwright/core";
import { commands } from "./commands/table.ts";
import { promptsFolder } from "./folders.ts";
import { template } from "./template.ts";

/** An escalation in words. */
function escalationWords(data: Json): string {
  const { issue_id, reason } = data as { issue_id: string; reason: string };
  return `${issue_id} waits for a person: ${reason} (loopwright fab review ${issue_id})`;
}

export default defineLoopPackage({
  loop: async () => (await import("./index.ts")).fab,
  configuration: async () => (await import("./configuration.ts")).FabConfiguration,
  prompts: promptsFolder,
  commands,
  templates: { fab: template },
  documents: async () => (await import("./commands/documents.ts")).documents,
  notes: { "gate-verdict": () => undefined, "fab-escalated": escalationWords },
});
