// Where messages go: what the configuration makes of the way that each of them names.

import type { Message, Posted, SendResult } from "@loopwright/core";
import { runCommand } from "./command.ts";
import type { Notify } from "./messages.ts";
import { isSealed } from "./seal.ts";
import { post } from "./webhook.ts";

/** Why a message that waits is not tried here, if it is not. */
export function hindrance(posted: Posted, notify: Notify): string | undefined {
  return isSealed(posted) ? wayHindrance(posted, notify) : "it came with the folder";
}

/** Why there is no way for a message, if there is none. */
export function wayHindrance({ to }: Message, notify: Notify): string | undefined {
  if (to !== "webhook" && to !== "command") return `there is no way called '${to}'`;
  if (notify[to] === undefined) return `notify.${to} is not set`;
  if (to === "webhook" && notify.secretEnv !== undefined && !notify.secret)
    return `$${notify.secretEnv}, which notify.secretEnv names, is not set`;
  return undefined;
}

/** Makes a try by the way that a message names. */
export async function send(message: Message, notify: Notify, signal: AbortSignal): Promise<SendResult> {
  const { command, webhook: url, secret } = notify;
  if (message.to === "command" && command !== undefined) return runCommand(message, command, signal);
  if (message.to === "webhook" && url !== undefined) return post(message, { url, secret }, signal);
  return { error: `there is no way called '${message.to}'` };
}
