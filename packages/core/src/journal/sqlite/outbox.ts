// The outbox of the journal on SQLite.

import type { Message, Outbox, Posted, ProcessId } from "../../ports.ts";
import type { SqliteConnection } from "./connection.ts";

export class SqliteOutbox implements Outbox {
  readonly #db: SqliteConnection;

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  /** Takes messages in, in a transaction. */
  put(messages: readonly Message[]): void {
    const sql = `INSERT INTO outbox (id, run, at, way, body, seal, state, tries, due, held_until)
      VALUES (?, ?, ?, ?, ?, ?, 'waiting', 0, 0, 0)`;
    for (const { id, run, at, to, body, seal } of messages) this.#db.prepare(sql).run(id, run, at, to, body, seal);
  }

  async list(state?: Posted["state"]): Promise<Posted[]> {
    return this.#db.read(() => {
      const where = state === undefined ? "" : `WHERE state = '${state}'`;
      return this.#db.prepare(`SELECT * FROM outbox ${where} ORDER BY number`).all().map(toPosted);
    });
  }

  async claim(id: string, tries: number, holder: ProcessId, until: number): Promise<boolean> {
    return this.#db.write(() => {
      const sql = `UPDATE outbox SET state = 'waiting', tries = tries + 1, holder = ?, held_until = ?
        WHERE id = ? AND tries = ?`;
      return Number(this.#db.prepare(sql).run(JSON.stringify(holder), until, id, tries).changes) > 0;
    });
  }

  async settle(
    id: string,
    tries: number,
    { state, due, error }: Pick<Posted, "state" | "due" | "error">,
  ): Promise<void> {
    await this.#db.write(() => {
      const sql =
        "UPDATE outbox SET state = ?, due = ?, error = ?, holder = NULL, held_until = 0 WHERE id = ? AND tries = ?";
      this.#db.prepare(sql).run(state, due, error ?? null, id, tries);
    });
  }

  async forget(before: number): Promise<void> {
    await this.#db.write(() => this.#db.prepare("DELETE FROM outbox WHERE at < ?").run(before));
  }
}

function toPosted({ way, error, holder, held_until, number: _, ...row }: Record<string, unknown>): Posted {
  return {
    ...(row as Omit<Posted, "to" | "heldUntil">),
    to: way as string,
    heldUntil: held_until as number,
    ...(error !== null && { error: error as string }),
    ...(holder !== null && { holder: JSON.parse(holder as string) as ProcessId }),
  };
}
