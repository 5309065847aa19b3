// The mesh layer: triangles, their pictures and masks, and the files that they come in.

export { type CheckName, type CheckOptions, checkMesh, checkNames, type MeshReport } from "./checks/check.ts";
export { enclosedVolume } from "./checks/enclosed.ts";
export type { MeshCheck, MeshFigures } from "./checks/figures.ts";
export type { Limits, Range } from "./checks/finding.ts";
export { type Overlaps, overlapsOf } from "./checks/overlaps.ts";
export { measureUnwrap, type UnwrapFigures } from "./checks/uvs.ts";
export { cutOut } from "./cut-out.ts";
export { glbToModel, type Model, type ModelOptions } from "./glb/model.ts";
export { type GlbOptions, glbToMesh, meshToGlb } from "./glb/write.ts";
export {
  type Bounds,
  boundsOf,
  type Material,
  type Mesh,
  type Part,
  type Texture,
} from "./mesh.ts";
export { hasAlpha, type Mask, maskToPicture, onGround, type Picture, pictureToMask, resizeMask } from "./picture.ts";
export { pictureToPng, pngToPicture } from "./png.ts";
export {
  compareMasks,
  contourDistance,
  contourOf,
  type Extent,
  extentOf,
  overlap,
  piecesOf,
  type Stray,
  strayRegions,
} from "./silhouettes.ts";
export { type Camera, cameras, renderViews, turntable, type ViewOptions } from "./views/camera.ts";
export { type Angles, type Frame, type ViewName, viewNames } from "./views/projection.ts";
export { shade, silhouette } from "./views/silhouette.ts";
export type { View } from "./views/view.ts";
