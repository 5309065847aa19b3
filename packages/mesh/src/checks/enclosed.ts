// The space that a surface holds, open or closed: what cannot be seen from five of the six sides. Of a boat without a deck that is all
// below its rim, of a closed body all of it, and of flat pictures that cross each other nothing.

import { boundsOf, type Mesh } from "../mesh.ts";
import { draw } from "../views/draw.ts";
import { axesToward, frameToProjection } from "../views/projection.ts";

/** Places along each side of the box that is looked into. */
const FINE = 48;
/** So many sides must hide a place. */
const SIDES = 5;

const sides = [
  ...[0, 90, 180, 270].map((azimuth) => ({ azimuth, elevation: 0 })),
  ...[-90, 90].map((elevation) => ({ azimuth: 0, elevation })),
];

/** Cubic meters that a mesh holds, to about a fiftieth of its longest side. */
export function enclosedVolume(mesh: Mesh): number {
  const { min, max } = boundsOf(mesh);
  const meters = 1.04 * Math.max(...max.map((value, axis) => value - min[axis]!));
  if (!(meters > 0)) return 0;
  const center = [0, 1, 2].map((axis) => (min[axis]! + max[axis]!) / 2) as [number, number, number];
  const views = sides.map((side) => ({
    ...axesToward(side),
    depths: draw(mesh, frameToProjection(side, { center, meters }, FINE)).depths,
  }));
  const middle = (FINE - 1) / 2;
  let held = 0;
  for (let place = 0; place < FINE ** 3; place += 1) {
    const [x, y, z] = [place % FINE, Math.floor(place / FINE) % FINE, Math.floor(place / FINE ** 2)].map(
      (at) => at - middle,
    ) as [number, number, number];
    const along = ([ax, ay, az]: readonly [number, number, number]) =>
      Math.round(ax) * x + Math.round(ay) * y + Math.round(az) * z;
    let hidden = 0;
    for (const { right, up, toward, depths } of views)
      if (depths[(middle - along(up)) * FINE + middle + along(right)]! > along(toward)) hidden += 1;
    if (hidden >= SIDES) held += 1;
  }
  return held * (meters / FINE) ** 3;
}
