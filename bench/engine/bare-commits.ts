// The limit: what node:sqlite needs to bring the same bytes to disk, and nothing else.

import { DatabaseSync } from "node:sqlite";

/** A database in which one text is one row and one commit. */
export class BareCommits {
  readonly #db: DatabaseSync;
  readonly #begin;
  readonly #insert;
  readonly #commit;

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    this.#db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    this.#db.exec("CREATE TABLE commits (id INTEGER PRIMARY KEY, body TEXT NOT NULL)");
    this.#begin = this.#db.prepare("BEGIN IMMEDIATE");
    this.#insert = this.#db.prepare("INSERT INTO commits (body) VALUES (?)");
    this.#commit = this.#db.prepare("COMMIT");
  }

  write(text: string): void {
    this.#begin.run();
    this.#insert.run(text);
    this.#commit.run();
  }

  close(): void {
    this.#db.close();
  }
}
