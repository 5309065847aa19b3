// The pictures of a request: their bytes, and what kind of picture each is.

import { type Artifact, type ModelCall, UsageError } from "@loopwright/core";
import type { WireRequest } from "./wire.ts";

/** What the files of each kind begin with, in hex; a dot stands for anything. */
const beginnings: Readonly<Record<string, RegExp>> = {
  "image/png": /^89504e470d0a1a0a/,
  "image/jpeg": /^ffd8ff/,
  "image/gif": /^474946383[79]61/,
  "image/webp": /^52494646.{8}57454250/,
};

/** Loads the pictures of a request. A file that is none is refused here, in words that name it. */
export function loadImages(images: readonly Artifact[], load: ModelCall["load"]): Promise<WireRequest["images"]> {
  return Promise.all(
    images.map(async (artifact) => {
      const bytes = await load(artifact);
      return { bytes, mediaType: mediaTypeOf(bytes, artifact.path), digest: artifact.digest };
    }),
  );
}

function mediaTypeOf(bytes: Uint8Array, path: string): string {
  const beginning = Buffer.from(bytes.subarray(0, 12)).toString("hex");
  const known = Object.entries(beginnings).find(([, pattern]) => pattern.test(beginning));
  if (known) return known[0];
  throw new UsageError("IMAGE_UNKNOWN", `'${path}' is no picture that models read: use PNG, JPEG, GIF or WebP`);
}
