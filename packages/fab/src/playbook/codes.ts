// Every code that a verdict can name. What each means and what to do about it is in playbook.yaml.

/** `<KIND>` stands for the gate's kind, and `<CRITIC>` for a critic's name. */
export const codes = [
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
