// The material check: whether there are any, and whether their textures are in the file and can be placed.

import type { Finding } from "@loopwright/core";
import { found } from "../playbook.ts";
import type { MeasuredCritic } from "./critic.ts";
import { counted, scoreOf } from "./critic.ts";

export const material: MeasuredCritic = {
  name: "material",
  look: ({ report, model }) => {
    const { materials, missingTextures, objectsWithoutUvs } = report;
    const findings: Finding[] = [];
    if (materials === 0) findings.push(found("MAT_NONE", "nothing has a material"));
    if (missingTextures > 0) {
      const why = model.materials.flatMap(({ texture }) => texture?.missing ?? []).join("; ");
      findings.push(found("MAT_MISSING_TEXTURES", `${counted(missingTextures, "texture", "is|are")} missing: ${why}`));
    }
    if (objectsWithoutUvs > 0)
      findings.push(
        found("MAT_NO_UVS", `${counted(objectsWithoutUvs, "object", "has|have")} a texture and no places in it`),
      );
    const sound = `${counted(materials, "material")}, every texture in the file`;
    return {
      score: scoreOf(findings),
      findings,
      reason: findings.map(({ message }) => message).join("; ") || sound,
    };
  },
};
