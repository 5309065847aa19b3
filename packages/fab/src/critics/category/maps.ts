// What an asset looks like from straight below and straight above, as heights over a grid: enough to find wheels, seats and
// bodies without knowing how its surface was made. A turned or flipped asset is the same maps, turned or flipped.

import { boundsOf, type Mesh } from "@loopwright/mesh";

/** Heights over the ground plan: columns along x, rows along y. */
export interface Maps {
  readonly columns: number;
  readonly rows: number;
  /** Meters of a cell's side. */
  readonly cell: number;
  /** Meters from the lowest place to the highest. */
  readonly height: number;
  /** Of each cell, row after row, the lowest and the highest place of the surface over the lowest of all; Infinity and -Infinity where there is none. */
  readonly low: Float32Array;
  readonly high: Float32Array;
}

const CELLS = 240;

/** The maps of a mesh; undefined for one without an extent along the ground. */
export function mapsOf(mesh: Mesh): Maps | undefined {
  const { min, max } = boundsOf(mesh);
  const [length, width, height] = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
  const cell = Math.max(length, width) / CELLS;
  if (!(cell > 0 && height > 0)) return undefined;
  const columns = Math.max(1, Math.ceil(length / cell));
  const rows = Math.max(1, Math.ceil(width / cell));
  const low = new Float32Array(columns * rows).fill(Infinity);
  const high = new Float32Array(columns * rows).fill(-Infinity);
  const maps = { columns, rows, cell, height, low, high };
  const { positions, triangles } = mesh;
  // Corners in cells from the grid's own corner, and meters from the ground.
  const corner = new Float64Array(9);
  for (let at = 0; at + 2 < triangles.length; at += 3) {
    for (let each = 0; each < 3; each += 1) {
      const from = triangles[at + each]! * 3;
      corner[each * 3] = (positions[from]! - min[0]) / cell;
      corner[each * 3 + 1] = (positions[from + 1]! - min[1]) / cell;
      corner[each * 3 + 2] = positions[from + 2]! - min[2];
    }
    if (corner.every(Number.isFinite)) drawTriangle(maps, corner);
  }
  return maps;
}

/** Draws a triangle over the middles of cells, and its corners wherever they are: an upright wall has nothing else. */
function drawTriangle(maps: Maps, corner: Float64Array): void {
  const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0, cx = 0, cy = 0, cz = 0] = corner;
  put(maps, ax, ay, az);
  put(maps, bx, by, bz);
  put(maps, cx, cy, cz);
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  if (Math.abs(area) < 1e-12) return;
  const lastRow = Math.min(maps.rows - 1, Math.ceil(Math.max(ay, by, cy)));
  const lastColumn = Math.min(maps.columns - 1, Math.ceil(Math.max(ax, bx, cx)));
  for (let row = Math.max(0, Math.floor(Math.min(ay, by, cy))); row <= lastRow; row += 1)
    for (let column = Math.max(0, Math.floor(Math.min(ax, bx, cx))); column <= lastColumn; column += 1) {
      const [x, y] = [column + 0.5, row + 0.5];
      const b = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area;
      const c = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area;
      if (b >= 0 && c >= 0 && b + c <= 1) put(maps, x, y, az + b * (bz - az) + c * (cz - az));
    }
}

function put({ columns, rows, low, high }: Maps, x: number, y: number, z: number): void {
  const at = Math.min(rows - 1, Math.floor(y)) * columns + Math.min(columns - 1, Math.floor(x));
  if (z < low[at]!) low[at] = z;
  if (z > high[at]!) high[at] = z;
}

/** The maps of the same asset, turned by quarters to the left. */
export function turnMaps(maps: Maps, quarters: number): Maps {
  let turned = maps;
  for (let each = 0; each < quarters; each += 1) turned = turnOnce(turned);
  return turned;
}

function turnOnce({ columns, rows, cell, height, low, high }: Maps): Maps {
  const turned = { low: new Float32Array(low.length), high: new Float32Array(high.length) };
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const to = column * rows + (rows - 1 - row);
      turned.low[to] = low[row * columns + column]!;
      turned.high[to] = high[row * columns + column]!;
    }
  return { columns: rows, rows: columns, cell, height, ...turned };
}

/** The maps of the same asset, upside down: turned over along its length. */
export function flipMaps(maps: Maps): Maps {
  const { columns, rows, height } = maps;
  const [low, high] = [new Float32Array(maps.low.length), new Float32Array(maps.high.length)];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const to = (rows - 1 - row) * columns + column;
      low[to] = height - maps.high[row * columns + column]!;
      high[to] = height - maps.low[row * columns + column]!;
    }
  return { ...maps, low, high };
}

/** The maps of an asset and its mirror image side by side, across the edge at the lowest y. */
export function mirrorMaps(maps: Maps): Maps {
  const { columns, rows } = maps;
  const [low, high] = [new Float32Array(columns * rows * 2), new Float32Array(columns * rows * 2)];
  for (let row = 0; row < rows; row += 1)
    for (const to of [rows - 1 - row, rows + row]) {
      low.set(maps.low.subarray(row * columns, (row + 1) * columns), to * columns);
      high.set(maps.high.subarray(row * columns, (row + 1) * columns), to * columns);
    }
  return { ...maps, rows: rows * 2, low, high };
}

export interface BodyFigures {
  readonly lengthToWidth: number;
  readonly heightToWidth: number;
  /** The part of the plan's box that is covered. */
  readonly plan: number;
  /** The part of the side's box that lies between the lowest and the highest place of each slice. */
  readonly side: number;
  /** How high it is above the ground half way between its ends, as a part of the height. */
  readonly clearance: number;
  /** The highest places at the lower and at the higher of its two ends, as parts of the height. */
  readonly lowEnd: number;
  readonly highEnd: number;
  /** The part of the length that is nearly as high as all of it. */
  readonly roof: number;
}

/** The part of the length that counts as an end. */
const END = 0.12;
/** From this part of the height on it is under the roof. */
const ROOF = 0.9;

export function bodyOf({ columns, rows, cell, height, low, high }: Maps): BodyFigures {
  const bottom = new Float64Array(columns).fill(Infinity);
  const top = new Float64Array(columns).fill(-Infinity);
  let covered = 0;
  for (let at = 0; at < low.length; at += 1) {
    if (low[at] === Infinity) continue;
    covered += 1;
    const column = at % columns;
    bottom[column] = Math.min(bottom[column]!, low[at]!);
    top[column] = Math.max(top[column]!, high[at]!);
  }
  const slices = top.reduce((sum, each, column) => sum + Math.max(0, each - bottom[column]!), 0);
  const middle = bottom.slice(Math.floor(0.4 * columns), Math.ceil(0.6 * columns)).toSorted();
  const end = Math.ceil(END * columns);
  const ends = [top.slice(0, end), top.slice(-end)].map((slice) => Math.max(...slice) / height);
  return {
    lengthToWidth: columns / rows,
    heightToWidth: height / (rows * cell),
    plan: covered / (columns * rows),
    side: slices / (columns * height),
    clearance: middle[middle.length >> 1]! / height,
    lowEnd: Math.min(...ends),
    highEnd: Math.max(...ends),
    roof: top.filter((each) => each >= ROOF * height).length / columns,
  };
}
