// Tools that show the scene. Pictures for judging are made here, of the exported GLB; pictures for people by a clean Blender.

import { type Mesh, maskToPicture, onGround, pictureToPng, renderViews } from "@loopwright/mesh";
import { z } from "zod";
import { defineTool, image, text } from "../tool.ts";

const pose = z.object({
  azimuth: z
    .number()
    .min(-360)
    .max(360)
    .describe(
      "Degrees round the model: 0 looks from -Y (Blender's front), 90 from +X (right), 180 from +Y, 270 from -X",
    ),
  elevation: z.number().min(-90).max(90).describe("Degrees above the horizon: 90 looks straight down"),
  distance: z
    .number()
    .positive()
    .max(1e6)
    .optional()
    .describe("From the middle of the model, in meters; left out, far enough to see all of it"),
  lens: z.number().min(1).max(500).optional().describe("Focal length in millimeters (50 is usual); smaller sees more"),
});
export type Camera = z.output<typeof pose>;

export const views = {
  front: { azimuth: 0, elevation: 0 },
  right: { azimuth: 90, elevation: 0 },
  back: { azimuth: 180, elevation: 0 },
  left: { azimuth: 270, elevation: 0 },
  top: { azimuth: 0, elevation: 90 },
  bottom: { azimuth: 0, elevation: -90 },
  iso: { azimuth: 40, elevation: 30 },
} as const satisfies Record<string, Camera>;

type View = keyof typeof views;
const styles = ["shaded", "clay", "silhouette", "depth", "normals"] as const;
type Style = (typeof styles)[number];

/** From Blender's angles to those of a model that looks to +x. */
const FRONT = -90;

/** A PNG of the mesh from each camera, all at one scale. */
function pictures(mesh: Mesh, cameras: readonly Camera[], size: number, style: Style): Uint8Array[] {
  const from = cameras.map(({ azimuth, elevation, distance, lens }) => ({
    azimuth: azimuth + FRONT,
    elevation,
    ...(distance === undefined ? {} : { distance }),
    ...(lens === undefined ? {} : { lens }),
  }));
  const seen = renderViews(mesh, from, { size, isOneScale: cameras.length > 1 });
  return seen.map((view) =>
    pictureToPng(onGround(style === "silhouette" ? maskToPicture(view.silhouette()) : view[style]())),
  );
}

const style = z
  .enum(styles)
  .default("shaded")
  .describe("shaded has colors of materials, clay only form, silhouette the outline, depth and normals the surface");

const setCameraPose = defineTool({
  name: "set_camera_pose",
  title: "Place the camera",
  description:
    "Places the camera that get_viewport_screenshot looks through. It looks at the middle of the model. The scene is not changed.",
  schema: pose,
  changes: false,
  async run(session, given) {
    session.camera = given;
    return [
      text(
        `The camera looks from azimuth ${given.azimuth}°, elevation ${given.elevation}°. get_viewport_screenshot shows it.`,
      ),
    ];
  },
});

const getViewportScreenshot = defineTool({
  name: "get_viewport_screenshot",
  title: "Look through the camera",
  description:
    "One picture of the scene from the camera of set_camera_pose (at first from the front right, above). renderer 'fast' takes " +
    "milliseconds, lit simply; 'workbench' and 'cycles' (light and shadow) are Blender's own, take seconds, " +
    "and are for people. Objects that are hidden in renders are not shown.",
  schema: z.object({
    size: z.number().int().min(64).max(1024).default(512).describe("Pixels a side"),
    style,
    renderer: z.enum(["fast", "workbench", "cycles"]).default("fast"),
    samples: z.number().int().min(1).max(256).default(16).describe("For cycles: more is smoother and slower"),
  }),
  changes: false,
  async run(session, { size, style, renderer, samples }) {
    const [blender, { camera }] = [await session.blender(), session];
    if (renderer === "fast") {
      const { mesh } = await blender.exported();
      if (mesh.triangles.length === 0) return [text(EMPTY)];
      return [...pictures(mesh, [camera], size, style).map(image)];
    }
    const { azimuth, elevation, distance, lens } = camera;
    const options = { ...(distance && { distance }), ...(lens && { lens }), samples };
    return [image(await blender.picture({ engine: renderer, size, azimuth: azimuth - 90, elevation, ...options }))];
  },
});

const EMPTY =
  "There is nothing to see: the scene has no mesh. Make one with execute_code, and look that it is not hidden in renders (hide_render).";

const getDiagnosticRenders = defineTool({
  name: "get_diagnostic_renders",
  title: "Look from several sides",
  description:
    "Several pictures of the scene at one scale, for judging its shape: by default front (from -Y), right (from +X), top, and iso (front " +
    "right, above). Made from the exported model, so they show what is really in it.",
  schema: z.object({
    views: z
      .array(z.enum(Object.keys(views) as [View, ...View[]]))
      .min(1)
      .max(7)
      .default(["front", "right", "top", "iso"]),
    size: z.number().int().min(64).max(768).default(384).describe("Pixels a side of each picture"),
    style,
  }),
  changes: false,
  async run(session, { views: names, size, style }) {
    const { mesh } = await (await session.blender()).exported();
    if (mesh.triangles.length === 0) return [text(EMPTY)];
    const cameras = names.map((name) => views[name]);
    return pictures(mesh, cameras, size, style).flatMap((png, at) => [text(`${names[at]}:`), image(png)]);
  },
});

export const viewTools = [setCameraPose, getViewportScreenshot, getDiagnosticRenders];
