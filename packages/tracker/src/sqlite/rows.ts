// Issues, edges and changes as rows of issues.db. Every method is a part of a transaction that its caller has begun.

import { LoopwrightError, type ProcessId, type SqliteConnection } from "@loopwright/core";
import { noIssue } from "../change.ts";
import type { Change, Edge, EdgeKind, Issue, JsonObject } from "../issue.ts";

/** The tables. An issue's body is the issue itself without its edges; the columns beside it are what is searched by. History is only
 * ever added to, and the database holds to that itself. */
export const schema = {
  version: 1,
  tables: `CREATE TABLE issues (
     number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT UNIQUE, status TEXT NOT NULL, priority TEXT NOT NULL,
     created INTEGER NOT NULL, claim TEXT, body TEXT NOT NULL);
   CREATE INDEX issues_ready ON issues (status, priority, created, number);
   CREATE INDEX issues_claimed ON issues (claim) WHERE claim IS NOT NULL;
   CREATE TABLE edges (
     source TEXT NOT NULL, target TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (source, target, kind)) WITHOUT ROWID;
   CREATE INDEX edges_back ON edges (target);
   CREATE TABLE history (number INTEGER PRIMARY KEY, issue TEXT NOT NULL, body TEXT NOT NULL);
   CREATE INDEX history_of ON history (issue, number);
   CREATE TRIGGER history_unchanged BEFORE UPDATE ON history BEGIN SELECT RAISE(ABORT, 'history is only added to'); END;
   CREATE TRIGGER history_undeleted BEFORE DELETE ON history BEGIN SELECT RAISE(ABORT, 'history is only added to'); END;`,
};

const READY = `status = 'open' AND NOT EXISTS (
  SELECT 1 FROM edges JOIN issues AS before ON before.id = source
  WHERE target = issues.id AND kind = 'blocks' AND before.status <> 'closed')`;
const COLUMNS = "id, key, status, priority, created, claim, body";

export class Rows<Asset extends JsonObject = JsonObject> {
  readonly #db: SqliteConnection;

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  find(id: string): Issue<Asset> | undefined {
    const row = this.#db.prepare("SELECT body FROM issues WHERE id = ?").get(id);
    return row && this.#issue(row);
  }

  /** The issue; throws where it is not there. */
  need(id: string): Issue<Asset> {
    const found = this.find(id);
    if (!found) throw noIssue(id);
    return found;
  }

  withKey(key: string): Issue<Asset> | undefined {
    const row = this.#db.prepare("SELECT body FROM issues WHERE key = ?").get(key);
    return row && this.#issue(row);
  }

  /** Every issue in the order that they came in. */
  *all(): Generator<Issue<Asset>> {
    for (const row of this.#db.prepare("SELECT body FROM issues ORDER BY number").iterate()) yield this.#issue(row);
  }

  *oldestFirst(): Generator<Issue<Asset>> {
    const sql = "SELECT body FROM issues ORDER BY created, number";
    for (const row of this.#db.prepare(sql).iterate()) yield this.#issue(row);
  }

  *ready(): Generator<Issue<Asset>> {
    const sql = `SELECT body FROM issues WHERE ${READY} ORDER BY priority, created, number`;
    for (const row of this.#db.prepare(sql).iterate()) yield this.#issue(row);
  }

  /** The issue where it is ready. */
  findReady(id: string): Issue<Asset> | undefined {
    const row = this.#db.prepare(`SELECT body FROM issues WHERE id = ? AND ${READY}`).get(id);
    return row && this.#issue(row);
  }

  insert(issue: Issue): void {
    const sql = `INSERT INTO issues (${COLUMNS}) VALUES (?, ?, ?, ?, ?, NULL, ?)`;
    this.#db.prepare(sql).run(issue.id, ...columnsOf(issue));
  }

  /** Writes an issue as it now stands. A claim ends with the status that it gave. */
  write(issue: Issue): void {
    const claim = issue.status === "in_progress" ? "claim" : "NULL";
    const sql = `UPDATE issues SET key = ?, status = ?, priority = ?, created = ?, body = ?, claim = ${claim} WHERE id = ?`;
    this.#db.prepare(sql).run(...columnsOf(issue), issue.id);
  }

  setClaim(id: string, holder: ProcessId): void {
    this.#db.prepare("UPDATE issues SET claim = ? WHERE id = ?").run(JSON.stringify(holder), id);
  }

  claims(): { id: string; holder: ProcessId }[] {
    const rows = this.#db.prepare("SELECT id, claim FROM issues WHERE claim IS NOT NULL").all();
    return rows.map(({ id, claim }) => ({ id: String(id), holder: parse(claim) as ProcessId }));
  }

  leaving(id: string): Edge[] {
    return this.#db.prepare("SELECT body FROM edges WHERE source = ?").all(id).map(edgeOf);
  }

  *edges(): Generator<Edge> {
    for (const row of this.#db.prepare("SELECT body FROM edges").iterate()) yield edgeOf(row);
  }

  /** False where it is there already. */
  addEdge(edge: Edge): boolean {
    const sql = "INSERT OR IGNORE INTO edges (source, target, kind, body) VALUES (?, ?, ?, ?)";
    return Number(this.#db.prepare(sql).run(edge.from, edge.to, edge.kind, JSON.stringify(edge)).changes) > 0;
  }

  removeEdge(from: string, kind: EdgeKind, to: string): boolean {
    const sql = "DELETE FROM edges WHERE source = ? AND target = ? AND kind = ?";
    return Number(this.#db.prepare(sql).run(from, to, kind).changes) > 0;
  }

  addChange(issue: string, change: Change): void {
    this.#db.prepare("INSERT INTO history (issue, body) VALUES (?, ?)").run(issue, JSON.stringify(change));
  }

  changes(issue: string): Change[] {
    const rows = this.#db.prepare("SELECT body FROM history WHERE issue = ? ORDER BY number").all(issue);
    return rows.map(({ body }) => parse(body) as Change);
  }

  #issue({ body }: Record<string, unknown>): Issue<Asset> {
    const issue = parse(body) as Issue<Asset>;
    const sql = "SELECT body FROM edges WHERE source = ?1 UNION ALL SELECT body FROM edges WHERE target = ?1";
    return { ...issue, edges: this.#db.prepare(sql).all(issue.id).map(edgeOf) };
  }
}

function columnsOf(issue: Issue): [string | null, string, string, number, string] {
  const { edges: _, ...body } = issue;
  return [issue.key ?? null, issue.status, issue.priority, Date.parse(issue.createdAt), JSON.stringify(body)];
}

function edgeOf({ body }: Record<string, unknown>): Edge {
  return parse(body) as Edge;
}

/** What a row holds is JSON, or someone else has written there. */
function parse(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch (cause) {
    const message =
      "issues.db is damaged: a row in it cannot be read. Copy it aside, then restore a backup or an export.";
    throw new LoopwrightError("ISSUES_DAMAGED", message, { cause });
  }
}
