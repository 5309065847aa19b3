// The outbox of the journal on SQLite.

import type { Message, Outbox } from "../../ports.ts";
import type { SqliteConnection } from "./connection.ts";

export class SqliteOutbox implements Outbox {
  readonly #db: SqliteConnection;

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  /** Takes messages in, in a transaction. */
  put(messages: readonly Omit<Message, "tries">[]): void {
    const sql = "INSERT INTO outbox (id, run, at, way, body, tries, due) VALUES (?, ?, ?, ?, ?, 0, 0)";
    for (const { id, run, at, to, body } of messages) this.#db.prepare(sql).run(id, run, at, to, body);
  }

  async isEmpty(): Promise<boolean> {
    return this.#db.read(() => this.#db.prepare("SELECT 1 FROM outbox LIMIT 1").get() === undefined);
  }

  async claim(ways: readonly string[], now: number, until: number): Promise<Message | undefined> {
    const named = JSON.stringify(ways);
    return this.#db.write(() => {
      const sql = `UPDATE outbox SET tries = tries + 1, due = ?1 WHERE number = (SELECT min(number) FROM outbox
        WHERE due <= ?2 AND way IN (SELECT value FROM json_each(?3))) RETURNING id, run, at, way AS "to", body, tries`;
      return this.#db.prepare(sql).get(until, now, named) as Message | undefined;
    });
  }

  async postpone(id: string, due: number): Promise<void> {
    await this.#db.write(() => this.#db.prepare("UPDATE outbox SET due = ? WHERE id = ?").run(due, id));
  }

  async remove(id: string): Promise<void> {
    await this.#db.write(() => this.#db.prepare("DELETE FROM outbox WHERE id = ?").run(id));
  }
}
