import { describe, expect, it } from "vitest";
import { car } from "../../../../test/fakes/car.ts";
import { ball, cube, joinMeshes, moveMesh } from "../../../../test/fakes/shapes.ts";
import { extentOf } from "../silhouettes.ts";
import { type Camera, cameras, cameraToProjection, renderViews, turntable } from "./camera.ts";
import { axesOf, viewNames } from "./projection.ts";

const seenBy = (camera: Camera) => cameraToProjection(camera, cube(2), 100, 100);

describe("a camera", () => {
  it.each(viewNames)("called %s looks as the view of that name", (name) => {
    const { axes, distance } = seenBy(cameras[name]);
    for (const axis of ["right", "up", "toward"] as const)
      for (const each of [0, 1, 2]) expect(axes[axis][each]).toBeCloseTo(axesOf(name)[axis][each]!, 15);
    expect(distance).toBeUndefined();
  });

  it("stands before the object at 0 degrees, at its left at 90, behind it at 180 and above it at an elevation of 90", () => {
    expect(seenBy({ azimuth: 0, elevation: 0 }).axes.toward).toEqual([1, 0, 0]);
    expect(seenBy({ azimuth: 90, elevation: 0 }).axes.toward).toEqual([0, 1, 0]);
    expect(seenBy({ azimuth: 180, elevation: 0 }).axes.toward).toEqual([-1, 0, 0]);
    expect(seenBy({ azimuth: -90, elevation: 0 }).axes.toward).toEqual([0, -1, 0]);
    expect(seenBy({ azimuth: 0, elevation: 90 }).axes).toMatchObject({
      right: [-0, 1, 0],
      up: [-1, -0, 0],
      toward: [0, 0, 1],
    });
  });

  it.each([
    ["parallel", {}],
    ["through a long lens", { lens: 85 }],
    ["through a wide lens", { lens: 18 }],
  ])("that is given no distance shows the whole object, and fills the picture with it: %s", (_, more) => {
    const mesh = car(4);
    for (const size of [256, { width: 300, height: 200 }, { width: 120, height: 240 }])
      for (const azimuth of [0, 37, 90, 211])
        for (const elevation of [-60, 0, 20, 90]) {
          const [view] = renderViews(mesh, [{ azimuth, elevation, ...more }], { size });
          const mask = view!.silhouette();
          const { left, right, top, bottom, width, height } = extentOf(mask)!;
          expect(Math.min(left, top)).toBeGreaterThan(0);
          expect(right).toBeLessThan(mask.width - 1);
          expect(bottom).toBeLessThan(mask.height - 1);
          expect(Math.max(width / mask.width, height / mask.height)).toBeGreaterThan(0.6);
        }
  });

  it("shows things as large as its distance and lens make them", () => {
    // A ball of 1 m, 20 m off, through 50 mm on 36 mm: about 1/20 · 50/36 of the picture's width.
    const width = (camera: Partial<Camera>) => {
      const [view] = renderViews(ball(0.5, 40), [{ azimuth: 30, elevation: 10, ...camera }], { size: 720 });
      return extentOf(view!.silhouette())!.width;
    };
    expect(width({ distance: 20, lens: 50 })).toBeGreaterThan(48);
    expect(width({ distance: 20, lens: 50 })).toBeLessThan(52);
    expect(width({ distance: 20 })).toBe(width({ distance: 20, lens: 50 }));
    expect(width({ distance: 20, lens: 100 })).toBeGreaterThan(98);
    expect(width({ distance: 10, lens: 100 })).toBeGreaterThan(198);
  });

  it("makes what is near larger in perspective, and not in parallel", () => {
    const pair = joinMeshes(moveMesh(cube(1), [3, -2, 0]), moveMesh(cube(1), [-3, 2, 0]));
    const widths = (camera: Camera) => {
      const { width, height, data } = renderViews(pair, [camera], { size: 400 })[0]!.silhouette();
      const row = [...data.subarray((height / 2) * width, (height / 2 + 1) * width)].join("");
      return row.match(/1+/g)!.map((run) => run.length);
    };
    const [near, far] = widths({ azimuth: 0, elevation: 0, lens: 35 });
    expect(near! / far!).toBeGreaterThan(1.4);
    const [one, other] = widths({ azimuth: 0, elevation: 0 });
    expect(Math.abs(one! - other!)).toBeLessThan(2);
  });

  it("looks at its target", () => {
    const mesh = joinMeshes(cube(10), moveMesh(cube(1), [9, 0, 3]));
    const [view] = renderViews(mesh, [{ azimuth: 90, elevation: 0, target: [9, 0, 3], distance: 3 }], { size: 99 });
    expect(view!.meters()[49 * 99 + 49]).toBeCloseTo(2.5, 4);
  });

  it("inside of an object sees what is before it, and nothing of what is behind", () => {
    const room = cube(10);
    const [view] = renderViews(room, [{ azimuth: 0, elevation: 0, distance: 2, lens: 20 }], { size: 64 });
    expect(view!.silhouette().data.every((pixel) => pixel === 1)).toBe(true);
    // It stands 2 m before the middle and looks back: the wall is 7 m off.
    expect(view!.meters()[32 * 64 + 32]).toBeCloseTo(7, 3);
  });

  it("that cannot be is refused with what to type", () => {
    const wrong: [Partial<Camera>, string][] = [
      [{ azimuth: Number.NaN }, "azimuth of NaN: use degrees"],
      [{ elevation: 91 }, "elevation of 91: use degrees from -90 to 90"],
      [{ distance: 0 }, "distance of 0: use meters"],
      [{ distance: Infinity }, "distance of Infinity"],
      [{ lens: -5 }, "lens of -5: use millimeters"],
      [{ target: [0, Number.NaN, 0] }, "target of 0,NaN,0"],
    ];
    for (const [change, words] of wrong)
      expect(() => seenBy({ azimuth: 0, elevation: 0, ...change })).toThrow(
        expect.objectContaining({ code: "CAMERA_INVALID", message: expect.stringContaining(words) }),
      );
    for (const size of [0, 8193, { width: 10, height: 2.5 }])
      expect(() => renderViews(cube(), [cameras.front], { size })).toThrow(
        expect.objectContaining({ code: "PICTURE_SIZE" }),
      );
  });

  it("sees nothing of nothing, and a single place without a hitch", () => {
    const nothing = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    const place = { positions: Float32Array.of(5, 5, 5), triangles: Uint32Array.of(0, 0, 0) };
    for (const mesh of [nothing, place])
      for (const camera of [cameras.iso, { ...cameras.iso, lens: 50 }])
        for (const view of renderViews(mesh, [camera], { size: 16 }))
          expect(view.silhouette().data.some((pixel) => pixel === 1)).toBe(false);
  });
});

describe("a turntable", () => {
  it("goes all round in even steps, at one height, through one lens", () => {
    expect(turntable(4).map(({ azimuth }) => azimuth)).toEqual([0, 90, 180, 270]);
    expect(turntable(3, { azimuth: 300, elevation: 5, lens: 35 })).toEqual([
      { azimuth: 300, elevation: 5, lens: 35 },
      { azimuth: 60, elevation: 5, lens: 35 },
      { azimuth: 180, elevation: 5, lens: 35 },
    ]);
    expect(() => turntable(0)).toThrow("use 1 to 360");
  });

  it.each([{}, { lens: 50 }])("can have one scale for all of its pictures: %j", (more) => {
    const long = { ...cube(1), positions: cube(1).positions.map((value, at) => (at % 3 === 0 ? value * 5 : value)) };
    const heights = (isOneScale: boolean) =>
      renderViews(long, turntable(4, { elevation: 0, ...more }), { size: 200, isOneScale }).map(
        (view) => extentOf(view.silhouette())!.height,
      );
    const each = heights(false);
    expect(Math.max(...each) / Math.min(...each)).toBeGreaterThan(2);
    const same = heights(true);
    expect(Math.max(...same) / Math.min(...same)).toBeLessThan(1.5);
  });
});
