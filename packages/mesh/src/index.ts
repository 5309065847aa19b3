// The mesh layer: triangles, their pictures and masks, and the files that they come in.

export { type GlbOptions, glbToMesh, meshToGlb } from "./glb/glb.ts";
export { type Bounds, boundsOf, checkMesh, type Mesh, type MeshCheck } from "./mesh.ts";
export { maskToPicture, pictureToMask, pictureToPng, pngToPicture } from "./png/png.ts";
export { type Mask, type Picture, silhouette } from "./rasterise.ts";
export { resizeMask } from "./resize.ts";
export { shade } from "./shade.ts";
export { compareMasks, contourDistance, type Extent, extentOf, overlap } from "./silhouettes.ts";
export { type Frame, type ViewName, viewNames } from "./views.ts";
