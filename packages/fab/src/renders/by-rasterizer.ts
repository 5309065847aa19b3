// Pictures by our own rasterizer: the same everywhere, and all that a model is shown.

import { type Model, onGround, pictureToPng, renderViews } from "@loopwright/mesh";
import { type Placed, viewsFrom } from "./views.ts";

export const rasterStyles = ["shaded", "clay"] as const;

export interface RasterView {
  view: string;
  style: (typeof rasterStyles)[number];
  png: Uint8Array;
}

const SIZE = { width: 768, height: 512 };

/** Each canonical view, shaded in its materials' colors and in clay, on a light ground. */
export function rasterViews(model: Model, asset: Placed): RasterView[] {
  const views = viewsFrom(asset, 1).filter(({ name }) => !name.startsWith("turntable"));
  const seen = renderViews(model, views, { size: SIZE });
  return views.flatMap(({ name: view }, at) =>
    rasterStyles.map((style) => ({ view, style, png: pictureToPng(onGround(seen[at]![style]())) })),
  );
}
