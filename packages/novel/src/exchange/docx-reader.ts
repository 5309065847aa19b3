// A Word file → blocks. Anyone may have made the file: it is unpacked within bounds, its pictures are never opened, and
// whatever is wrong with it becomes one clear error.

import { UsageError } from "@loopwright/core";
import { ArchiveFault, packFiles, unpackFiles } from "./archive.ts";
import { oneLine } from "./book.ts";
import { readWordHtml, type WordHtml } from "./word-html.ts";

/** What a Word file holds, and what a person should know of its reading. */
export type WordText = Omit<WordHtml, "images" | "tables"> & { notes: string[] };

const BOUNDS = { bytes: 64_000_000, entries: 10_000, wants: (name: string) => /\.(?:xml|rels)$/i.test(name) };

// Each tag costs the converter about a kilobyte: a small file of many tags is as harmful as a large one.
const MAX_TAGS = 1_000_000;
const LESS_THAN = 0x3c;

const styles = [
  "p[style-name='Title'] => h1.title:fresh",
  "p[style-name='Author'] => p.author:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "p[style-name='Block Text'] => blockquote > p:fresh",
  "p[style-name='footnote text'] => p.note:fresh",
  "p[style-name='Source Code'] => pre:separator('\\n')",
  "p[style-name='TOC Heading'] => !",
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((level) => `p[style-name='toc ${level}'] => !`),
  "r[style-name='Emphasis'] => em",
  "r[style-name='Verbatim Char'] => code",
  // Markdown knows no underline, and typescripts underline what is meant to be italic.
  "u => em",
];

/** Reads a Word file; `name` is what errors call it. */
export async function readDocx(bytes: Uint8Array, name: string): Promise<WordText> {
  const parts = unpack(bytes, name);
  const { images, tables, ...read } = await toText(parts, name);
  const text = asText(parts.get("word/document.xml"));
  const notes = [
    images > 0 && `${count(images, "picture was", "pictures were")} left out.`,
    tables > 0 && `${count(tables, "table was", "tables were")} kept as lines of text.`,
    /<w:(?:ins|del) /.test(text) && "Tracked changes were taken as accepted.",
    /<w:commentReference /.test(text) && "Comments were left out.",
  ].filter((note) => note !== false);
  return { ...read, notes };
}

function unpack(bytes: Uint8Array, name: string): Map<string, Uint8Array> {
  let parts: Map<string, Uint8Array>;
  try {
    parts = unpackFiles(bytes, BOUNDS);
  } catch (cause) {
    if (!(cause instanceof ArchiveFault)) throw cause;
    const advice = cause.isTooLarge
      ? "No manuscript is that large."
      : "Open it in Word, save it again as .docx, and import that.";
    throw unreadable(
      name,
      cause.isTooLarge ? "IMPORT_TOO_LARGE" : "IMPORT_DAMAGED",
      `${cause.message}. ${advice}`,
      cause,
    );
  }
  if (!asText(parts.get("[Content_Types].xml")).includes("wordprocessingml")) {
    throw new UsageError("IMPORT_UNKNOWN", `${name} is an archive, but no Word file. Import Markdown or .docx.`);
  }
  let tags = 0;
  for (const [part, content] of parts) {
    // Word writes none; a file that has one is made to harm.
    if (asText(content).includes("<!DOCTYPE")) {
      throw unreadable(
        name,
        "IMPORT_DAMAGED",
        `${JSON.stringify(part)} in it declares entities, which no Word file does.`,
      );
    }
    for (const byte of content) if (byte === LESS_THAN) tags++;
  }
  if (tags > MAX_TAGS) throw unreadable(name, "IMPORT_TOO_LARGE", `it has ${tags} tags. No manuscript is that large.`);
  return parts;
}

async function toText(parts: ReadonlyMap<string, Uint8Array>, name: string): Promise<WordHtml> {
  const { default: mammoth } = await import("mammoth");
  // What was checked is what is read: packed anew, without anything else that the archive held.
  const files = [...parts].map(([part, content]) => ({ name: part, content, isStored: true }));
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(packFiles(files)) },
      {
        styleMap: styles,
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
      },
    );
    return readWordHtml(value);
  } catch (cause) {
    throw damaged(name, cause);
  }
}

function unreadable(name: string, code: string, why: string, cause?: unknown): UsageError {
  return new UsageError(code, `${name} cannot be read: ${why}`, { cause });
}

function damaged(name: string, cause: unknown): UsageError {
  const words = oneLine(cause instanceof Error ? cause.message : String(cause)).slice(0, 200);
  return new UsageError(
    "IMPORT_DAMAGED",
    `${name} cannot be read as a Word file (${words}). Open it in Word, save it again as .docx, and import that.`,
    { cause },
  );
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function asText(content: Uint8Array | undefined): string {
  return new TextDecoder().decode(content);
}
