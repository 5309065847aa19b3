"""Blender's own list of the nodes that geometry can be made with, and their names as people see them."""

import bpy

from .refusal import Refusal, nearest

FAMILIES = ("GeometryNode", "FunctionNode", "ShaderNode")
OTHERS = ("NodeReroute", "NodeGroupInput", "NodeGroupOutput")
SCRATCH = ".loopwright"

_labels = {}


def labels():
    """By type: what the node is called. Each is made once, to ask Blender whether geometry nodes may have it."""
    if _labels:
        return _labels
    group = bpy.data.node_groups.new(SCRATCH, "GeometryNodeTree")
    try:
        for name in dir(bpy.types):
            if name in OTHERS or name.startswith(FAMILIES):
                try:
                    _labels[name] = group.nodes.new(name).bl_label
                except RuntimeError:
                    continue
    finally:
        bpy.data.node_groups.remove(group)
    return _labels


def find_type(given):
    """The type that is meant, by its identifier or by the name that people see."""
    known = labels()
    if given in known:
        return given
    plain = simple(given)
    for name, label in known.items():
        if simple(label) == plain or simple(name) == plain or simple(strip(name)) == plain:
            return name
    shown = [*known, *known.values()]
    raise Refusal(f"There is no node type '{given}'.{nearest(given, shown, 5) if near(given, shown) else parts(given, known)}")


def near(given, shown):
    return "Did you mean" in nearest(given, shown)


def parts(given, known):
    """Types that share a word with what was asked for."""
    words = [word for word in given.replace("_", " ").lower().split() if len(word) > 3]
    found = [f"'{label}'" for label in known.values() if any(word in label.lower() for word in words)]
    return f" Near it are {', '.join(found[:8])}." if found else " Use Blender's own name, such as 'Mesh Cylinder' or 'GeometryNodeMeshCylinder'."


def simple(text):
    return "".join(each for each in text.lower() if each.isalnum())


def strip(name):
    for family in FAMILIES:
        name = name.removeprefix(family)
    return name
