// A request as a cassette keeps it: plain JSON that says all that decides the answer, and nothing of where it was sent.
// Its key is the SHA-256 of that, with the ordinal.

import { digestOf, type Json, type ModelTool, plainJson } from "@loopwright/core";
import { namePicture, type PictureName } from "../wire/pixels.ts";
import type { WireRequest } from "../wire/wire.ts";

/** What a recorded answer is an answer to. */
export interface KeptRequest {
  ordinal: string;
  model: string;
  system?: string;
  prompt: string;
  images?: readonly ({ mediaType: string } & PictureName)[];
  schema?: Json;
  tools?: readonly ModelTool[];
  temperature?: number;
  topP?: number;
  maxTokens: number;
}

/** The request as it is kept: pictures by what they show, and no endpoint, so that it replays without one. */
export function keepRequest(request: WireRequest, ordinal: string): KeptRequest {
  const { model, system, prompt, images, schema, tools, temperature, topP, maxTokens } = request;
  return {
    ordinal,
    model,
    ...(system !== undefined && { system }),
    prompt,
    ...(images.length > 0 && {
      images: images.map(({ bytes, mediaType }) => ({ mediaType, ...namePicture(bytes) })),
    }),
    ...(schema !== undefined && { schema }),
    ...(tools && { tools }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    maxTokens,
  };
}

/** The key of a request: whatever may change the answer changes it. */
export function keyOf(request: KeptRequest): string {
  return digestOf(plainJson(request, "a recorded request"));
}
