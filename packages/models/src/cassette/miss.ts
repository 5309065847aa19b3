// What to say when a cassette has no answer to a request: the nearest request that it has one to, as a line diff.

import { InfrastructureError } from "@loopwright/core";
import type { Entries } from "./file.ts";
import type { KeptRequest } from "./request.ts";

const MAX_LINES = 40;
const MAX_LENGTH = 160;

/** The error for a request that is not recorded; the request must hold no secret. */
export async function cassetteMiss(
  file: string,
  entries: Entries | undefined,
  request: KeptRequest,
): Promise<InfrastructureError> {
  const remedy = "Record it with --cassette-mode record or auto, then resume the run.";
  const asked = `${request.model}, ordinal ${request.ordinal}`;
  const error = (words: string) =>
    new InfrastructureError("CASSETTE_MISS", words, { data: { ordinal: request.ordinal } });
  if (entries === undefined) return error(`there is no cassette ${file} to replay (${asked}). ${remedy}`);
  const nearest = findNearest(
    [...entries.values()].map((entry) => entry.request),
    request,
  );
  if (nearest === undefined) return error(`the cassette ${file} is empty (${asked}). ${remedy}`);
  const difference = await diffLines(toLines(nearest), toLines(request));
  return error(
    `the cassette ${file} has no answer to this request (${asked}). ${remedy} The nearest request in it differs so (- recorded, + asked):\n${difference}`,
  );
}

/** The recorded request that has the most lines in common; of those, one with the same ordinal. */
function findNearest(recorded: readonly KeptRequest[], request: KeptRequest): KeptRequest | undefined {
  const wanted = new Set(toLines(request));
  let best: { score: number; request: KeptRequest } | undefined;
  for (const candidate of recorded) {
    const lines = new Set(toLines(candidate));
    const common = [...lines].filter((line) => wanted.has(line)).length;
    const likeness = common / (wanted.size + lines.size - common);
    const score = likeness + (candidate.ordinal === request.ordinal ? 0.2 : 0);
    if (best === undefined || score > best.score) best = { score, request: candidate };
  }
  return best?.request;
}

/** A request as lines that a person can read. */
function toLines({ system, prompt, images = [], schema, tools = [], ...rest }: KeptRequest): string[] {
  const named = Object.entries(rest).map(([name, value]) => `${name}: ${value}`);
  const pictures = images.map((image) => `image: ${Object.values(image).join(" ")}`);
  const structure = schema === undefined ? [] : ["schema:", ...JSON.stringify(schema, null, 1).split("\n")];
  const offered = tools.map(({ name }) => `tool: ${name}`);
  const spoken = system === undefined ? [] : ["system:", ...system.split("\n")];
  return [...named, ...pictures, ...structure, ...offered, ...spoken, "prompt:", ...prompt.split("\n")];
}

async function diffLines(before: readonly string[], after: readonly string[]): Promise<string> {
  const { structuredPatch } = await import("diff");
  const whole = (lines: readonly string[]) => `${lines.join("\n")}\n`;
  const options = { context: 2, timeout: 1_000 };
  const patch = structuredPatch("", "", whole(before), whole(after), undefined, undefined, options);
  if (patch === undefined) return "(the two are too different to compare)";
  const lines = patch.hunks.flatMap((hunk, index) => (index > 0 ? ["…", ...hunk.lines] : hunk.lines));
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line));
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [`… ${left} more lines`] : [])].join("\n");
}
