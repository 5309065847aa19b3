// What model critics are asked, and which codes each may give. A model's word on what can only be measured is not taken.

import type { CriticName } from "../gate/schema.ts";
import type { Code } from "../playbook/codes.ts";

export const questions: Readonly<Record<CriticName, { question: string; codes: readonly Code[] }>> = {
  category: {
    question: "Is it one, from every side, and by its shape alone?",
    codes: ["CAT_NO_<KIND>_DETECTED", "CAT_LOW_CONFIDENCE", "CAT_CLAY_DISAGREEMENT", "CAT_UNSTABLE_DETECTION"],
  },
  alignment: {
    question:
      "Is it what was asked for: its color, its type and style, and every feature that is named? A feature that is only hinted at counts half.",
    codes: ["ALIGN_LOW_SIMILARITY", "ALIGN_MARGIN_LOW", "ALIGN_ATTRIBUTE_MISMATCH"],
  },
  realism: {
    question:
      "Does it look like a real one, at the size of these pictures and as a good asset for a game does: materials, proportions, detail, nothing blank or magenta?",
    codes: ["REAL_LOW_AESTHETIC", "REAL_NOISY_RENDER", "REAL_MISSING_TEXTURE", "REAL_LOW_ENTROPY", "REAL_CLIPPING"],
  },
  geometry: {
    question:
      "Is its shape sound: nothing missing, nothing that floats, no holes, the same left and right where it should be?",
    codes: [
      "GEO_UPSIDE_DOWN",
      "GEO_ASYMMETRIC",
      "GEO_WHEEL_COUNT_LOW",
      "GEO_NON_MANIFOLD",
      "GEO_NORMALS_INCONSISTENT",
      "GEO_FLOATING",
      "GEO_SURFACE_NOISE",
    ],
  },
  material: {
    question: "Has each part a material that fits what it is made of?",
    codes: ["MAT_NONE", "MAT_MISSING_TEXTURES"],
  },
};
