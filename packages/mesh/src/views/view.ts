// One look at a mesh, and the pictures that can be made of it. Same mesh, same camera, same bytes.

import type { Material, Mesh } from "../mesh.ts";
import type { Mask, Picture } from "../picture.ts";
import { type Drawing, draw, eachRow } from "./draw.ts";
import { type Axes, clipAtEye, type Projection } from "./projection.ts";

/** What is seen of a mesh. Each picture is made when it is asked for. */
export class View {
  readonly width: number;
  readonly height: number;
  readonly #mesh: Mesh;
  readonly #drawing: Drawing;
  readonly #normals: Float32Array;
  /** Of each triangle that was drawn, the triangle of the mesh that it is a piece of; left out where they are the same. */
  readonly #origins: Uint32Array | undefined;
  #gray: Uint8Array | undefined;

  constructor(mesh: Mesh, cornerNormals: Float32Array, projection: Projection) {
    const { shown, normals, origins } = clipAtEye(mesh, cornerNormals, projection);
    this.width = projection.width;
    this.height = projection.height;
    this.#mesh = mesh;
    this.#drawing = draw(shown, projection);
    this.#normals = normals;
    this.#origins = origins;
  }

  /** Where the object is. */
  silhouette(): Mask {
    const { width, height } = this;
    return { width, height, data: Uint8Array.from(this.#drawing.faces, (face) => (face ? 1 : 0)) };
  }

  /** Lit, without materials: gray and alpha. */
  clay(): Picture {
    return this.#cutOut(this.#lit());
  }

  /** Lit, each part in the color of its material: RGBA. */
  shaded(): Picture {
    const gray = this.#lit();
    const { faces, drawn } = this.#drawing;
    const { width, height } = this;
    const colors = colorsOf(this.#mesh, this.#origins);
    const data = new Uint8Array(faces.length * 4);
    for (let row = 0; row < height; row += 1) {
      const end = row * width + drawn.to[row]!;
      for (let pixel = row * width + drawn.from[row]!; pixel < end; pixel += 1) {
        const face = faces[pixel]! * 3;
        if (face === 0) continue;
        const bright = gray[pixel]! / BRIGHT;
        data[pixel * 4] = Math.min(255, colors[face]! * bright);
        data[pixel * 4 + 1] = Math.min(255, colors[face + 1]! * bright);
        data[pixel * 4 + 2] = Math.min(255, colors[face + 2]! * bright);
        data[pixel * 4 + 3] = 255;
      }
    }
    return { width, height, channels: 4, data };
  }

  /** Which way surfaces face, in the world: RGBA, 0 to 255 for -1 to 1 of x, y and z. Backs are turned to the viewer. */
  normals(): Picture {
    const { faces } = this.#drawing;
    const { width, height } = this;
    const data = new Uint8Array(faces.length * 4);
    eachRow(this.#drawing, this.#normals, (row, across) => {
      for (let column = 0; column < width; column += 1) {
        const pixel = row * width + column;
        if (faces[pixel] === 0) continue;
        const [x, y, z] = [across[column * 3]!, across[column * 3 + 1]!, across[column * 3 + 2]!];
        const half = 127.5 / (Math.sqrt(x * x + y * y + z * z) || 1);
        data[pixel * 4] = Math.round(127.5 + half * x);
        data[pixel * 4 + 1] = Math.round(127.5 + half * y);
        data[pixel * 4 + 2] = Math.round(127.5 + half * z);
        data[pixel * 4 + 3] = 255;
      }
    });
    return { width, height, channels: 4, data };
  }

  /** How far off surfaces are: gray and alpha, the nearest white and the farthest dark. */
  depth(): Picture {
    const { depths, faces } = this.#drawing;
    let [near, far] = [-Infinity, Infinity];
    for (let pixel = 0; pixel < faces.length; pixel += 1) {
      if (faces[pixel] === 0) continue;
      near = Math.max(near, depths[pixel]!);
      far = Math.min(far, depths[pixel]!);
    }
    const step = near > far ? (255 - DARK) / (near - far) : 0;
    return this.#cutOut(Uint8Array.from(depths, (depth) => Math.round(255 - (near - depth) * step)));
  }

  /**
   * How far each pixel's surface is from the plane through the eye; Infinity where there is none. In a parallel view, from
   * the plane through what the camera looks at: less than 0 is nearer.
   */
  meters(): Float32Array {
    const { depths, projection } = this.#drawing;
    const eye = projection.distance ?? 0;
    return depths.map((depth) => eye - depth / projection.scale);
  }

  #lit(): Uint8Array {
    this.#gray ??= lightPixels(this.#drawing, this.#normals);
    return this.#gray;
  }

  /** Grays where the object is, and elsewhere nothing. */
  #cutOut(gray: Uint8Array): Picture {
    const { faces, drawn } = this.#drawing;
    const { width, height } = this;
    const data = new Uint8Array(faces.length * 2);
    for (let row = 0; row < height; row += 1) {
      const end = row * width + drawn.to[row]!;
      for (let pixel = row * width + drawn.from[row]!; pixel < end; pixel += 1) {
        if (faces[pixel] === 0) continue;
        data[pixel * 2] = gray[pixel]!;
        data[pixel * 2 + 1] = 255;
      }
    }
    return { width, height, channels: 2, data };
  }
}

type Color = readonly [number, number, number];

/** The color of what has no material. */
const PLAIN: Color = [205, 213, 220];
/** The gray of a lit surface that shows its color as it is. */
const BRIGHT = 215;
/** The gray of what is farthest off in a picture of depths. */
const DARK = 40;

/** Red, green and blue of each triangle that was drawn, counted from 1, by its material. */
function colorsOf({ triangles, parts = [], materials = [] }: Mesh, origins: Uint32Array | undefined): Float32Array {
  const faces = Math.floor(triangles.length / 3);
  const palette = Float32Array.from([PLAIN, ...materials.map(colorOf)].flat());
  const owners = new Uint32Array(faces);
  for (const { material, first, count } of parts)
    if (material !== undefined && material < materials.length) owners.fill(material + 1, first, first + count);
  const drawn = origins?.length ?? faces;
  const colors = new Float32Array(3 + drawn * 3);
  for (let face = 0; face < drawn; face += 1) {
    const from = owners[origins ? origins[face]! : face]! * 3;
    colors[face * 3 + 3] = palette[from]!;
    colors[face * 3 + 4] = palette[from + 1]!;
    colors[face * 3 + 5] = palette[from + 2]!;
  }
  return colors;
}

/** A material's color as screens have it. */
function colorOf({ color }: Material): Color {
  return color.slice(0, 3).map((linear) => {
    const value = Math.max(0, Math.min(1, linear));
    return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);
  }) as unknown as Color;
}

/** The gray of each pixel, darker where the surface ends, steps back or folds; 0 where there is nothing. */
function lightPixels(drawing: Drawing, cornerNormals: Float32Array): Uint8Array {
  const normals = turnNormals(cornerNormals, drawing.projection.axes);
  const gray = new Uint8Array(drawing.faces.length);
  eachRow(drawing, normals, (row, across) => lightRow(drawing, row, across, gray));
  darkenEdges(drawing, gray);
  return gray;
}

function lightRow({ faces, drawn, projection }: Drawing, row: number, normals: Float64Array, gray: Uint8Array): void {
  const end = drawn.to[row]!;
  for (let column = drawn.from[row]!; column < end; column += 1) {
    const pixel = row * projection.width + column;
    if (faces[pixel] === 0) continue;
    gray[pixel] = light(normals[column * 3]!, normals[column * 3 + 1]!, normals[column * 3 + 2]!);
  }
}

/** Normals as a view has them: right, up, toward. */
function turnNormals(normals: Float32Array, { right, up, toward }: Axes): Float32Array {
  const turned = new Float32Array(normals.length);
  for (let at = 0; at < normals.length; at += 3) {
    const x = normals[at]!;
    const y = normals[at + 1]!;
    const z = normals[at + 2]!;
    turned[at] = right[0] * x + right[1] * y + right[2] * z;
    turned[at + 1] = up[0] * x + up[1] * y + up[2] * z;
    turned[at + 2] = toward[0] * x + toward[1] * y + toward[2] * z;
  }
  return turned;
}

// Directions to the lights, as right, up, toward: unit vectors with whole sides (2-3-6-7 and 1-2-2-3).
const KEY = [-2 / 7, 6 / 7, 3 / 7] as const;
const FILL = [2 / 3, -1 / 3, 2 / 3] as const;

/** The gray of a surface whose normal points this way; the normal need not be of unit length. */
function light(right: number, up: number, toward: number): number {
  const length = Math.sqrt(right * right + up * up + toward * toward);
  if (!(length > 0)) return 0;
  const x = right / length;
  const y = up / length;
  const z = toward / length;
  // Both lights reach round the surface and fade out smoothly, so that no line marks where they end.
  const key = Math.max(0, (x * KEY[0] + y * KEY[1] + z * KEY[2] + 0.6) / 1.6);
  const fill = Math.max(0, (x * FILL[0] + y * FILL[1] + z * FILL[2] + 0.6) / 1.6);
  const grazing = 1 - Math.max(0, z);
  const rim = grazing * grazing * grazing;
  return 255 * Math.min(1, 0.2 + 0.7 * key * key + 0.34 * fill * fill + 0.08 * rim);
}

/** How much of the gray is left in an edge. */
const OUTLINE = 0.35;

function darkenEdges({ depths, drawn, projection }: Drawing, gray: Uint8Array): void {
  const { width, height } = projection;
  for (let row = 0; row < height; row += 1) {
    const end = drawn.to[row]!;
    for (let column = drawn.from[row]!; column < end; column += 1) {
      const pixel = row * width + column;
      const depth = depths[pixel]!;
      if (depth === -Infinity) continue;
      const left = column > 0 ? depths[pixel - 1]! : -Infinity;
      const right = column + 1 < width ? depths[pixel + 1]! : -Infinity;
      const above = row > 0 ? depths[pixel - width]! : -Infinity;
      const below = row + 1 < height ? depths[pixel + width]! : -Infinity;
      const edge = Math.max(edgeBetween(depth, left, right), edgeBetween(depth, above, below));
      gray[pixel] = gray[pixel]! * (1 - (1 - OUTLINE) * edge);
    }
  }
}

/** How much of an edge there is, 0 to 1, in a pixel that stands out from its neighbors on both sides. */
function edgeBetween(depth: number, before: number, after: number): number {
  const bend = depth * 2 - before - after;
  if (bend === Infinity) return 1;
  // The facets of a round surface bend too: the more, the more it falls away from the viewer.
  const allowed = 0.5 + 0.4 * Math.abs(before - after);
  return bend > allowed ? Math.min(1, (bend - allowed) / 3) : 0;
}
