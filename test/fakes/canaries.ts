// Canaries: keys that are planted, and every byte that the program wrote or printed searched for each of them.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { brotliDecompressSync, zstdDecompressSync } from "node:zlib";
import type { Ended, Folder } from "./cli.ts";

/** The forms in which a canary would be found; in base64, wherever it stands in something longer. */
function needlesOf(canary: string): string[] {
  const bytes = Buffer.from(canary);
  const shifted = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift, 65), bytes, Buffer.alloc(3, 66)]).toString("base64");
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const urlSafe = shifted.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const hex = bytes.toString("hex");
  const json = JSON.stringify(canary).slice(1, -1);
  const forms = [canary, encodeURIComponent(canary), json, JSON.stringify(json).slice(1, -1), hex, hex.toUpperCase()];
  return [...new Set([...forms, ...shifted, ...urlSafe])];
}

/** Where each canary is found among named texts. */
export function findCanaries(texts: Record<string, Buffer>, searched: readonly string[]): string[] {
  return Object.entries(texts).flatMap(([name, bytes]) =>
    searched.flatMap((canary) =>
      needlesOf(canary).flatMap((needle) => (bytes.includes(needle) ? [`${name} holds ${canary} as ${needle}`] : [])),
    ),
  );
}

/** What the program wrote into a folder: every file as it is, and the journal's values unpacked. */
export function written(folder: Folder): Record<string, Buffer> {
  const found: Record<string, Buffer> = {};
  for (const name of readdirSync(folder.dir, { recursive: true }) as string[]) {
    const isPlanted = name === "loopwright.yaml" || name === ".env" || name.startsWith("loops");
    if (!isPlanted && statSync(join(folder.dir, name)).isFile()) found[name] = readFileSync(join(folder.dir, name));
  }
  // It is opened last: closing it takes the write-ahead log away.
  for (const name of Object.keys(found).filter((file) => file.endsWith(".db"))) {
    using db = new DatabaseSync(join(folder.dir, name));
    for (const { name: table } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all())
      for (const [index, row] of db.prepare(`SELECT * FROM "${table}"`).all().entries())
        for (const [column, value] of Object.entries(row))
          found[`${name} ${table}[${index}].${column}`] = unpacked(value);
  }
  return found;
}

function unpacked(value: unknown): Buffer {
  if (!(value instanceof Uint8Array)) return Buffer.from(String(value));
  for (const unpack of [zstdDecompressSync, brotliDecompressSync]) {
    try {
      return unpack(value);
    } catch {
      // It is packed in the other way, or not at all.
    }
  }
  return Buffer.from(value);
}

export const printed = (ended: Ended): Record<string, Buffer> => ({
  stdout: Buffer.from(ended.stdout),
  stderr: Buffer.from(ended.stderr),
});
