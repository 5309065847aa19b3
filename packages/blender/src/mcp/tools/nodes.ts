// Geometry nodes, one edit a call. What is asked for is checked against Blender's own lists of nodes and sockets.

import type { Json } from "@loopwright/core";
import { z } from "zod";
import { defineTool, facts } from "../tool.ts";

const group = z.string().min(1).max(63).describe("The group's name, as geonode_create_group gave it");
const node = (what: string) => z.string().min(1).max(63).describe(what);
const value = z.union([z.number(), z.boolean(), z.string(), z.array(z.number()).max(16)]);
const allowEmpty = z
  .boolean()
  .default(false)
  .describe("Accept that the mesh is empty afterwards; otherwise such an edit is an error and is taken back");

const createGroup = defineTool({
  name: "geonode_create_group",
  title: "New geometry node group",
  description:
    "Makes a geometry node group and puts it on an object as a modifier (the object is made where there is none). It begins with the nodes " +
    "'Group Input' and 'Group Output', not connected: the mesh is what you connect to 'Group Output', input 'Geometry'. Then: " +
    "geonode_add_node, geonode_connect, geonode_set_param.",
  schema: z.object({
    name: z.string().min(1).max(63).describe("A name for the group"),
    object: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .describe("The object that gets it; left out, one of the group's own name"),
    inputs: z
      .array(
        z.object({
          name: z.string().min(1).max(63),
          type: z
            .enum(["float", "int", "vector", "bool", "color", "string", "material", "object", "geometry"])
            .default("float"),
          default: value.optional(),
          min: z.number().optional(),
          max: z.number().optional(),
        }),
      )
      .max(32)
      .default([])
      .describe("Parameters of the group: outputs of 'Group Input', and what geonode_set_param sets without a node"),
  }),
  changes: true,
  run: async (session, given) => [
    facts(await (await session.blender()).edit({ ask: "create_group", ...plain(given) })),
  ],
});

const addNode = defineTool({
  name: "geonode_add_node",
  title: "Add a node",
  description:
    "Adds a node to a group. The answer has the node's name and its inputs and outputs, which geonode_connect needs. Types go by the name in " +
    "Blender's menu or by identifier: 'Mesh Cube', 'Cylinder', 'Grid', 'Transform', 'Join Geometry', 'Set Position', 'Math', 'Combine XYZ', " +
    "'Position', 'Curve to Mesh', 'Realize Instances', 'GeometryNodeMeshUVSphere' …",
  schema: z.object({
    group,
    type: node("The node's type"),
    name: z.string().min(1).max(63).optional().describe("What to call it; otherwise Blender names it"),
    inputs: z
      .record(z.string(), value)
      .default({})
      .describe('Values of its inputs, such as { "Radius": 0.5, "Vertices": 24 }'),
    properties: z
      .record(z.string(), value)
      .default({})
      .describe('Settings that are no input, such as { "operation": "MULTIPLY" }'),
  }),
  changes: true,
  run: async (session, given) => [facts(await (await session.blender()).edit({ ask: "add_node", ...plain(given) }))],
});

const connect = defineTool({
  name: "geonode_connect",
  title: "Connect two nodes",
  description:
    "Links an output of one node to an input of another. A link between kinds that do not fit, a loop of links, or one that empties the mesh is " +
    "an error and is taken back. An input that had a link gets the new one, except 'Join Geometry', which takes many.",
  schema: z.object({
    group,
    from_node: node("The node that gives"),
    from_socket: node("Its output: by name, identifier, or number from 0"),
    to_node: node("The node that takes"),
    to_socket: node("Its input: by name, identifier, or number from 0"),
    allow_empty: allowEmpty,
  }),
  changes: true,
  run: async (session, given) => [facts(await (await session.blender()).edit({ ask: "connect", ...plain(given) }))],
});

const setParam = defineTool({
  name: "geonode_set_param",
  title: "Set a value",
  description:
    "Sets an input or a setting of a node, or, without 'node', a parameter of the group on the objects that have it. A value that the " +
    "socket cannot take is an error that says which it can.",
  schema: z.object({
    group,
    node: node("The node; left out, the group's own parameter is set").optional(),
    param: node("The input's or setting's name"),
    value,
    object: node("With a group's parameter: only on this object").optional(),
    allow_empty: allowEmpty,
  }),
  changes: true,
  run: async (session, given) => [facts(await (await session.blender()).edit({ ask: "set_param", ...plain(given) }))],
});

/** Arguments as they are sent: what was left out is not there. */
function plain(given: object): { [key: string]: Json } {
  return JSON.parse(JSON.stringify(given));
}

export const nodeTools = [createGroup, addNode, connect, setParam];
