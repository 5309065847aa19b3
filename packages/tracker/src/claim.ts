// Whose claim an issue is under, and whether that process still lives.

import { lifeOf, type ProcessId } from "@loopwright/core";

/** Whether a claim's process is gone: dead on this host, or of a boot of this host that is over. One that cannot be seen from
 * here counts as alive. */
export function isGone(holder: ProcessId, self: ProcessId): boolean {
  return lifeOf(holder, self) === "dead" || (holder.host === self.host && holder.boot !== self.boot);
}

/** A process in words, for people. */
export function holderToWords({ pid, host }: ProcessId): string {
  return `process ${pid} on ${host}`;
}

/** A process as an assignee of beads: in words, with all that tells whether it lives. */
export function holderToAssignee(holder: ProcessId): string {
  const { started, namespace, boot } = holder;
  return `${holderToWords(holder)} [loopwright ${started} ${namespace} ${boot}]`;
}

/** The process behind such an assignee; undefined for anybody else. */
export function assigneeToHolder(assignee = ""): ProcessId | undefined {
  const found = /^process (\d+) on (.+) \[loopwright (\S*) (\S*) (\S*)\]$/.exec(assignee);
  if (!found) return undefined;
  const [, pid, host, started, namespace, boot] = found as unknown as [string, string, string, string, string, string];
  return { pid: Number(pid), host, started, namespace, boot };
}
