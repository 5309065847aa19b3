"""A closed hull of named parameters, as a group of geometry nodes on the object 'hull'. Run again, it sets the parameters.

Half of it is a grid whose points are moved by the nodes; it is mirrored and merged along the center line. Meters; x forward
with 0 amidships, y to port, z up with 0 at the waterline.
"""

import bpy

PARAMETERS = {}

STATIONS, POINTS = 49, 15
ROWS = POINTS + 1  # the last one is the deck's middle
COLUMNS = STATIONS + 1  # the first one is the transom's middle
NAME = "hull"


class Field:
    """A value that nodes compute; arithmetic with it adds nodes."""

    def __init__(self, tree, socket):
        self.tree, self.socket = tree, socket

    def math(self, operation, other=None):
        node = self.tree.nodes.new("ShaderNodeMath")
        node.operation = operation
        for at, value in enumerate([self] if other is None else [self, other]):
            if isinstance(value, Field):
                self.tree.links.new(value.socket, node.inputs[at])
            else:
                node.inputs[at].default_value = value
        return Field(self.tree, node.outputs[0])

    def __add__(self, other):
        return self.math("ADD", other)

    def __sub__(self, other):
        return self.math("SUBTRACT", other)

    def __rsub__(self, other):
        return (self * -1) + other

    def __mul__(self, other):
        return self.math("MULTIPLY", other)

    def __truediv__(self, other):
        return self.math("DIVIDE", other)

    def __pow__(self, other):
        return self.math("POWER", other)

    def least(self, other):
        return self.math("MINIMUM", other)

    def most(self, other):
        return self.math("MAXIMUM", other)


def beyond(distance, stretch):
    return distance.most(0) / stretch


def position(index, p):
    """Where the vertex of a grid belongs."""
    row = index.math("MODULO", ROWS)
    column = (index / ROWS).math("FLOOR")
    even = (column - 1).most(0) / (STATIONS - 1)
    t = even + even * (1 - even) * (even * 2 - 1) * 0.35
    fore = beyond(t - p["widest_at"], 1 - p["widest_at"])
    aft = beyond(p["widest_at"] - t, p["widest_at"])
    deck = 1 - (1 - p["transom_width"]) * aft * aft - fore ** p["bow_fullness"]
    depth_bow = p["freeboard"] + p["sheer_bow"] + p["draft"]
    depth_stern = p["freeboard"] + p["sheer_stern"] + p["draft"]
    rise_bow = p["forefoot"] * depth_bow * beyond(t - p["forefoot_at"], 1 - p["forefoot_at"]) ** 2
    rise_stern = p["keel_rise"] * depth_stern * beyond(0.5 - t, 0.5) ** 2
    lift = p["sheer_bow"] * beyond(t - 0.45, 0.55) ** 2 + p["sheer_stern"] * beyond(0.45 - t, 0.45) ** 2
    keel = rise_bow + rise_stern - p["draft"]
    sheer = p["freeboard"] + lift
    power = (p["bilge"] + (1.2 - p["bilge"]) * fore * fore) ** -1 * 2
    flare = p["flare"] + fore * fore * 0.2

    angle = row.least(POINTS - 1) * (1.5707963267948966 / (POINTS - 1))
    out = angle.math("SINE").most(0) ** power
    bend = 1 - angle.math("COSINE").most(1e-6) ** power
    up = p["deadrise"] * out + (1 - p["deadrise"]) * bend
    down = (1 - up).most(0)
    lean = p["transom_rake"] * (1 - t) ** 3 * down - p["stem_rake"] * t**3 * down * down**0.5
    x = p["length"] * (t - 0.5 + lean)
    # Nothing is left of the width on the keel, at the deck's and the transom's middle, and along the stem.
    inside = row.least(1) * (POINTS - row).least(1) * column.least(1) * (STATIONS - column).least(1)
    y = p["beam"] * 0.5 * deck * out * (1 - flare * (1 - up)) * inside
    return x, y, keel + up * (sheer - keel)


def new_input(group, name):
    if hasattr(group, "interface"):
        return group.interface.new_socket(name, in_out="INPUT", socket_type="NodeSocketFloat")
    return group.inputs.new("NodeSocketFloat", name)


def new_output(group):
    if hasattr(group, "interface"):
        return group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    return group.outputs.new("NodeSocketGeometry", "Geometry")


def build():
    group = bpy.data.node_groups.new(NAME, "GeometryNodeTree")
    new_output(group)
    for name in PARAMETERS:
        new_input(group, name)

    def add(kind, *sources, **settings):
        node = group.nodes.new(kind)
        for key, value in settings.items():
            setattr(node, key, value)
        for socket, source in sources:
            group.links.new(source, node.inputs[socket])
        return node

    given = add("NodeGroupInput")
    fields = {name: Field(group, given.outputs[name]) for name in PARAMETERS}
    x, y, z = position(Field(group, add("GeometryNodeInputIndex").outputs[0]), fields)
    grid = add("GeometryNodeMeshGrid")
    grid.inputs["Vertices X"].default_value = COLUMNS
    grid.inputs["Vertices Y"].default_value = ROWS
    place = add("ShaderNodeCombineXYZ", ("X", x.socket), ("Y", y.socket), ("Z", z.socket))
    half = add("GeometryNodeSetPosition", ("Geometry", grid.outputs["Mesh"]), ("Position", place.outputs[0]))
    cut = add("GeometryNodeTriangulate", ("Mesh", half.outputs[0]), quad_method="FIXED_ALTERNATE")
    port = add("GeometryNodeFlipFaces", ("Mesh", cut.outputs[0]))
    starboard = add("GeometryNodeTransform", ("Geometry", cut.outputs[0]))
    starboard.inputs["Scale"].default_value = (1, -1, 1)
    joined = add("GeometryNodeJoinGeometry", ("Geometry", starboard.outputs[0]), ("Geometry", port.outputs[0]))
    merged = add("GeometryNodeMergeByDistance", ("Geometry", joined.outputs[0]))
    merged.inputs["Distance"].default_value = 1e-4
    add("NodeGroupOutput", ("Geometry", merged.outputs[0]))
    return group


def identifiers(group):
    items = group.interface.items_tree if hasattr(group, "interface") else group.inputs
    return {item.name: item.identifier for item in items if item.name in PARAMETERS}


group = bpy.data.node_groups.get(NAME) or build()
thing = bpy.data.objects.get(NAME)
if thing is None:
    thing = bpy.data.objects.new(NAME, bpy.data.meshes.new(NAME))
    bpy.context.scene.collection.objects.link(thing)
modifier = thing.modifiers.get(NAME) or thing.modifiers.new(NAME, "NODES")
modifier.node_group = group
for name, identifier in identifiers(group).items():
    modifier[identifier] = float(PARAMETERS[name])
thing.update_tag()
bpy.context.view_layer.update()
