// Issues for people and as documents. What stands in them was typed by anyone or made by a model: no control character of it
// reaches the terminal.

import type { CommandContext, Style } from "@loopwright/core";
import { cut, pad, plainLine, plainText, showAge } from "@loopwright/terminal";
import { edgeToWords } from "../graph.ts";
import type { Change, Issue, Status } from "../issue.ts";

type Context = Pick<CommandContext, "dir" | "terminal" | "output">;

const colors: Partial<Record<Status, Style>> = {
  in_progress: "cyan",
  blocked: "yellow",
  escalated: "magenta",
  closed: "dim",
};

/** A table, or one id on each line with --quiet. */
export async function printIssues(
  { dir, terminal, output }: Context,
  issues: readonly Issue[],
  none: string,
): Promise<void> {
  if (output.isJson) return output.document("issues", { dir, issues });
  if (output.isQuiet) {
    for (const { id } of issues) output.print(id);
    return;
  }
  if (issues.length === 0) return output.print(none);
  const rows = issues.map((issue) => [issue.id, issue.priority, statusToWords(issue.status), ageOf(issue.createdAt)]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const [at, row] of rows.entries()) {
    const { status, title, tags } = issues[at]!;
    const cells = row.map((cell, column) => pad(cell, widths[column]!)).join("  ");
    const words = `${plainLine(title)}${tags.length > 0 ? `  ${tags.map(plainLine).join(" ")}` : ""}`;
    const line = cut(`${cells}  ${words}`, terminal.columns - 1);
    const color = colors[status];
    output.print(color ? terminal.style(color, line) : line);
  }
}

/** All of one issue. */
export async function printIssue(
  { terminal, output }: Context,
  issue: Issue,
  history: readonly Change[],
  unclosed: ReadonlySet<string>,
): Promise<void> {
  if (output.isJson) return output.document("issue", { issue, history });
  const { id, title, status, priority, description, tags, asset = {}, iteration, runs, edges } = issue;
  const fields: [string, string][] = [
    ["status", `${statusToWords(status)}${issue.closeReason ? `: ${issue.closeReason}` : ""}`],
    ["priority", priority],
    ["tags", tags.join(" ")],
    ["works on it", issue.assignee ?? ""],
    ["waits for", [...unclosed].join(", ")],
    ...Object.entries(asset).map(([name, value]): [string, string] => [name, wordsOf(value)]),
    ...Object.entries(iteration).flatMap(([name, value]): [string, string][] =>
      // Each requirement has a line of its own.
      (name === "judged" ? (value as string[]) : [wordsOf(value)]).map((words) => [fieldToWords(name), words]),
    ),
    ["runs", runs.join(" ")],
  ];
  output.print(`${terminal.style("bold", id)}  ${plainLine(title)}`);
  for (const [name, words] of fields)
    if (words !== "") output.print(`  ${terminal.style("dim", pad(plainLine(name), 12))} ${plainLine(words)}`);
  for (const edge of edges) output.print(`  ${edgeToWords(edge)}`);
  if (description !== "") for (const line of ["", ...plainText(description).trimEnd().split("\n")]) output.print(line);
  output.print();
  for (const change of history) {
    output.print(terminal.style("dim", cut(changeToLine(change), terminal.columns - 1)));
    if (change.why !== undefined) output.print(terminal.style("dim", `  ${plainLine(change.why)}`));
  }
}

function changeToLine({ at, by, what, fields = {} }: Change): string {
  const changed = Object.entries(fields).map(
    ([name, { to }]) => `${name}${to === null ? " taken away" : `: ${wordsOf(to)}`}`,
  );
  const words = [what, ...changed].map(plainLine).join("  ");
  return `${plainLine(at.slice(0, 19).replace("T", " "))}  ${plainLine(by)}  ${words}`;
}

function statusToWords(status: Status): string {
  return status.replace("_", " ");
}

function fieldToWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function ageOf(at: string): string {
  return showAge(Math.max(0, Date.now() - Date.parse(at)));
}
