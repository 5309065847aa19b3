// The tracker of a project: its issues in one SQLite file beside the journal. Calls come one after the other, whichever process
// makes them, and each is one transaction: killed in it, all of it was done or nothing.

import { randomInt } from "node:crypto";
import { userInfo } from "node:os";
import { join } from "node:path";
import { lifeOf, type ProcessId, SqliteConnection, stateFolder, thisProcess, usage } from "@loopwright/core";
import { type Imported, planImport, readLines } from "../beads/import.ts";
import { issueToLine } from "../beads/shape.ts";
import { type Changed, changeIssue, makeIssue, settle } from "../change.ts";
import { circleError, wayBetween } from "../graph.ts";
import type { Change, Edge, EdgeKind, Issue, IssueChange, JsonObject, NewIssue, Status } from "../issue.ts";
import { Rows, schema } from "./rows.ts";

/** Which issues are meant: those that fit all of it. */
export interface IssueFilter {
  status?: readonly Status[];
  /** Every one of these. */
  tags?: readonly string[];
  limit?: number;
}

/** Whose issues are opened. */
export interface TrackerOptions {
  /** The project's folder. */
  dir: string;
  /** Who changes issues, for their history; the user where it is left out. */
  by?: string;
}

/** Opens the issues of a project, and makes their file where there is none. Assets are what whoever creates issues says. */
export async function openTracker<Asset extends JsonObject = JsonObject>({
  dir,
  by = userName(),
}: TrackerOptions): Promise<Tracker<Asset>> {
  stateFolder(dir);
  return new Tracker<Asset>(await SqliteConnection.open(issuesFile(dir), schema), by);
}

/** Where a project's issues are kept. */
export function issuesFile(dir: string): string {
  return join(dir, ".loopwright", "issues.db");
}

/** A project's issues. */
export class Tracker<Asset extends JsonObject = JsonObject> {
  readonly #db: SqliteConnection;
  readonly #rows: Rows<Asset>;
  readonly #by: string;
  readonly #self = thisProcess();

  constructor(db: SqliteConnection, by: string) {
    this.#db = db;
    this.#rows = new Rows(db);
    this.#by = by;
  }

  /** A new issue; where its key is known already, that issue as it stands. */
  create(issue: NewIssue<Asset>): Promise<Issue<Asset>> {
    return this.#db.write(() => this.#create(issue));
  }

  async get(id: string): Promise<Issue<Asset> | undefined> {
    return this.#db.read(() => this.#rows.find(id));
  }

  /** An issue by its id, or by a beginning that fits no other, with or without what stands before the dash. */
  async find(id: string): Promise<Issue<Asset>> {
    const exact = await this.get(id);
    if (exact) return exact;
    const fitting = (await this.list()).filter(
      (issue) => issue.id.startsWith(id) || issue.id.split("-")[1]?.startsWith(id),
    );
    const [first, second] = fitting;
    if (!first) throw usage(`there is no issue '${id}'`, "`loopwright issue list --all` shows them");
    if (second) throw usage(`'${id}' fits ${fitting.length} issues: ${first.id}, ${second.id}, …`, "type more of it");
    return first;
  }

  /** Oldest first. */
  async list(filter: IssueFilter = {}): Promise<Issue<Asset>[]> {
    return this.#db.read(() => fits(this.#rows.oldestFirst(), filter));
  }

  /** What can be worked on: open, and nothing that blocks it is unclosed. The most urgent first, then the oldest. */
  async ready(filter: Omit<IssueFilter, "status"> = {}): Promise<Issue<Asset>[]> {
    await this.#releaseDead();
    return this.#db.read(() => fits(this.#rows.ready(), filter));
  }

  /** Oldest first. */
  async history(id: string): Promise<Change[]> {
    return this.#db.read(() => this.#rows.changes(this.#rows.need(id).id));
  }

  /** Changes it; a function is given the issue as it stands at that moment. Nothing new is no change. */
  update(
    id: string,
    change: IssueChange<Asset> | ((issue: Issue<Asset>) => IssueChange<Asset>),
  ): Promise<Issue<Asset>> {
    return this.#db.write(() => this.#change(id, change));
  }

  /** Refused where it would close a circle. */
  async link(from: string, kind: EdgeKind, to: string): Promise<void> {
    await this.#db.write(() => this.#link(from, kind, to));
  }

  async unlink(from: string, kind: EdgeKind, to: string): Promise<void> {
    await this.#db.write(() => {
      for (const id of [from, to]) this.#rows.need(id);
      if (this.#rows.removeEdge(from, kind, to)) this.#noteEdge("unlinked", { from, kind, to });
    });
  }

  /** Takes an issue that is ready for this process, or nothing where another was quicker; where that is said, one that waits for a person
   * too. A claim lives as long as its process: that of a dead one is released by whoever asks next. */
  async claim(id: string, { isEscalated = false } = {}): Promise<Issue<Asset> | undefined> {
    await this.#releaseDead();
    return this.#db.write(() => {
      const issue = this.#rows.need(id);
      return this.#take(isEscalated && issue.status === "escalated" ? issue : this.#rows.findReady(id));
    });
  }

  /** Gives a claimed issue back: it is open again. */
  async release(id: string, why?: string): Promise<void> {
    await this.#db.write(() => this.#release(this.#rows.need(id), why));
  }

  /** Hangs a run on an issue, once: it is the current one, and stands among its runs. */
  attach(id: string, run: string): Promise<Issue<Asset>> {
    return this.#db.write(() => {
      const issue = this.#rows.need(id);
      const runs = issue.runs.includes(run) ? issue.runs : [...issue.runs, run];
      const wanted = { ...issue, runs, iteration: { ...issue.iteration, currentRun: run } };
      return this.#store(issue, settle(issue, wanted, undefined, Date.now()));
    });
  }

  /** A repair: an issue with that key that is `fix-for` the root, and blocks it and the issue that failed; both get the status
   * `blocked`. Asked for twice, it is the same one. */
  repair(
    { root, failed }: { root: string; failed: string },
    issue: NewIssue<Asset> & { key: string },
  ): Promise<Issue<Asset>> {
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

  /** Every issue that is `fix-for` the root, oldest first, and the root last. */
  async chain(root: string): Promise<Issue<Asset>[]> {
    return this.#db.read(() => this.#chain(root));
  }

  /** Closes a chain, the root last. */
  async closeChain(root: string, reason: string): Promise<void> {
    await this.#db.write(() => {
      for (const { id, status } of this.#chain(root))
        if (status !== "closed") this.#change(id, { status: "closed", reason });
    });
  }

  /** Every issue as a line in the shape of beads. */
  async *export(): AsyncGenerator<string> {
    // Read whole, so that the lines are of one moment.
    for (const issue of this.#db.read(() => [...this.#rows.all()])) yield issueToLine(issue);
  }

  /** Takes in lines in the shape of beads, all or none; an issue that is here is changed where the line is newer. */
  async import(
    given: AsyncIterable<string> | Iterable<string>,
    { dryRun = false }: { dryRun?: boolean } = {},
  ): Promise<Imported> {
    const lines = await readLines(given);
    return this.#db.write(() => {
      const { created, updated, edges, counts } = planImport(lines, this.#rows);
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

  #create(given: NewIssue<Asset>): Issue<Asset> {
    const known = given.key === undefined ? undefined : this.#rows.withKey(given.key.trim());
    if (known) return known;
    const at = new Date().toISOString();
    const issue = makeIssue<Asset>(given, this.#freeId(), at);
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

  #change(id: string, change: IssueChange<Asset> | ((issue: Issue<Asset>) => IssueChange<Asset>)): Issue<Asset> {
    const issue = this.#rows.need(id);
    const given = typeof change === "function" ? change(issue) : change;
    return this.#store(issue, changeIssue(issue, given, Date.now()), given.reason);
  }

  #store(issue: Issue<Asset>, changed: Changed<Asset> | undefined, why?: string): Issue<Asset> {
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

  #take(issue: Issue<Asset> | undefined): Issue<Asset> | undefined {
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

  #chain(root: string): Issue<Asset>[] {
    const { edges } = this.#rows.need(root);
    const fixes = edges.filter(({ kind, to }) => kind === "fix-for" && to === root);
    const repairs = fixes.map(({ from }) => this.#rows.need(from));
    const ageOf = ({ createdAt }: Issue) => Date.parse(createdAt);
    return [...repairs.sort((one, other) => ageOf(one) - ageOf(other)), this.#rows.need(root)];
  }

  #note(issue: string, change: Omit<Change, "by">): void {
    this.#rows.addChange(issue, { ...change, by: this.#by });
  }
}

/** Those of these that fit, in their order; no more are read than are wanted. */
function fits<Any extends Issue>(issues: Iterable<Any>, { status, tags = [], limit = Infinity }: IssueFilter): Any[] {
  const found: Any[] = [];
  if (limit <= 0) return found;
  for (const issue of issues) {
    if (status && !status.includes(issue.status)) continue;
    if (!tags.every((tag) => issue.tags.includes(tag))) continue;
    found.push(issue);
    if (found.length >= limit) break;
  }
  return found;
}

/** Whether a claim's process is gone: dead on this host, or of a boot of this host that is over. One that cannot be seen from
 * here counts as alive. */
function isGone(holder: ProcessId, self: ProcessId): boolean {
  return lifeOf(holder, self) === "dead" || (holder.host === self.host && holder.boot !== self.boot);
}

function holderToWords({ pid, host }: ProcessId): string {
  return `process ${pid} on ${host}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "someone";
  }
}
