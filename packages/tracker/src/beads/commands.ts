// What is written to beads, as commands of `bd`. Values stand behind `=`, so that none is taken for a flag; long text goes to
// stdin.

import type { Json } from "@loopwright/core";
import { withoutUndefined } from "../change.ts";
import type { Edge, Issue } from "../issue.ts";
import { BdError, type BdOptions } from "./bd.ts";
import { edgeToBeads, metadataOf, priorityToNumber } from "./shape.ts";

type Run = (args: readonly string[], options?: BdOptions) => Promise<string>;

export class Commands {
  readonly #bd: Run;

  constructor(bd: Run) {
    this.#bd = bd;
  }

  /** Creates an open issue, its key and fields with it; gives its id. */
  async create(issue: Issue): Promise<string> {
    const { title, description, priority, tags } = issue;
    const printed = await this.#bd(
      [
        "create",
        `--title=${title}`,
        "--type=task",
        `--priority=${priorityToNumber(priority)}`,
        `--metadata=${JSON.stringify(metadataOf(issue))}`,
        ...(tags.length > 0 ? [`--labels=${tags.map(toCsv).join(",")}`] : []),
        ...(description === "" ? [] : ["--body-file=-"]),
        "--silent",
      ],
      { input: description },
    );
    return printed.trim();
  }

  /** Writes what differs between two states of an issue. */
  async write(before: Issue, after: Issue): Promise<void> {
    const { id } = before;
    const isReopened = before.status === "closed" && after.status !== "closed";
    const isClosed = before.status !== "closed" && after.status === "closed";
    if (after.status === "escalated" && before.status !== "escalated") await this.knowEscalated();
    if (isReopened) await this.#bd(["reopen", id]);
    const status = isReopened ? "open" : before.status;
    const flags = [
      ...differing("title", before.title, after.title),
      ...(before.priority === after.priority ? [] : [`--priority=${priorityToNumber(after.priority)}`]),
      ...differing("assignee", before.assignee ?? "", after.assignee ?? ""),
      ...(status === after.status || isClosed ? [] : [`--status=${after.status}`]),
      ...after.tags.filter((tag) => !before.tags.includes(tag)).map((tag) => `--add-label=${toCsv(tag)}`),
      ...before.tags.filter((tag) => !after.tags.includes(tag)).map((tag) => `--remove-label=${toCsv(tag)}`),
      ...differing(
        "metadata",
        JSON.stringify(fullMetadata(before, before)),
        JSON.stringify(fullMetadata(after, before)),
      ),
      ...(before.description === after.description ? [] : ["--body-file=-"]),
    ];
    // Beads lets nobody else take an issue from whoever has claimed it.
    const actor = before.status === "in_progress" ? before.assignee : undefined;
    if (flags.length > 0)
      await this.#bd(["update", id, ...flags], { input: after.description, ...(actor && { actor }) });
    if (isClosed) await this.#bd(["close", id, "--force", `--reason=${after.closeReason ?? "closed"}`]);
  }

  async addEdge(edge: Edge, issue: Issue): Promise<void> {
    const { type, issue: owner, on } = edgeToBeads(edge);
    try {
      await this.#bd(["dep", "add", owner, on, `--type=${type}`]);
    } catch (error) {
      // Some versions take no kinds but their own: then the issue itself says what it is a fix for.
      if (!(error instanceof BdError) || edge.kind !== "fix-for" || !/type/i.test(error.message)) throw error;
      await this.#setMetadata(issue, [...issue.edges, edge]);
    }
  }

  async removeEdge(edge: Edge, issue: Issue): Promise<void> {
    const { issue: owner, on } = edgeToBeads(edge);
    const others = issue.edges.filter((each) => each !== edge);
    if (isInMetadata(edge)) await this.#setMetadata(issue, others);
    else await this.#bd(["dep", "remove", owner, on]);
  }

  async #setMetadata(issue: Issue, edges: readonly Edge[]): Promise<void> {
    await this.#bd(["update", issue.id, `--metadata=${JSON.stringify(fullMetadata({ ...issue, edges }, issue))}`]);
  }

  /** Has beads know the status `escalated`, beside those that it was told before. */
  async knowEscalated(): Promise<void> {
    const printed = await this.#bd(["config", "get", "status.custom", "--json"]);
    const known = customStatuses(printed);
    if (known.some((status) => status.split(":")[0] === "escalated")) return;
    await this.#bd(["config", "set", "status.custom", [...known, "escalated"].join(",")]);
  }
}

function customStatuses(printed: string): string[] {
  const { value } = JSON.parse(printed) as { value?: string | null };
  return (value ?? "").split(",").filter((status) => status.trim() !== "");
}

/** An edge that stands in its issue's metadata: beads notes when every edge of its own was made. */
function isInMetadata({ kind, at }: Edge): boolean {
  return kind === "fix-for" && at === undefined;
}

/** All metadata of an issue. What it had before and has no more is null, for beads may merge what it is given. */
function fullMetadata(issue: Issue, before: Issue): Record<string, Json> {
  const had = Object.keys(allMetadata(before)).map((name) => [name, null]);
  return { ...Object.fromEntries(had), ...allMetadata(issue) };
}

function allMetadata(issue: Issue): Record<string, Json> {
  const fixes = issue.edges.filter((edge) => edge.from === issue.id && isInMetadata(edge)).map(({ to }) => to);
  const fields = { ...metadataOf(issue), fix_for: fixes.length > 0 ? fixes : undefined };
  return withoutUndefined(fields) as Record<string, Json>;
}

function differing(flag: string, before: string, after: string): string[] {
  return before === after ? [] : [`--${flag}=${after}`];
}

/** Lists of flags are read as CSV. */
function toCsv(word: string): string {
  return /[",]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word;
}
