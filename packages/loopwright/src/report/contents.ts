// Contents: what the page shows of the files, within its budget. The best, the first and the latest iterations come
// first; what does not fit is linked.

import type { Artifact } from "@loopwright/core";
import { isPictureName, isSvgName, type Picture, readPicture, readSvg } from "./pictures.ts";
import type { SavedFile, Section } from "./story.ts";

export type Content =
  | ({ kind: "picture"; base64: string } & Picture)
  | { kind: "text"; text: string }
  /** Only linked, and why; a file that is neither picture nor text needs no words. */
  | { kind: "linked"; why: string };

export const PICTURE_BUDGET = 16 * 1024 * 1024;
const TEXT_LIMIT = 64 * 1024;
const FILES_LIMIT = 60;

export type Contents = ReadonlyMap<SavedFile, Content>;

/** The contents of the files of some sections, loaded in the order in which they may use up the budget. */
export async function loadContents(
  sections: readonly Pick<Section, "files">[],
  load: (artifact: Artifact) => Promise<Uint8Array>,
  budget: number = PICTURE_BUDGET,
): Promise<Contents> {
  const contents = new Map<SavedFile, Content>();
  let left = budget;
  for (const { files } of sections) {
    for (const file of [...files.values()].slice(0, FILES_LIMIT)) {
      const content = await loadContent(file, load, left);
      contents.set(file, content);
      if (content.kind === "picture") left -= file.artifact.size;
    }
  }
  return contents;
}

async function loadContent(
  { name, artifact }: SavedFile,
  load: (artifact: Artifact) => Promise<Uint8Array>,
  left: number,
): Promise<Content> {
  const isPicture = isPictureName(name);
  if (isPicture && artifact.size > left) return linked("left out to keep this page small");
  if (!isPicture && artifact.size > TEXT_LIMIT) return linked("too large to show here");
  let bytes: Uint8Array;
  try {
    bytes = await load(artifact);
  } catch {
    return linked("its bytes are gone: released, or missing from the store");
  }
  if (!isPicture) return bytesToText(bytes);
  const picture = isSvgName(name) ? readSvg(bytes) : readPicture(bytes);
  if (!picture || bytes.byteLength > left) return linked("not a picture that can be shown here");
  return { kind: "picture", base64: Buffer.from(bytes).toString("base64"), ...picture };
}

function bytesToText(bytes: Uint8Array): Content {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!hasControls(text)) return { kind: "text", text: text.replaceAll("\r\n", "\n") };
  } catch {
    // Not a text.
  }
  return linked("");
}

/** Whether there are control characters that no text has; those of a colored log do not count. */
function hasControls(text: string): boolean {
  return /(?!\s)\p{Cc}/u.test(text.replaceAll("\u001b", ""));
}

function linked(why: string): Content {
  return { kind: "linked", why };
}
