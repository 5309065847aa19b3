// `loopwright outbox`: what was to be told outside, and how that stands; sends one again.

import { LoopwrightError, type Posted, type Project, thisProcess, trySend, usage } from "@loopwright/core";
import { pad, plainLine, showAge, showCount } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import type { Notify } from "../outbox/messages.ts";
import { hindrance, send, wayHindrance } from "../outbox/ways.ts";

const SHORT_ID = 8;

export async function run(cli: Cli): Promise<number> {
  await using project = await cli.existingProject();
  const id = cli.text("resend");
  if (id !== undefined) return await resend(cli, project, id);
  const posted = ((await project?.ports.journal.outbox.list()) ?? []).reverse();
  const shown = posted.slice(0, cli.number("limit"));
  const { terminal } = cli;
  if (terminal.isJson) terminal.document("outbox", { messages: shown.map(toJson) });
  else if (shown.length === 0)
    terminal.print("Nothing was to be told yet. notify in loopwright.yaml says whom to tell.");
  else {
    const notify = await notifyOf(cli);
    for (const each of shown) print(cli, each, notify);
  }
  return 0;
}

/** Tries one message now, whatever its state. */
async function resend(cli: Cli, project: Project | undefined, given: string): Promise<number> {
  const posted = await find(project, given, cli.typed);
  const { notify } = await cli.configuration();
  const hindered = wayHindrance(posted, notify);
  if (hindered !== undefined) throw usage(`message ${posted.id} cannot be sent: ${hindered}`);
  const sender = { outbox: project!.ports.journal.outbox, clock: Date, process: thisProcess() };
  const signal = new AbortController().signal;
  const tried = await trySend({ ...sender, signal, send: (message, stop) => send(message, notify, stop) }, posted);
  if (!tried) throw new LoopwrightError("MESSAGE_HELD", `another process is sending message ${posted.id} just now`);
  if (tried.state !== "sent") throw new LoopwrightError("MESSAGE_NOT_SENT", `it was not sent: ${tried.error}`);
  const { terminal } = cli;
  if (terminal.isJson) terminal.document("outbox", { messages: [toJson(tried)] });
  else terminal.say(`Sent: ${textOf(tried)}`);
  return 0;
}

/** The message whose id begins so. */
async function find(project: Project | undefined, given: string, typed: Cli["typed"]): Promise<Posted> {
  const found = ((await project?.ports.journal.outbox.list()) ?? []).filter(({ id }) => id.startsWith(given));
  if (found.length === 1) return found[0]!;
  const what = found.length === 0 ? `there is no message '${given}'` : `'${given}' fits ${found.length} messages`;
  throw usage(what, `${typed("loopwright outbox")} lists them`);
}

/** Whom to tell, where that can be known without asking. */
async function notifyOf(cli: Cli): Promise<Notify | undefined> {
  const looked = await cli.look();
  return looked.untrusted().length > 0 ? undefined : looked.configuration().notify;
}

function print({ terminal, typed }: Cli, posted: Posted, notify: Notify | undefined): void {
  const { id, state, to, tries, at } = posted;
  const color = ({ waiting: "yellow", sent: "green", dead: "red" } as const)[state];
  const facts = [id.slice(0, SHORT_ID), pad(plainLine(to), 8), pad(tries === 1 ? "1 try" : `${tries} tries`, 8)];
  const age = pad(showAge(Date.now() - at), 6);
  terminal.print(`${terminal.style(color, pad(state, 7))}  ${facts.join("  ")}  ${age}  ${textOf(posted)}`);
  const why = state === "sent" ? undefined : whyNot(posted, notify, typed);
  if (why !== undefined) terminal.print(terminal.style("dim", `${" ".repeat(9)}${plainLine(why)}`));
}

/** Why a message is not sent yet. */
function whyNot(posted: Posted, notify: Notify | undefined, typed: Cli["typed"]): string | undefined {
  const { id, state, error, due } = posted;
  if (state === "dead")
    return `${error}; send it again with: ${typed(`loopwright outbox --resend ${id.slice(0, SHORT_ID)}`)}`;
  const hindered = notify ? hindrance(posted, notify) : "this folder is not trusted";
  const seconds = Math.ceil((due - Date.now()) / 1000);
  const next = seconds > 0 ? `not before ${showCount(seconds, "second")} from now` : "with the next command";
  return hindered ?? [...(error === undefined ? [] : [error]), `it is tried ${next}`].join("; ");
}

function toJson({ id, run, to, state, tries, at, due, error, ...posted }: Posted): Record<string, unknown> {
  const time = (ms: number) => new Date(ms).toISOString();
  const next = state === "waiting" ? { due: time(Math.max(due, at)) } : {};
  return {
    id,
    run,
    to,
    state,
    tries,
    at: time(at),
    ...next,
    ...(error !== undefined && { error }),
    text: textOf(posted),
  };
}

function textOf({ body }: Pick<Posted, "body">): string {
  try {
    return plainLine(String((JSON.parse(body) as { text?: unknown }).text ?? ""));
  } catch {
    return "";
  }
}
