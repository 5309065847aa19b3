// The mesh layer: triangles, their pictures and masks, and the files that they come in.

export { type CheckName, type CheckOptions, checkMesh, checkNames, type MeshReport } from "./checks/check.ts";
export type { MeshCheck, MeshFigures } from "./checks/figures.ts";
export type { Limits, Range } from "./checks/limits.ts";
export { type Overlaps, overlapsOf } from "./checks/overlaps.ts";
export { measureUnwrap, type UnwrapFigures } from "./checks/unwrap.ts";
export { type GlbOptions, glbToMesh, meshToGlb } from "./glb/glb.ts";
export { glbToModel, type Model, type ModelOptions } from "./glb/model.ts";
export {
  type Bounds,
  boundsOf,
  type Material,
  type Mesh,
  type Part,
  type Texture,
} from "./mesh.ts";
export { hasAlpha, type Mask, maskToPicture, onGround, type Picture, pictureToMask } from "./picture.ts";
export { cutOut } from "./png/cut-out.ts";
export { pictureToPng, pngToPicture } from "./png/png.ts";
export { resizeMask } from "./resize.ts";
export { compareMasks, contourDistance, type Extent, extentOf, overlap } from "./silhouettes.ts";
export { piecesOf, type Stray, strayRegions } from "./stray.ts";
export { type Camera, cameras, renderViews, turntable, type ViewOptions } from "./views/camera.ts";
export { type Angles, type Frame, type ViewName, viewNames } from "./views/projection.ts";
export { shade } from "./views/shade.ts";
export { silhouette } from "./views/silhouette.ts";
export type { View } from "./views/view.ts";
