// Issues that beads keeps: every call is one or a few commands of `bd`, read back by `bd export`. Loopwright's processes take
// turns by a lock; against others beads' own `--claim` decides. What takes several commands can be asked for again after a
// kill, and then does what is missing.

import { join } from "node:path";
import { type ProcessId, stateFolder, thisProcess, whileLocked } from "@loopwright/core";
import { changeIssue, makeIssue, noIssue, settle } from "../change.ts";
import { assigneeToHolder, holderToAssignee, holderToWords, isGone } from "../claim.ts";
import { fits } from "../filter.ts";
import { ageOf, chainOf, circleError, waitsFor, wayBetween } from "../graph.ts";
import type { Change, EdgeKind, Issue, IssueChange, NewIssue } from "../issue.ts";
import type { Imported, IssueFilter, Tracker } from "../tracker.ts";
import { BdError, type BdOptions, runBd } from "./bd.ts";
import { Commands } from "./commands.ts";
import { planImport, readLines } from "./import.ts";
import { issueToLine } from "./shape.ts";

type Issues = Map<string, Issue>;

export class BeadsTracker implements Tracker {
  readonly #dir: string;
  readonly #by: string;
  readonly #self: ProcessId;
  readonly #commands: Commands;

  private constructor(dir: string, by: string, self: ProcessId) {
    this.#dir = dir;
    this.#by = by;
    this.#self = self;
    this.#commands = new Commands((args, options) => this.#bd(args, options));
  }

  /** The issues of the beads in a folder. */
  static open(dir: string, by: string): BeadsTracker {
    return new BeadsTracker(dir, by, thisProcess());
  }

  as(by: string): BeadsTracker {
    return new BeadsTracker(this.#dir, by, this.#self);
  }

  create(issue: NewIssue): Promise<Issue> {
    return this.#locked(async () => {
      const { id } = await this.#create(issue);
      return this.#need(await this.#all(), id);
    });
  }

  async get(id: string): Promise<Issue | undefined> {
    return (await this.#all()).get(id);
  }

  async list(filter: IssueFilter = {}): Promise<Issue[]> {
    return fits(byAge((await this.#all()).values()), filter);
  }

  ready(filter: IssueFilter = {}): Promise<Issue[]> {
    return this.#locked(async () => fits(readyOf(await this.#releaseDead()), filter));
  }

  /** What the issue itself tells; `bd history` has the rest. */
  async history(id: string): Promise<Change[]> {
    const { createdAt, closedAt, closeReason, beads } = this.#need(await this.#all(), id);
    const by = String(beads?.fields?.created_by ?? "someone");
    const created: Change = { at: createdAt, by, what: "created" };
    if (!closedAt) return [created];
    const fields = { status: { from: "open", to: "closed" } };
    return [
      created,
      { at: closedAt, by: "someone", what: "changed", ...(closeReason && { why: closeReason }), fields },
    ];
  }

  update(id: string, change: IssueChange | ((issue: Issue) => IssueChange)): Promise<Issue> {
    return this.#locked(async () => {
      const issue = this.#need(await this.#all(), id);
      await this.#change(issue, typeof change === "function" ? change(issue) : change);
      return this.#need(await this.#all(), id);
    });
  }

  async link(from: string, kind: EdgeKind, to: string): Promise<void> {
    await this.#locked(async () => this.#link(await this.#all(), from, kind, to));
  }

  async unlink(from: string, kind: EdgeKind, to: string): Promise<void> {
    await this.#locked(async () => {
      const all = await this.#all();
      this.#need(all, to);
      const issue = this.#need(all, from);
      const edge = issue.edges.find((each) => each.from === from && each.kind === kind && each.to === to);
      if (edge) await this.#commands.removeEdge(edge, issue);
    });
  }

  claim(id: string): Promise<Issue | undefined> {
    return this.#locked(async () => {
      const all = await this.#releaseDead();
      this.#need(all, id);
      return this.#take(readyOf(all).find((issue) => issue.id === id));
    });
  }

  claimNext(filter: IssueFilter = {}): Promise<Issue | undefined> {
    return this.#locked(async () => {
      for (const issue of fits(readyOf(await this.#releaseDead()), filter)) {
        const taken = await this.#take(issue);
        if (taken) return taken;
      }
      return undefined;
    });
  }

  async release(id: string, why?: string): Promise<void> {
    await this.#locked(async () => {
      const issue = this.#need(await this.#all(), id);
      if (issue.status === "in_progress") await this.#change(issue, { status: "open", ...(why && { reason: why }) });
    });
  }

  attach(id: string, run: string): Promise<Issue> {
    return this.#locked(async () => {
      const issue = this.#need(await this.#all(), id);
      const runs = issue.runs.includes(run) ? issue.runs : [...issue.runs, run];
      const wanted = { ...issue, runs, iteration: { ...issue.iteration, currentRun: run } };
      await this.#store(issue, settle(issue, wanted, undefined, Date.now())?.issue);
      return this.#need(await this.#all(), id);
    });
  }

  repair({ root, failed }: { root: string; failed: string }, given: NewIssue & { key: string }): Promise<Issue> {
    return this.#locked(async () => {
      const { id, status } = await this.#create(given);
      if (status === "closed") return this.#need(await this.#all(), id);
      const all = await this.#all();
      await this.#link(all, id, "fix-for", root);
      for (const each of new Set([root, failed])) {
        await this.#link(all, id, "blocks", each);
        const blocked = this.#need(all, each);
        if (blocked.status !== "closed") await this.#change(blocked, { status: "blocked" });
      }
      return this.#need(await this.#all(), id);
    });
  }

  async chain(root: string): Promise<Issue[]> {
    const all = await this.#all();
    return chainOf(this.#need(all, root), all);
  }

  async closeChain(root: string, reason: string): Promise<void> {
    await this.#locked(async () => {
      const all = await this.#all();
      for (const issue of chainOf(this.#need(all, root), all))
        if (issue.status !== "closed") await this.#change(issue, { status: "closed", reason });
    });
  }

  async *export(): AsyncGenerator<string> {
    for (const line of (await this.#bd(["export"])).split("\n")) if (line !== "") yield line;
  }

  async import(lines: AsyncIterable<string> | Iterable<string>, { dryRun = false } = {}): Promise<Imported> {
    const plan = await planImport(lines);
    return this.#locked(async () => {
      const all = await this.#all();
      const keys = new Map([...all.values()].flatMap(({ id, key }) => (key === undefined ? [] : [[key, id] as const])));
      const { created, updated, counts } = plan.against({
        find: (id) => all.get(id),
        withKey: (key) => keys.get(key),
        edges: () => [...all.values()].flatMap(({ id, edges }) => edges.filter(({ from }) => from === id)),
      });
      const taken = [...created, ...updated.map(({ issue }) => issue)];
      if (taken.some(({ status }) => status === "escalated")) await this.#commands.knowEscalated();
      if (!dryRun && taken.length > 0)
        await this.#bd(["import", "-"], { input: `${taken.map(issueToLine).join("\n")}\n` });
      return counts;
    });
  }

  async close(): Promise<void> {}

  async #create(given: NewIssue): Promise<Issue> {
    const key = given.key?.trim();
    const known = key === undefined ? undefined : [...(await this.#all()).values()].find((each) => each.key === key);
    if (known) return known;
    const issue = makeIssue(given, "new", new Date().toISOString());
    const id = await this.#commands.create(issue);
    const made: Issue = { ...issue, id, status: "open" };
    if (issue.status !== "open") await this.#commands.write(made, { ...issue, id });
    return { ...issue, id };
  }

  async #change(issue: Issue, change: IssueChange): Promise<void> {
    await this.#store(issue, changeIssue(issue, change, Date.now())?.issue);
  }

  async #store(issue: Issue, changed: Issue | undefined): Promise<void> {
    if (changed) await this.#commands.write(issue, changed);
  }

  async #link(all: Issues, from: string, kind: EdgeKind, to: string): Promise<void> {
    const [issue] = [this.#need(all, from), this.#need(all, to)];
    if (issue.edges.some((edge) => edge.from === from && edge.kind === kind && edge.to === to)) return;
    const back = wayBetween(to, from, (id) => all.get(id)?.edges.filter((edge) => edge.from === id) ?? []);
    if (back) throw circleError([{ from, kind, to }, ...back]);
    await this.#commands.addEdge({ from, kind, to }, issue);
  }

  /** Claims an issue; undefined where someone else was quicker. */
  async #take(issue: Issue | undefined): Promise<Issue | undefined> {
    if (!issue) return undefined;
    try {
      await this.#bd(["update", issue.id, "--claim"], { actor: holderToAssignee(this.#self) });
    } catch (error) {
      if (error instanceof BdError && /already (claimed|assigned)/i.test(error.message)) return undefined;
      throw error;
    }
    return this.#need(await this.#all(), issue.id);
  }

  /** Every issue, after those were given back whose process is gone. */
  async #releaseDead(): Promise<Issues> {
    const all = await this.#all();
    const dead = [...all.values()].flatMap((issue) => {
      const holder = issue.status === "in_progress" ? assigneeToHolder(issue.assignee) : undefined;
      return holder && isGone(holder, this.#self) ? [{ issue, holder }] : [];
    });
    for (const { issue, holder } of dead)
      await this.#change(issue, { status: "open", reason: `${holderToWords(holder)} is gone` });
    return dead.length > 0 ? this.#all() : all;
  }

  /** Every issue, with the edges of both its ends. */
  async #all(): Promise<Issues> {
    const { found } = await readLines((await this.#bd(["export"])).split("\n"));
    const issues = found.map(({ issue }) => issue);
    const touching = new Map<string, Issue["edges"]>();
    for (const edge of issues.flatMap(({ edges }) => edges))
      for (const id of [edge.from, edge.to]) touching.set(id, [...(touching.get(id) ?? []), edge]);
    return new Map(issues.map((issue) => [issue.id, { ...issue, edges: touching.get(issue.id) ?? [] }]));
  }

  #need(all: Issues, id: string): Issue {
    const found = all.get(id);
    if (!found) throw noIssue(id);
    return found;
  }

  #bd(args: readonly string[], { actor = this.#by, ...options }: BdOptions = {}): Promise<string> {
    return runBd(this.#dir, args, { actor, ...options });
  }

  #locked<Result>(act: () => Promise<Result>): Promise<Result> {
    return whileLocked(join(stateFolder(this.#dir), "beads.lock"), act);
  }
}

function byAge(issues: Iterable<Issue>): Issue[] {
  return [...issues].sort((one, other) => ageOf(one) - ageOf(other));
}

/** What can be worked on, the most urgent first, then the oldest. */
function readyOf(all: Issues): Issue[] {
  const isClosed = (id: string) => all.get(id)?.status === "closed";
  const ready = byAge(all.values()).filter(
    (issue) => issue.status === "open" && waitsFor(issue, isClosed).length === 0,
  );
  return ready.sort((one, other) => (one.priority < other.priority ? -1 : one.priority > other.priority ? 1 : 0));
}
