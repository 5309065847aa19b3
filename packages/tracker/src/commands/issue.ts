// `loopwright issue`: each action asks the tracker once, and prints what came of it.

import { createReadStream, existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { type CommandContext, type Json, usage } from "@loopwright/core";
import { showCount } from "@loopwright/terminal";
import { edgeToWords, isEdgeKind } from "../graph.ts";
import type { Issue, IssueChange, JsonObject, NewIssue } from "../issue.ts";
import { type IssueFilter, issuesFile, openTracker, type Tracker } from "../sqlite/tracker.ts";
import { printIssue, printIssues } from "./print.ts";
import type { Action } from "./table.ts";

/** One action; a number is the exit code. */
type Act = (tracker: Tracker, context: CommandContext) => Promise<unknown>;

const CREATE = 'loopwright issue create --title "…"';
const HOW_TO_BEGIN = `begin with: \`${CREATE}\``;

/** Does one action; the number is the exit code. */
export async function runIssue(context: CommandContext): Promise<number> {
  const [action] = context.arguments as [Action, ...string[]];
  refuseStrayWords(action, context);
  const makes = (action === "create" || action === "import") && !context.isSet("dry-run");
  // Where there are no issues yet, looking for some makes none: it looks in an empty folder.
  const isNothing = !makes && !existsSync(issuesFile(context.dir));
  const dir = isNothing ? mkdtempSync(join(tmpdir(), "loopwright-issues-")) : context.dir;
  const tracker = await openTracker({ dir });
  try {
    const code = await acts[action](tracker, context);
    return typeof code === "number" ? code : 0;
  } finally {
    await tracker.close();
    if (isNothing) rmSync(dir, { recursive: true });
  }
}

const acts: Record<Action, Act> = {
  create: async (tracker, context) => {
    const title = context.text("title");
    if (title === undefined) throw usage("--title is missing: what shall it be called?", HOW_TO_BEGIN);
    const asset = assetOf(context);
    await refuseUnfit(context, { id: "lw-new", title, description: context.text("description") ?? "", asset });
    const gate = context.text("gate");
    const tags = [...context.list("tag"), ...(gate === undefined ? [] : [`@gate:${gate}`])];
    const issue: NewIssue = { ...fieldsOf(context), title, tags, ...(asset && { asset }) };
    if (gate !== undefined) issue.iteration = { gateConfig: gate };
    if (wouldOnly(context, `create ${JSON.stringify(title)}`)) return;
    const made = await tracker.create(issue);
    if (context.output.isJson) context.output.document("issue", { issue: made });
    else context.output.print(made.id);
  },
  list: async (tracker, context) => {
    const status = context.text("status") as Issue["status"] | undefined;
    const open = ["open", "in_progress", "blocked", "escalated"] as const;
    const filter: IssueFilter = status ? { status: [status] } : context.isSet("all") ? {} : { status: open };
    const issues = await tracker.list({ ...filter, ...choiceOf(context) });
    await printIssues(context, issues, issues.length > 0 ? "" : noneToWords(await tracker.list(), context));
  },
  ready: async (tracker, context) =>
    printIssues(
      context,
      await tracker.ready(choiceOf(context)),
      `Nothing is ready: ${context.typed("loopwright issue list")} shows what waits.`,
    ),
  show: async (tracker, context) => {
    const issue = await found(tracker, context);
    await printIssue(context, issue, await tracker.history(issue.id), await unclosed(tracker, issue));
  },
  update: async (tracker, context) => {
    const before = await found(tracker, context);
    const { id } = before;
    const asset = assetOf(context, before.asset);
    if (asset) await refuseUnfit(context, { ...before, asset });
    const fields = { ...fieldsOf(context), ...textOf(context, "title") };
    const [added, removed] = [context.list("tag"), context.list("remove-tag")];
    if (Object.keys(fields).length + added.length + removed.length === 0 && !asset)
      throw usage(
        `nothing of ${id} is to be changed`,
        "name it: --status, --priority, --title, --description, --tag, …",
      );
    if (wouldOnly(context, `change ${id}`)) return;
    const change = ({ tags }: Issue): IssueChange => ({
      ...fields,
      ...textOf(context, "reason"),
      tags: [...tags.filter((tag) => !removed.includes(tag)), ...added],
      ...(asset && { asset }),
    });
    tell(context, await tracker.update(id, change), "changed");
  },
  start: async (tracker, context) => {
    const { startIssue } = await import("../work/start.ts");
    return startIssue(context, tracker, await found(tracker, context));
  },
  drain: async (tracker, context) => (await import("../work/drain.ts")).drain(context, tracker),
  close: (tracker, context) => setStatus(tracker, context, "closed"),
  reopen: (tracker, context) => setStatus(tracker, context, "open"),
  link: (tracker, context) => setEdge(tracker, context, "link"),
  unlink: (tracker, context) => setEdge(tracker, context, "unlink"),
  export: async (tracker, context) => {
    const lines = await Array.fromAsync(tracker.export());
    writeLines(context, lines);
  },
  import: async (tracker, context) => {
    const path = fileOf(context);
    const input = path === "-" ? context.terminal.stdin : createReadStream(path);
    const dryRun = context.isSet("dry-run");
    const done = await tracker.import(createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }), { dryRun });
    if (context.output.isJson) return context.output.document("issue-import", { ...done, dryRun });
    const { created, updated, kept, skipped } = done;
    const words = [`${created} created`, `${updated} changed`, `${kept} here already, as new or newer`];
    if (skipped > 0) words.push(`${skipped} left out (deleted, or no issue)`);
    context.output.print(`${dryRun ? "would be: " : ""}${words.join(", ")}`);
  },
};

/** What is said where none of these issues was to be listed. */
function noneToWords(all: readonly Issue[], { dir, typed }: CommandContext): string {
  if (all.length === 0) return `There are no issues in ${dir}; begin with: ${typed(CREATE)}`;
  const listAll = typed("loopwright issue list --all");
  const count = showCount(all.length, "issue");
  if (!all.every(({ status }) => status === "closed"))
    return `There are no such issues in ${dir} (${count} in all): ${listAll} lists them.`;
  return all.length === 1
    ? `The only issue in ${dir} is closed: ${listAll} lists it.`
    : `All ${count} in ${dir} are closed: ${listAll} lists them.`;
}

async function setStatus(tracker: Tracker, context: CommandContext, status: "closed" | "open"): Promise<void> {
  const { id } = await found(tracker, context);
  const word = status === "closed" ? "closed" : "open again";
  if (wouldOnly(context, `have ${id} ${word}`)) return;
  // What is opened again begins anew: its run stays among its runs, and is not gone on with.
  const anew = status === "open" ? { iteration: { currentRun: "" } } : {};
  tell(context, await tracker.update(id, { status, ...anew, ...textOf(context, "reason") }), word);
}

async function setEdge(tracker: Tracker, context: CommandContext, action: "link" | "unlink"): Promise<void> {
  const [, , kind = "", other] = context.arguments;
  if (!isEdgeKind(kind) || other === undefined)
    throw usage(
      `'loopwright issue ${action}' needs two issues and what is between them`,
      `\`loopwright issue ${action} A blocks B\``,
    );
  const edge = { from: (await found(tracker, context)).id, kind, to: (await tracker.find(other)).id };
  if (wouldOnly(context, `${action}: ${edgeToWords(edge)}`)) return;
  await tracker[action](edge.from, kind, edge.to);
  const word = action === "link" ? edgeToWords(edge) : `no longer: ${edgeToWords(edge)}`;
  if (context.output.isJson) context.output.document("issue", { issue: await tracker.find(edge.from) });
  else context.output.say(word);
}

/** The issue that the command line names. */
async function found(tracker: Tracker, { arguments: [action, id] }: CommandContext): Promise<Issue> {
  if (id === undefined)
    throw usage(`'loopwright issue ${action}' needs an issue's id`, "`loopwright issue list` shows them");
  return tracker.find(id);
}

async function unclosed(tracker: Tracker, { id, edges }: Issue): Promise<Set<string>> {
  const before = edges.filter(({ kind, to }) => kind === "blocks" && to === id);
  const issues = await Promise.all(before.map(({ from }) => tracker.get(from)));
  return new Set(issues.flatMap((each) => (each && each.status !== "closed" ? [each.id] : [])));
}

/** What it asks for, as typed, over what it asked for before; undefined where nothing of it was typed. */
function assetOf(context: CommandContext, before: JsonObject = {}): JsonObject | undefined {
  const names = ["loop", "kind", "prompt", "gate", "template"] as const;
  const given = [
    ...names.flatMap((name) => Object.entries(textOf(context, name))),
    ...context.list("set").map(readSet),
  ];
  if (given.length === 0) return undefined;
  const asset: JsonObject = { ...before, ...Object.fromEntries(given) };
  // Gates are those of fab.
  return asset.loop === undefined && asset.gate !== undefined ? { loop: "fab", ...asset } : asset;
}

/** KEY=VALUE: a value that is JSON, else a text. */
function readSet(given: string): [string, Json] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (name === undefined) throw usage(`--set ${given}: it is KEY=VALUE`, "such as --set workspace=repository");
  try {
    return [name, JSON.parse(value!)];
  } catch {
    return [name, value!];
  }
}

/** Refuses an issue that the loop which it names cannot work on. */
async function refuseUnfit(context: CommandContext, issue: Pick<Issue, "id" | "title" | "description" | "asset">) {
  const loop = issue.asset?.loop;
  if (typeof loop !== "string") return;
  const { runFor } = await import("../work/start.ts");
  const { package: found, context: own } = await context.ofLoop(loop);
  await using _ = own;
  await using __ = (await runFor(own, issue, { loop, package: found })).context;
}

function fieldsOf(context: CommandContext): Pick<IssueChange, "description" | "priority" | "status"> {
  return { ...textOf(context, "description"), ...textOf(context, "priority"), ...textOf(context, "status") } as object;
}

function textOf<Name extends string>(context: CommandContext, name: Name): { [Key in Name]?: string } {
  const text = context.text(name);
  return (text === undefined ? {} : { [name]: text }) as { [Key in Name]?: string };
}

function choiceOf(context: CommandContext): Pick<IssueFilter, "tags" | "limit"> {
  const limit = context.number("limit");
  return { tags: context.list("tag"), ...(limit !== undefined && { limit }) };
}

function fileOf({ arguments: [action, path] }: CommandContext): string {
  if (path === undefined)
    throw usage(`'loopwright issue ${action}' needs a file`, `\`loopwright issue ${action} issues.jsonl\``);
  if (path === "-") return path;
  const file = resolve(path);
  if (!existsSync(file)) throw usage(`there is no file ${file}`, "`loopwright issue export FILE` writes one");
  if (!statSync(file).isFile()) throw usage(`${file} is no plain file`, "name a file of JSON lines");
  return file;
}

function writeLines(context: CommandContext, lines: readonly string[]): void {
  const { output } = context;
  const [, path] = context.arguments;
  if (path === undefined) {
    if (output.isJson) output.document("issue-export", { issues: lines.map((line) => JSON.parse(line)) });
    else context.terminal.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return;
  }
  const file = resolve(path);
  if (wouldOnly(context, `write ${showCount(lines.length, "issue")} to ${file}`)) return;
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, lines.map((line) => `${line}\n`).join(""), { flush: true });
  renameSync(draft, file);
  if (output.isJson) output.document("issue-export", { file, count: lines.length });
  else output.say(`${showCount(lines.length, "issue")} in ${file}`);
}

/** Whether nothing is to be done; what would be is said. */
function wouldOnly({ isSet, output }: CommandContext, words: string): boolean {
  if (!isSet("dry-run")) return false;
  if (output.isJson) output.document("issue-dry-run", { would: words });
  else output.print(`would ${words}`);
  return true;
}

function tell({ output }: CommandContext, issue: Issue, word: string): void {
  if (output.isJson) output.document("issue", { issue });
  else output.say(`${issue.id} is ${word}`);
}

/** How many words each action takes after itself. */
const words: Partial<Record<Action, number>> = { create: 0, list: 0, ready: 0, drain: 0, link: 3, unlink: 3 };

function refuseStrayWords(action: Action, { arguments: [, ...given] }: CommandContext): void {
  const stray = given[words[action] ?? 1];
  if (stray === undefined) return;
  const hint = action === "create" ? HOW_TO_BEGIN : "loopwright issue --help shows what it takes";
  throw usage(`'loopwright issue ${action}' does not know what '${stray}' is`, hint);
}
