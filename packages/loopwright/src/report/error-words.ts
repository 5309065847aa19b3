// An error in words: its message, with its code and its name before it where they say more.

import type { ErrorRecord } from "@loopwright/core";

/** Names that say nothing; a record of another making may have none. */
const PLAIN: readonly (string | undefined)[] = [undefined, "Error", "LoopwrightError"];

/** What an error says; the name of one that is none of ours, such as `TypeError`, is a part of it. */
export function errorWords({ name, kind, message }: Pick<ErrorRecord, "name" | "kind" | "message">): string {
  return kind !== undefined || PLAIN.includes(name) ? message : headed(name, message);
}

/** A message with its code or name before it, unless it begins with that, as those of Node do. */
export function headed(head: string, message: string, between = ": "): string {
  return message.startsWith(`${head}:`) ? message : `${head}${between}${message}`;
}
