// Loopwright's own tracker: one SQLite file beside the journal, every call one transaction.

import { randomInt } from "node:crypto";
import { join } from "node:path";
import { type ProcessId, SqliteConnection, stateFolder, thisProcess } from "@loopwright/core";
import { planImport } from "../beads/import.ts";
import { issueToLine } from "../beads/shape.ts";
import { changeIssue, makeIssue, noIssue, settle } from "../change.ts";
import { holderToWords, isGone } from "../claim.ts";
import { fits } from "../filter.ts";
import { chainOf, circleError, wayBetween } from "../graph.ts";
import type { Change, Edge, EdgeKind, Issue, IssueChange, NewIssue } from "../issue.ts";
import type { Imported, IssueFilter, Tracker } from "../tracker.ts";
import { Rows } from "./rows.ts";
import { schema } from "./schema.ts";

/** Where a project's issues are kept. */
export function issuesFile(dir: string): string {
  return join(dir, ".loopwright", "issues.db");
}

export class SqliteTracker implements Tracker {
  readonly #db: SqliteConnection;
  readonly #rows: Rows;
  readonly #by: string;
  readonly #self: ProcessId;

  private constructor(db: SqliteConnection, by: string, self: ProcessId) {
    this.#db = db;
    this.#rows = new Rows(db);
    this.#by = by;
    this.#self = self;
  }

  /** Opens the issues of a project, and makes their file where there is none. */
  static async open(dir: string, by: string): Promise<SqliteTracker> {
    stateFolder(dir);
    return new SqliteTracker(await SqliteConnection.open(issuesFile(dir), schema), by, thisProcess());
  }

  as(by: string): SqliteTracker {
    return new SqliteTracker(this.#db, by, this.#self);
  }

  create(issue: NewIssue): Promise<Issue> {
    return this.#db.write(() => this.#create(issue));
  }

  async get(id: string): Promise<Issue | undefined> {
    return this.#db.read(() => this.#rows.find(id));
  }

  async list(filter: IssueFilter = {}): Promise<Issue[]> {
    return this.#db.read(() => fits(this.#rows.oldestFirst(), filter));
  }

  async ready(filter: IssueFilter = {}): Promise<Issue[]> {
    await this.#releaseDead();
    return this.#db.read(() => fits(this.#rows.ready(), filter));
  }

  async history(id: string): Promise<Change[]> {
    return this.#db.read(() => this.#rows.changes(this.#rows.need(id).id));
  }

  update(id: string, change: IssueChange | ((issue: Issue) => IssueChange)): Promise<Issue> {
    return this.#db.write(() => this.#change(id, change));
  }

  async link(from: string, kind: EdgeKind, to: string): Promise<void> {
    await this.#db.write(() => this.#link(from, kind, to));
  }

  async unlink(from: string, kind: EdgeKind, to: string): Promise<void> {
    await this.#db.write(() => {
      for (const id of [from, to]) this.#rows.need(id);
      if (this.#rows.removeEdge(from, kind, to)) this.#noteEdge("unlinked", { from, kind, to });
    });
  }

  async claim(id: string): Promise<Issue | undefined> {
    await this.#releaseDead();
    return this.#db.write(() => {
      this.#rows.need(id);
      return this.#take(this.#rows.findReady(id));
    });
  }

  async claimNext(filter: IssueFilter = {}): Promise<Issue | undefined> {
    await this.#releaseDead();
    return this.#db.write(() => this.#take(fits(this.#rows.ready(), { ...filter, limit: 1 })[0]));
  }

  async release(id: string, why?: string): Promise<void> {
    await this.#db.write(() => this.#release(this.#rows.need(id), why));
  }

  attach(id: string, run: string): Promise<Issue> {
    return this.#db.write(() => {
      const issue = this.#rows.need(id);
      const runs = issue.runs.includes(run) ? issue.runs : [...issue.runs, run];
      const wanted = { ...issue, runs, iteration: { ...issue.iteration, currentRun: run } };
      return this.#store(issue, settle(issue, wanted, undefined, Date.now()));
    });
  }

  repair({ root, failed }: { root: string; failed: string }, issue: NewIssue & { key: string }): Promise<Issue> {
    return this.#db.write(() => {
      const { id, status } = this.#create(issue);
      if (status === "closed") return this.#rows.need(id);
      this.#link(id, "fix-for", root);
      for (const each of new Set([root, failed])) {
        this.#link(id, "blocks", each);
        if (this.#rows.need(each).status !== "closed")
          this.#change(each, { status: "blocked", reason: `${id} repairs it` });
      }
      return this.#rows.need(id);
    });
  }

  async chain(root: string): Promise<Issue[]> {
    return this.#db.read(() => this.#chain(root));
  }

  async closeChain(root: string, reason: string): Promise<void> {
    await this.#db.write(() => {
      for (const { id, status } of this.#chain(root))
        if (status !== "closed") this.#change(id, { status: "closed", reason });
    });
  }

  async *export(): AsyncGenerator<string> {
    // Read whole, so that the lines are of one moment.
    for (const issue of this.#db.read(() => [...this.#rows.all()])) yield issueToLine(issue);
  }

  async import(lines: AsyncIterable<string> | Iterable<string>, { dryRun = false } = {}): Promise<Imported> {
    const plan = await planImport(lines);
    return this.#db.write(() => {
      const { created, updated, edges, counts } = plan.against({
        find: (id) => this.#rows.find(id),
        withKey: (key) => this.#rows.withKey(key)?.id,
        edges: () => this.#rows.edges(),
      });
      if (dryRun) return counts;
      const at = new Date().toISOString();
      for (const issue of created) {
        this.#rows.insert(issue);
        this.#note(issue.id, { what: "imported", at });
      }
      for (const { issue, fields } of updated) {
        this.#rows.write(issue);
        this.#note(issue.id, { what: "imported", at, fields });
      }
      for (const edge of edges) this.#rows.addEdge(edge);
      return counts;
    });
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #create(given: NewIssue): Issue {
    const known = given.key === undefined ? undefined : this.#rows.withKey(given.key.trim());
    if (known) return known;
    const at = new Date().toISOString();
    const issue = makeIssue(given, this.#freeId(), at);
    this.#rows.insert(issue);
    this.#note(issue.id, { what: "created", at });
    return issue;
  }

  /** Short, and not the next number: issues of two projects can be brought together. */
  #freeId(): string {
    for (let length = 4; ; length++) {
      const id = `lw-${Array.from({ length }, () => randomInt(36).toString(36)).join("")}`;
      if (!this.#rows.find(id)) return id;
    }
  }

  #change(id: string, change: IssueChange | ((issue: Issue) => IssueChange)): Issue {
    const issue = this.#rows.need(id);
    const given = typeof change === "function" ? change(issue) : change;
    return this.#store(issue, changeIssue(issue, given, Date.now()), given.reason);
  }

  #store(issue: Issue, changed: ReturnType<typeof changeIssue>, why?: string): Issue {
    if (!changed) return issue;
    this.#rows.write(changed.issue);
    const { fields } = changed;
    this.#note(issue.id, { what: "changed", at: changed.issue.updatedAt, ...(why !== undefined && { why }), fields });
    return changed.issue;
  }

  #link(from: string, kind: EdgeKind, to: string): void {
    for (const id of [from, to]) this.#rows.need(id);
    const back = wayBetween(to, from, (id) => this.#rows.leaving(id));
    if (back) throw circleError([{ from, kind, to }, ...back]);
    const edge = { kind, from, to, at: new Date().toISOString(), by: this.#by };
    if (this.#rows.addEdge(edge)) this.#noteEdge("linked", edge);
  }

  /** An edge belongs to both its ends: each is newer for it. */
  #noteEdge(what: "linked" | "unlinked", { from, kind, to }: Edge): void {
    for (const id of [from, to]) {
      const issue = this.#rows.need(id);
      const at = new Date(Math.max(Date.now(), Date.parse(issue.updatedAt) + 1)).toISOString();
      this.#rows.write({ ...issue, updatedAt: at });
      const words = `${from} ${kind} ${to}`;
      const fields = { edge: what === "linked" ? { from: null, to: words } : { from: words, to: null } };
      this.#note(id, { what, at, fields });
    }
  }

  #take(issue: Issue | undefined): Issue | undefined {
    if (!issue) return undefined;
    const changed = changeIssue(issue, { status: "in_progress", assignee: holderToWords(this.#self) }, Date.now())!;
    this.#rows.write(changed.issue);
    this.#rows.setClaim(issue.id, this.#self);
    this.#note(issue.id, { what: "claimed", at: changed.issue.updatedAt, fields: changed.fields });
    return changed.issue;
  }

  #release(issue: Issue, why: string | undefined): void {
    if (issue.status !== "in_progress") return;
    const changed = changeIssue(issue, { status: "open" }, Date.now())!;
    this.#rows.write(changed.issue);
    const { fields } = changed;
    this.#note(issue.id, { what: "released", at: changed.issue.updatedAt, ...(why !== undefined && { why }), fields });
  }

  async #releaseDead(): Promise<void> {
    const dead = () => this.#rows.claims().filter(({ holder }) => isGone(holder, this.#self));
    if (this.#db.read(dead).length === 0) return;
    await this.#db.write(() => {
      for (const { id, holder } of dead()) this.#release(this.#rows.need(id), `${holderToWords(holder)} is gone`);
    });
  }

  #chain(root: string): Issue[] {
    const issue = this.#rows.find(root);
    if (!issue) throw noIssue(root);
    const ends = issue.edges.map(({ from }) => from);
    return chainOf(issue, new Map(ends.flatMap((id) => this.#rows.find(id) ?? []).map((each) => [each.id, each])));
  }

  #note(issue: string, change: Omit<Change, "by">): void {
    this.#rows.addChange(issue, { ...change, by: this.#by });
  }
}
