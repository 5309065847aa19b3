// A gate for cars that asks for what is measured without pictures by Blender, and assets that are spoiled.

import { type Model, meshToGlb } from "@loopwright/mesh";
import { car } from "./car.ts";
import { mutations, removeParts } from "./mutations.ts";

/** What a test's gate is made of. */
export const shapeGate = {
  gate_config_id: "shape",
  kind: "car",
  pass: 0.75,
  critics: {
    category: { weight: 0.4, floor: 0.7 },
    geometry: { weight: 0.4, floor: 0.6 },
    alignment: { weight: 0.2, floor: 0.5 },
  } as Record<string, object>,
  geometry: {
    ...{ length: [3, 6], width: [1.4, 2.5], height: [1, 2.5], triangles: [5000, 500_000], trivial: 1000 },
    ...{ symmetry: 0.7, non_manifold: 0.05, normals: 0.95, wheels: 4 },
  },
  words: { a: "nothing", an: "nothing", red: "red", blue: "blue", sedan: "sedan", suv: "suv" } as Record<
    string,
    string
  >,
  iteration: {
    template_fallback: { templates: { car: "car_sedan_template_v001", suv: "car_suv_template_v001" } },
  } as { max_iterations?: number; escalation?: object; template_fallback: object },
};
export type ShapeGate = typeof shapeGate;

/** An asset, spoiled in some ways. */
export async function spoiled(ways: readonly string[], of: Model = car() as Model): Promise<Uint8Array> {
  let model = of;
  for (const way of ways)
    model =
      way === "no wheels"
        ? removeParts(model, /front|rear/)
        : await mutations.find(({ name }) => name === way)!.make(model, "car");
  return meshToGlb(model);
}
