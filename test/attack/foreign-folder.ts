// A project folder as it could come from elsewhere: a real one whose journal and files were changed by somebody who knows how
// they are made.

import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { firstLink, linkOf } from "../../packages/core/src/record/chain.ts";
import type { Folder } from "../fakes/cli.ts";

/** Has the one run of a journal another name, and its events say something else, with links as they must be. */
export function forgeRun(
  at: Folder,
  name: string | undefined,
  change: (body: string) => string = (body) => body,
): string {
  using db = new DatabaseSync(join(at.dir, ".loopwright/journal.db"));
  const run = name ?? String(db.prepare("SELECT name FROM runs").get()!.name);
  const rows = db.prepare("SELECT id, body FROM events ORDER BY id").all();
  let link = firstLink(run);
  for (const { id, body } of rows) {
    const changed = change(String(body));
    link = linkOf(link, changed);
    db.prepare("UPDATE events SET body = ?, link = ? WHERE id = ?").run(changed, Buffer.from(link, "hex"), id!);
  }
  db.prepare("UPDATE runs SET name = ?").run(run);
  db.exec("DELETE FROM folds");
  return run;
}

/** Puts a link where something of the folder's is, or would be. */
export function putLink(at: Folder, path: string, to: string): void {
  const place = join(at.dir, path);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(to, place);
}

/** The one entry of a folder. */
export function onlyIn(folder: string): string {
  const names = readdirSync(folder);
  if (names.length !== 1) throw new Error(`${folder} holds ${names.join(", ") || "nothing"}`);
  return join(folder, names[0]!);
}
