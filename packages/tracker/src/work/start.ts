// `loopwright issue start ID`: the run for an issue. It is started once and goes on where it was cut off; its end closes the issue, or
// leaves it to a person.
//
// What must not be lost stands in the journal first: a run has its issue's id in its first event, so that a kill before the issue
// knows of it starts no second one, and an ending that the issue was not told of is told again by the next who resumes it.

import { resolve } from "node:path";
import {
  type AskedIssue,
  type CommandContext,
  checkValue,
  type DriveRun,
  type LoopPackage,
  type RunResult,
  UsageError,
  usage,
} from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import type { Issue, JsonObject } from "../issue.ts";
import type { Tracker } from "../sqlite/tracker.ts";

/** What works on an issue. */
export interface Work extends Pick<DriveRun, "closing"> {
  loop: string;
  package: Pick<LoopPackage, "loop" | "commands" | "fromIssue">;
}

/** Works on an issue with the loop that it names; the number is the exit code. */
export async function startIssue(context: CommandContext, tracker: Tracker, issue: Issue): Promise<number> {
  const root = await rootOf(tracker, issue);
  const loop = textOf(root.asset?.loop);
  if (loop === undefined)
    throw usage(`${root.id} names no loop to work on it`, `\`loopwright issue update ${root.id} --loop NAME\``);
  const { package: found, context: own } = await context.ofLoop(loop);
  await using _ = own;
  return await workOn(own, tracker, root, { loop, package: found });
}

/** Works on an issue with a loop's package, in its own context: on its run, where it has one, else on a new one. */
export async function workOn(context: CommandContext, tracker: Tracker, root: Issue, work: Work): Promise<number> {
  const { output } = context;
  if (root.status === "closed") {
    if (output.isJson) output.document("issue", { issue: root });
    else output.print(`${root.id} is closed: ${plainLine(root.closeReason ?? "nothing is left to do")}`);
    return 0;
  }
  const run = root.iteration.currentRun || (await cutOffRun(context, root));
  const isDry = context.isSet("dry-run");
  const made = run === undefined ? await runFor(context, root, work) : await goneOn(context, work.loop, run);
  await using _ = made.context;
  if (!isDry) await takeUp(tracker, root);
  let begun = run;
  const options = {
    ...made,
    ...(work.closing && { closing: work.closing }),
    begun: (id: string) => {
      begun = id;
      // Said again at the end: a run that cannot be hung on its issue now is not stopped for it.
      tracker.attach(root.id, id).catch(() => {});
    },
  };
  try {
    const { driver } = made.context ?? context;
    const { exitCode, result } = await (run === undefined
      ? driver.start(made.input, { ...options, slug: root.title, issue: root.id })
      : driver.resume(run, options));
    if (result) await settle(tracker, root, begun!, result);
    return exitCode;
  } catch (error) {
    if (!isDry) await letGo(tracker, root.id, (error as Error).message);
    throw error;
  }
}

/** What a run that there is goes on with: its own loop's driver, which is another where several attempts compete. */
async function goneOn(context: CommandContext, name: string, run: string) {
  const { loop } = await (await context.project()).record(run);
  return { input: undefined, ...(loop !== name && { context: (await context.ofLoop(loop)).context }) };
}

/** What a new run for an issue is started with; throws where the issue cannot be worked on. */
export async function runFor(context: CommandContext, { id, title, description, asset = {} }: Asked, work: Work) {
  const { loop: name, package: found } = work;
  const { loop: _, ...own } = asset;
  if (found.fromIssue) {
    const words = textOf(own.prompt) ?? [title, description].filter(Boolean).join("\n\n");
    return found.fromIssue({ id, title, words, asset: own }, asTyped(context, own, work) as CommandContext<never>);
  }
  const loop = await found.loop?.();
  if (!loop) throw usage(`'${name}' is no loop: it works on no issue`);
  checkValue(loop.input, own, "the issue");
  return { input: own, context: undefined };
}

type Asked = Pick<Issue, "id" | "title" | "description" | "asset">;

/** The command line as if what the issue asks for had been typed behind the loop's own command, in the project's folder. */
function asTyped(context: CommandContext, asset: AskedIssue["asset"], { loop, package: found }: Work): CommandContext {
  const flags = found.commands.find(({ name }) => name === loop)?.flags ?? [];
  const said = (name: string) => {
    const value = asset[name];
    const isPath = ["FILE", "DIR", "PATH"].includes(flags.find((flag) => flag.name === name)?.value ?? "");
    const one = (each: unknown) => (isPath ? resolve(context.dir, String(each)) : String(each));
    return value === undefined ? [] : Array.isArray(value) ? value.map(one) : [one(value)];
  };
  return {
    ...context,
    arguments: [],
    isSet: (flag) => context.isSet(flag) || asset[flag] === true,
    text: (flag) => (flag === "dir" ? context.dir : (context.text(flag) ?? said(flag)[0])),
    number: (flag) => context.number(flag) ?? (said(flag).length > 0 ? Number(said(flag)[0]) : undefined),
    list: (flag) => (context.list(flag).length > 0 ? context.list(flag) : said(flag)),
  };
}

/** The issue that a repair is for; itself where it is none. */
export async function rootOf<Asset extends JsonObject>(
  tracker: Tracker<Asset>,
  issue: Issue<Asset>,
): Promise<Issue<Asset>> {
  const edge = issue.edges.find(({ kind, from }) => kind === "fix-for" && from === issue.id);
  return edge ? (await tracker.get(edge.to))! : issue;
}

/** A run that was cut off before its issue knew of it. */
async function cutOffRun(context: CommandContext, issue: Issue): Promise<string | undefined> {
  const project = await context.existingProject();
  const since = Date.parse(issue.createdAt);
  for (const listed of (await project?.list()) ?? []) {
    if ("fault" in listed || listed.startedAt < since) continue;
    if (listed.parent !== undefined || listed.after !== undefined || issue.runs.includes(listed.run)) continue;
    const given = await project!.given(await project!.record(listed.run)).catch(() => undefined);
    if ((given?.config as { issue?: unknown } | null)?.issue === issue.id) return listed.run;
  }
  return undefined;
}

/** Takes an issue, and those that repair it, for this process: of several at once, one gets them. */
async function takeUp(tracker: Tracker, root: Issue): Promise<void> {
  const chain = await tracker.chain(root.id);
  const own = new Set(chain.map(({ id }) => id));
  const before = root.edges.filter(({ kind, from, to }) => kind === "blocks" && to === root.id && !own.has(from));
  const issues = await Promise.all(before.map(({ from }) => tracker.get(from)));
  const open = issues.filter((each) => each && each.status !== "closed").map((each) => each!.id);
  if (open.length > 0)
    throw new UsageError("ISSUE_NOT_READY", `${root.id} waits for ${open.join(", ")}: \`loopwright issue ready\``);
  const claims = await Promise.all(chain.map(({ id }) => tracker.claim(id, { isEscalated: true })));
  if (claims.some((claim) => claim !== undefined)) return;
  if ((await tracker.chain(root.id)).some(({ status }) => status === "in_progress"))
    throw new UsageError(
      "ISSUE_HELD",
      `${root.id} is being worked on by another process: \`loopwright issue show ${root.id}\``,
    );
  if (own.size === 1)
    throw new UsageError("ISSUE_NOT_READY", `${root.id} is ${root.status}: \`loopwright issue show ${root.id}\``);
}

/** Says to an issue how its run ended: passed closes it, stopped by someone leaves it open, and everything else is for a person. */
async function settle(
  tracker: Tracker,
  root: Issue,
  first: string,
  { run, outcome, reason }: RunResult,
): Promise<void> {
  await tracker.attach(root.id, first);
  const chain = await tracker.chain(root.id);
  const worked = chain.find(({ runs }) => runs.includes(run)) ?? chain.at(-1)!;
  if (outcome === "done") await tracker.closeChain(root.id, reason);
  else if (outcome !== "interrupted" && worked.status !== "closed")
    await tracker.update(worked.id, { status: "escalated", reason: `${outcome}: ${reason}` });
  await letGo(tracker, root.id, `${outcome}: ${reason}`);
}

async function letGo(tracker: Tracker, root: string, why: string): Promise<void> {
  for (const { id } of await tracker.chain(root)) await tracker.release(id, why);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
