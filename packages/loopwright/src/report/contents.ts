// Contents: what the page shows of the files, within its budgets. The best, the first and the latest iterations come first;
// what does not fit is linked.

import { extname } from "node:path";
import type { Artifact } from "@loopwright/core";
import type { SavedFile, Section } from "./story.ts";

export type Content =
  | { kind: "picture"; type: string; base64: string; width?: number; height?: number }
  | { kind: "text"; text: string }
  /** Only linked, and why; a file that is neither picture nor text needs no words. */
  | { kind: "linked"; why: string };

export type Contents = ReadonlyMap<SavedFile, Content>;

/** Bytes of all pictures and of all texts together. */
export const budgets = { picture: 16 * 1024 * 1024, text: 3 * 1024 * 1024 };
const TEXT_LIMIT = 64 * 1024;
const FILES_LIMIT = 60;

/** What is shown as a picture, by the name's ending: in an `<img>` none of them runs anything or fetches anything. */
const pictures: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
};

/** The contents of the files of some sections, loaded in the order in which they may use up the budgets. */
export async function loadContents(
  sections: readonly Pick<Section, "files">[],
  load: (artifact: Artifact) => Promise<Uint8Array>,
  { picture, text } = budgets,
): Promise<Contents> {
  const contents = new Map<SavedFile, Content>();
  const left = { picture, text, linked: 0 };
  for (const { files } of sections) {
    for (const file of [...files.values()].slice(0, FILES_LIMIT)) {
      const content = await loadContent(file, load, left);
      contents.set(file, content);
      left[content.kind] -= file.artifact.size;
    }
  }
  return contents;
}

async function loadContent(
  { name, artifact }: SavedFile,
  load: (artifact: Artifact) => Promise<Uint8Array>,
  left: { picture: number; text: number },
): Promise<Content> {
  const type = pictures[extname(name).toLowerCase()];
  if (!type && artifact.size > TEXT_LIMIT) return { kind: "linked", why: "too large to show here" };
  if (artifact.size > (type ? left.picture : left.text))
    return { kind: "linked", why: "left out to keep this page small" };
  let bytes: Uint8Array;
  try {
    bytes = await load(artifact);
  } catch {
    return { kind: "linked", why: "its bytes are gone: released, or missing from the store" };
  }
  if (!type) return bytesToText(bytes);
  return { kind: "picture", type, base64: Buffer.from(bytes).toString("base64"), ...sizeOfPng(bytes) };
}

/** Width by height of a PNG; nothing of another picture. */
function sizeOfPng(bytes: Uint8Array): { width?: number; height?: number } {
  if (bytes.length < 24 || Buffer.from(bytes.subarray(1, 4)).toString("latin1") !== "PNG") return {};
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function bytesToText(bytes: Uint8Array): Content {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // Control characters that no text has; those of a colored log do not count.
    if (!/(?!\s)\p{Cc}/u.test(text.replaceAll("\u001b", "")))
      return { kind: "text", text: text.replaceAll("\r\n", "\n") };
  } catch {
    // Not a text.
  }
  return { kind: "linked", why: "" };
}
