// The playbook (playbook.yaml): every code that a verdict can name, what it means, how urgent it is, and what to do, step by step,
// with the asset's own figures.

import { readFileSync } from "node:fs";
import type { Finding } from "@loopwright/core";
import { openYaml } from "@loopwright/models/yaml";
import { z } from "zod";
import { playbookFile } from "./folders.ts";

/** `<KIND>` stands for the gate's kind, and `<CRITIC>` for a critic's name. */
export const codes = [
  "BUILD_NO_ASSET",
  "BUILD_FAILED",
  "IMPORT_FILE_NOT_FOUND",
  "IMPORT_INVALID_GLTF",
  "IMPORT_TOO_LARGE",
  "BLENDER_CRASH",
  "RENDER_TIMEOUT",
  "RENDER_OOM",
  "MESH_INVALID",
  "CAT_NO_<KIND>_DETECTED",
  "CAT_LOW_CONFIDENCE",
  "CAT_CLAY_DISAGREEMENT",
  "CAT_UNSTABLE_DETECTION",
  "ALIGN_LOW_SIMILARITY",
  "ALIGN_MARGIN_LOW",
  "ALIGN_ATTRIBUTE_MISMATCH",
  "REAL_LOW_AESTHETIC",
  "REAL_NOISY_RENDER",
  "REAL_MISSING_TEXTURE",
  "REAL_LOW_ENTROPY",
  "REAL_CLIPPING",
  "GEO_SCALE_IMPLAUSIBLE",
  "GEO_UPSIDE_DOWN",
  "GEO_TRI_COUNT_TRIVIAL",
  "GEO_TRI_COUNT_LOW",
  "GEO_TRI_COUNT_HIGH",
  "GEO_ASYMMETRIC",
  "GEO_WHEEL_COUNT_LOW",
  "GEO_NON_MANIFOLD",
  "GEO_NORMALS_INCONSISTENT",
  "GEO_DIMENSIONS_OUT_OF_RANGE",
  "GEO_FLOATING",
  "GEO_SURFACE_NOISE",
  "MAT_MISSING_TEXTURES",
  "MAT_NONE",
  "MAT_NO_UVS",
  "<CRITIC>_NOT_RUN",
  "<CRITIC>_BELOW_FLOOR",
  "OVERALL_SCORE_LOW",
] as const;
export type Code = (typeof codes)[number];

/** The playbook's name for a code: what stands for a kind or a critic is a blank there. */
export function entryOf(code: string): Code | undefined {
  const blank = code
    .replace(/^CAT_NO_[A-Z0-9_]+_DETECTED$/, "CAT_NO_<KIND>_DETECTED")
    .replace(/^[A-Z0-9_]+_(NOT_RUN|BELOW_FLOOR)$/, "<CRITIC>_$1");
  return codes.find((known) => known === blank);
}

const Entry = z.strictObject({
  severity: z.enum(["hard", "soft"]),
  /** 1 first: nothing else counts while it stands; 2 structure, 3 quality, 4 polish. */
  priority: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  means: z.string().min(1),
  steps: z.array(z.string().min(1)).min(1),
});
export type Entry = z.output<typeof Entry>;

/** What instructions are filled with: numbers and words of the asset and its gate, by name. */
export type Figures = Readonly<Record<string, number | string>>;

let read: Readonly<Record<Code, Entry>> | undefined;

/** All entries, by code. */
export function playbook(): Readonly<Record<Code, Entry>> {
  if (read) return read;
  const { value, fit } = openYaml(readFileSync(playbookFile, "utf8"), { file: playbookFile, code: "YAML_INVALID" });
  read = fit(z.strictObject(Object.fromEntries(codes.map((code) => [code, Entry]))), value) as Record<Code, Entry>;
  return read;
}

/** What to do about a finding: its own figures first, then what it means and the steps. */
export function instructionsFor({ code, message, fix }: Finding, figures: Figures): string {
  const name = entryOf(code);
  const own = fix === undefined ? message : `${message}; ${fix}`;
  if (!name) return `${own}.`;
  const { means, steps } = playbook()[name];
  const lines = steps.map((step, at) => `${at + 1}. ${fillFigures(step, figures)}`);
  return [`${own}.`, fillFigures(means, figures), ...lines].join("\n");
}

/** A text with each {name} replaced by its figure; one that was not measured is said to be unknown. */
export function fillFigures(text: string, figures: Figures): string {
  return text.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(figures, name) ? figures[name]! : "(unknown)";
    return typeof value === "number" ? String(Number(value.toPrecision(3))) : value;
  });
}

/** A finding by its code: how grave and how urgent it is stands in the playbook. */
export function found(code: Code, message: string, { fix, kind }: { fix?: string; kind?: string } = {}): Finding {
  const { severity, priority } = playbook()[code];
  const name = code.replace("<KIND>", (kind ?? "").toUpperCase());
  return { code: name, severity, priority, message, ...(fix !== undefined && { fix }) };
}
