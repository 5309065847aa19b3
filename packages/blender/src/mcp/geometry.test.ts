import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { glbToMesh } from "@loopwright/mesh";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasBlender } from "../../../../test/fakes/blender.ts";
import { connectTo, type McpClient } from "../../../../test/fakes/mcp.ts";
import { makeServer, Session } from "./server.ts";

const out = mkdtempSync(join(tmpdir(), "loopwright-nodes-"));
const session = new Session({ out });
let mcp: McpClient;
beforeAll(async () => {
  if (!hasBlender) return;
  mcp = await connectTo(makeServer(session));
});
afterAll(async () => {
  await mcp?.close();
  await session.close();
  rmSync(out, { recursive: true, force: true });
});

/** Calls a tool that must work; gives back what it says. */
async function call(name: string, given: Record<string, unknown> = {}) {
  const { isError, text } = await mcp.call(name, given);
  expect(isError, text).toBe(false);
  return JSON.parse(text.startsWith("{") ? text : "{}");
}

/** Calls a tool that must refuse; gives back why. */
async function refused(name: string, given: Record<string, unknown>): Promise<string> {
  const { isError, text } = await mcp.call(name, given);
  expect(isError, text).toBe(true);
  expect(text).toContain("The scene is as it was before this call.");
  return text;
}

const group = "Hull";
const add = (type: string, name: string, inputs = {}, properties = {}) =>
  call("geonode_add_node", { group, type, name, inputs, properties });
const link = (from: string, to: string) => {
  const [[from_node, from_socket], [to_node, to_socket]] = [from.split("."), to.split(".")];
  return call("geonode_connect", { group, from_node, from_socket, to_node, to_socket });
};
const math = (name: string, operation: string, inputs = {}) => add("Math", name, inputs, { operation });
const size = async () => (await call("mesh_report")).box.size as number[];

/** A grid over [-1, 1]², pulled into a boat: narrow at its ends, deep in its middle. */
async function buildHull(): Promise<void> {
  const inputs = [
    { name: "Length", default: 6, min: 1, max: 100 },
    { name: "Beam", default: 2, min: 0.1, max: 20 },
    { name: "Depth", default: 1, min: 0.1, max: 20 },
  ];
  await call("geonode_create_group", { name: group, inputs });
  await add("Grid", "Sheet", { "Size X": 2, "Size Y": 2, "Vertices X": 25, "Vertices Y": 13 });
  await add("Position", "Place");
  await add("Separate XYZ", "Parts");
  await math("x²", "MULTIPLY");
  await math("taper", "SUBTRACT", { 0: 1 });
  await math("y²", "MULTIPLY");
  await math("belly", "SUBTRACT", { 0: 1 });
  await math("y", "MULTIPLY");
  await math("half beam", "MULTIPLY", { 1: 0.5 });
  await math("wide", "MULTIPLY");
  await math("half length", "MULTIPLY", { 1: 0.5 });
  await math("long", "MULTIPLY");
  await math("deep", "MULTIPLY");
  await math("deeper", "MULTIPLY");
  await math("down", "MULTIPLY", { 1: -1 });
  await add("Combine XYZ", "Whole");
  await add("Set Position", "Shape");
  await add("Convex Hull", "Close");
  for (const [from, to] of [
    ["Place.Position", "Parts.Vector"],
    ["Parts.X", "x².0"],
    ["Parts.X", "x².1"],
    ["x².Value", "taper.1"],
    ["Parts.Y", "y².0"],
    ["Parts.Y", "y².1"],
    ["y².Value", "belly.1"],
    ["Parts.Y", "y.0"],
    ["taper.Value", "y.1"],
    ["Group Input.Beam", "half beam.0"],
    ["y.Value", "wide.0"],
    ["half beam.Value", "wide.1"],
    ["Group Input.Length", "half length.0"],
    ["Parts.X", "long.0"],
    ["half length.Value", "long.1"],
    ["taper.Value", "deep.0"],
    ["belly.Value", "deep.1"],
    ["deep.Value", "deeper.0"],
    ["Group Input.Depth", "deeper.1"],
    ["deeper.Value", "down.0"],
    ["long.Value", "Whole.X"],
    ["wide.Value", "Whole.Y"],
    ["down.Value", "Whole.Z"],
    ["Sheet.Mesh", "Shape.Geometry"],
    ["Whole.Vector", "Shape.Position"],
    ["Shape.Geometry", "Close.Geometry"],
    ["Close.Convex Hull", "Group Output.Geometry"],
  ] as const)
    await link(from, to);
}

describe.skipIf(!hasBlender)("A hull of geometry nodes, made with the four tools alone", () => {
  it("is evaluated, changed by a parameter, measured, and exported", async () => {
    await buildHull();
    const info = await call("get_scene_info");
    expect(info.node_groups).toEqual([expect.stringMatching(/^Hull \(GeometryNodeTree, 20 nodes, 27 links\)$/)]);
    expect((await size()).map((side) => Math.round(side * 10) / 10)).toEqual([6, 2, 1]);
    const report = await call("mesh_report");
    expect(report).toMatchObject({ boundaryEdges: 0, nonManifoldEdges: 0 });
    await call("geonode_set_param", { group, param: "Beam", value: 3.5 });
    expect((await size())[1]).toBeCloseTo(3.5, 2);
    await call("geonode_set_param", { group, node: "Sheet", param: "Vertices X", value: 41 });
    expect((await call("mesh_report")).triangles).toBeGreaterThan(report.triangles);
    await mcp.call("export_glb", { filename: "hull.glb" });
    const mesh = await glbToMesh(readFileSync(join(out, "hull.glb")));
    expect(mesh.triangles.length / 3).toBeGreaterThan(500);
  });
});

describe.skipIf(!hasBlender)("An edit of geometry nodes that cannot work", () => {
  beforeEach(async () => {
    await call("reset_to_baseline");
    await call("geonode_create_group", { name: group, inputs: [{ name: "Width", type: "float", min: 0, max: 10 }] });
    await add("Grid", "Sheet");
    await add("Set Position", "Shape");
    await math("Sum", "ADD");
    await math("Product", "MULTIPLY");
    await link("Sheet.Mesh", "Shape.Geometry");
    await link("Shape.Geometry", "Group Output.Geometry");
    await link("Sum.Value", "Product.0");
  });

  const connect = (from_node: string, from_socket: string, to_node: string, to_socket: string) =>
    refused("geonode_connect", { group, from_node, from_socket, to_node, to_socket });

  it.each([
    [
      "a socket that is not there",
      () => connect("Sheet", "Mash", "Shape", "Geometry"),
      /no output 'Mash'.*Did you mean 'Mesh'/s,
    ],
    [
      "a node that is not there",
      () => connect("Sheat", "Mesh", "Shape", "Geometry"),
      /no node 'Sheat'.*Did you mean 'Sheet'/s,
    ],
    ["kinds that do not fit", () => connect("Sheet", "Mesh", "Sum", "0"), /GEOMETRY does not go into VALUE.*none/s],
    [
      "kinds that do not fit, with the right input",
      () => connect("Sum", "Value", "Shape", "Geometry"),
      /Inputs of 'Shape' that take VALUE.*Outputs of 'Sum' that give GEOMETRY/s,
    ],
    [
      "a loop of links",
      () => connect("Product", "Value", "Sum", "0"),
      /would make a loop: 'Product' already gets its input from 'Sum'/,
    ],
    ["a node to itself", () => connect("Sum", "Value", "Sum", "0"), /would make a loop/],
    [
      "a value below its range",
      () => refused("geonode_set_param", { group, node: "Sheet", param: "Vertices X", value: 1 }),
      /Sheet\.Vertices X cannot be 1: it must be (at least|from) 2/,
    ],
    [
      "a value past its range",
      () => refused("geonode_set_param", { group, param: "Width", value: 11 }),
      /Hull\.Width cannot be 11: it must be from 0(\.0)? to 10/,
    ],
    [
      "a part where whole numbers go",
      () => refused("geonode_set_param", { group, node: "Sheet", param: "Vertices X", value: 3.5 }),
      /whole number: give 4/,
    ],
    [
      "words where numbers go",
      () => refused("geonode_set_param", { group, node: "Sheet", param: "Size X", value: "wide" }),
      /give a number/,
    ],
    [
      "a value for what is linked",
      () => refused("geonode_set_param", { group, node: "Product", param: "0", value: 1 }),
      /gets its value from Sum\.Value: set it there/,
    ],
    [
      "a parameter that is not there",
      () => refused("geonode_set_param", { group, param: "Widht", value: 1 }),
      /no input 'Widht'.*Did you mean 'Width'/s,
    ],
    [
      "a choice that is none",
      () => refused("geonode_set_param", { group, node: "Sum", param: "operation", value: "PLUS" }),
      /must be one of ADD, SUBTRACT/,
    ],
    [
      "a type that is none",
      () => refused("geonode_add_node", { group, type: "Mesh Cylindre" }),
      /no node type 'Mesh Cylindre'.*Cylinder/s,
    ],
    [
      "a group that is not there",
      () => refused("geonode_add_node", { group: "Hul", type: "Grid" }),
      /no geometry node group 'Hul'.*Did you mean 'Hull'/s,
    ],
    ["a group that is there already", () => refused("geonode_create_group", { name: group }), /already/],
  ])("names the fix: %s", async (_name, attempt, words) => {
    const before = await call("mesh_report");
    expect(await attempt()).toMatch(words);
    expect(await call("mesh_report")).toEqual(before);
  });

  it("empties the mesh: it says which link, and is taken back unless that is meant", async () => {
    const given = {
      group,
      from_node: "Group Input",
      from_socket: "Geometry",
      to_node: "Group Output",
      to_socket: "Geometry",
    };
    const before = await call("mesh_report");
    expect(await refused("geonode_connect", given)).toMatch(
      /Group Input\.Geometry → Group Output\.Geometry leaves the mesh empty.*allow_empty/s,
    );
    expect(await call("mesh_report")).toEqual(before);
    await call("geonode_connect", { ...given, allow_empty: true });
    expect(await call("mesh_report")).toMatchObject({ triangles: 0 });
  });
});
