// What a file of a workspace holds, read in pieces.

import { LoopwrightError } from "@loopwright/core";
import { type OpenFile, type OpenFolder, reach, type Work } from "@loopwright/sandbox";
import { openFile } from "../folder/files.ts";
import type { Owner } from "../folder/walk.ts";
import { blobHash } from "./tree.ts";

const CHUNK = 2 ** 18;

/** The name that git gives to a file's bytes or to a link's target; undefined for anything else. */
export function* hashing(
  top: OpenFolder,
  path: string,
  owner: Owner,
): Work<{ blob: string; size: number } | undefined> {
  const found = openContent(top, path, owner);
  if (!found) return undefined;
  using content = found;
  const hash = blobHash(content.size);
  let left = content.size;
  for (const chunk of content.chunks()) {
    hash.update(chunk);
    left -= chunk.length;
    yield;
  }
  if (left !== 0) throw changing(path);
  return { blob: hash.digest("hex"), size: content.size };
}

/** Those bytes as fast-import reads them, and the same as before. */
export function* readingChunks(
  top: OpenFolder,
  path: string,
  owner: Owner,
  blob: string,
): Generator<Uint8Array | string> {
  const found = openContent(top, path, owner);
  if (!found) throw changing(path);
  using content = found;
  const hash = blobHash(content.size);
  yield `data ${content.size}\n`;
  for (const chunk of content.chunks()) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") !== blob) throw changing(path);
}

interface Content extends Disposable {
  size: number;
  /** Never more than the size. */
  chunks(): Iterable<Uint8Array>;
}

function openContent(top: OpenFolder, path: string, owner: Owner): Content | undefined {
  return reach(top, path, (folder, name): Content | undefined => {
    const link = folder.readLink(name);
    if (link) return { size: link.length, chunks: () => [link], [Symbol.dispose]: () => {} };
    const file = openFile(folder, name, owner);
    const size = file?.size ?? 0;
    return file && { size, chunks: () => chunksOf(file, size), [Symbol.dispose]: () => file[Symbol.dispose]() };
  });
}

function* chunksOf(file: OpenFile, size: number): Generator<Uint8Array> {
  for (let left = size; left > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(left, CHUNK));
    const read = file.read(chunk);
    if (read === 0) return;
    left -= read;
    yield chunk.subarray(0, read);
  }
}

function changing(path: string): LoopwrightError {
  return new LoopwrightError("WORKSPACE_CHANGING", `${path} changed while the workspace was being snapshotted`);
}
