"""Geometry nodes, one edit at a time. Blender accepts a link that cannot work, and a loop of links, without a word, and the
mesh is then empty: each edit is looked at here, and one that breaks the group is taken back."""

import bpy

from . import node_types, sockets, versions
from .refusal import Refusal, nearest


def create_group(question):
    name = question["name"]
    if name in bpy.data.node_groups:
        raise Refusal(f"There is a group '{name}' already: use it, or choose another name.")
    group = bpy.data.node_groups.new(name, "GeometryNodeTree")
    versions.mark_as_modifier(group)
    versions.add_group_socket(group, "INPUT", "geometry", "Geometry")
    for given in question.get("inputs", []):
        add_input(group, given)
    versions.add_group_socket(group, "OUTPUT", "geometry", "Geometry")
    first, last = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
    last.location = (800, 0)
    each = object_for(question.get("object") or name)
    modifier = each.modifiers.new(name, "NODES")
    # Blender gives a new modifier a group of its own, which nobody wants.
    unwanted = modifier.node_group
    modifier.node_group = group
    if unwanted is not None and unwanted != group and unwanted.users == 0:
        bpy.data.node_groups.remove(unwanted)
    for socket, given in zip(versions.group_inputs(group)[1:], question.get("inputs", [])):
        if "default" in given:
            versions.set_modifier_input(modifier, socket, given["default"])
    return {"group": group.name, "object": each.name, "nodes": [sockets.describe(first), sockets.describe(last)]}


def add_input(group, given):
    kind = given.get("type", "float")
    if kind not in versions.SOCKETS:
        raise Refusal(f"There is no input of type '{kind}'.{nearest(kind, versions.SOCKETS)}")
    socket = versions.add_group_socket(group, "INPUT", kind, given["name"])
    for key, attribute in (("min", "min_value"), ("max", "max_value"), ("default", "default_value")):
        if key in given and hasattr(socket, attribute):
            try:
                setattr(socket, attribute, given[key])
            except (TypeError, ValueError) as error:
                raise Refusal(f"The input '{given['name']}' is {kind} and cannot have {key} {given[key]!r} ({error}).") from None


def object_for(name):
    each = bpy.data.objects.get(name)
    if each is None:
        each = bpy.data.objects.new(name, bpy.data.meshes.new(name))
        bpy.context.scene.collection.objects.link(each)
    if each.type != "MESH":
        raise Refusal(f"The object '{name}' is {each.type}, and geometry nodes are put on a MESH: choose another name.")
    return each


def add_node(question):
    group = find_group(question["group"])
    kind = node_types.find_type(question["type"])
    node = group.nodes.new(kind)
    try:
        if question.get("name"):
            node.name = node.label = question["name"]
        # What a node is set to decides which sockets it has.
        for name, value in question.get("properties", {}).items():
            set_property(node, name, value)
        for name, value in question.get("inputs", {}).items():
            sockets.put(sockets.find(node, "input", name), value, f"{node.name}.{name}")
    except BaseException:
        group.nodes.remove(node)
        raise
    node.location = (200 * (len(group.nodes) % 8), -160 * (len(group.nodes) // 8))
    return {**sockets.describe(node), **choices_of(node)}


def connect(question):
    group = find_group(question["group"])
    source, target = find_node(group, question["from_node"]), find_node(group, question["to_node"])
    output = sockets.find(source, "output", question["from_socket"])
    taken = sockets.find(target, "input", question["to_socket"])
    words = f"{source.name}.{output.name} → {target.name}.{taken.name}"
    if source == target or leads_to(target, source):
        raise Refusal(
            f"{words} would make a loop: '{source.name}' already gets its input from '{target.name}'. "
            "Connect it to a node further down, or take the links between them away first."
        )
    before = count_vertices(group)
    replaced = [] if taken.is_multi_input else [(link.from_socket, link.to_socket) for link in taken.links]
    link = group.links.new(output, taken)
    refusal = wrong_link(group, link, words) or emptied(group, before, words, question)
    if refusal:
        group.links.remove(link)
        for pair in replaced:
            group.links.new(*pair)
        raise Refusal(refusal)
    answer = {"linked": words, **measures(group)}
    if replaced:
        answer["replaced"] = [f"{one.node.name}.{one.name}" for one, _other in replaced]
    return answer


def wrong_link(group, link, words):
    """A link between sockets that do not fit is kept by Blender, marked as invalid, and carries nothing."""
    output, taken = link.from_socket, link.to_socket
    is_geometry = {output.type, taken.type} & {"GEOMETRY"}
    if not link.is_valid or (is_geometry and output.type != taken.type):
        inputs = [each.name for each in sockets.usable(taken.node.inputs) if each.type == output.type]
        outputs = [each.name for each in sockets.usable(output.node.outputs) if each.type == taken.type]
        fix = f" Inputs of '{taken.node.name}' that take {output.type}: {', '.join(map(repr, inputs)) or 'none'}."
        fix += f" Outputs of '{output.node.name}' that give {taken.type}: {', '.join(map(repr, outputs)) or 'none'}."
        return f"{words} cannot work: {output.type} does not go into {taken.type}.{fix}"
    broken = [each for each in group.links if not each.is_valid]
    if broken:
        names = ", ".join(f"{each.from_node.name}.{each.from_socket.name} → {each.to_node.name}.{each.to_socket.name}" for each in broken)
        return f"{words} makes other links invalid: {names}."
    return None


def emptied(group, before, words, question):
    if question.get("allow_empty") or not before or count_vertices(group):
        return None
    return (
        f"{words} leaves the mesh empty, so it was taken back. Build the new chain first and connect its end to the group's output "
        "last; instances and curves are no mesh before 'Realize Instances' or 'Curve to Mesh'. "
        "Where an empty mesh is meant for now, say allow_empty."
    )


def set_param(question):
    group = find_group(question["group"])
    before, value = count_vertices(group), question["value"]
    name, place = question["param"], question.get("node")
    if place is None:
        back = set_group_input(group, name, value, question.get("object"))
    else:
        node = find_node(group, place)
        if is_property(node, name) and not is_input(node, name):
            old = set_property(node, name, value)
            back = lambda: set_property(node, name, old)  # noqa: E731
        else:
            socket = sockets.find(node, "input", name)
            if socket.is_linked:
                link = socket.links[0]
                raise Refusal(f"{node.name}.{socket.name} gets its value from {link.from_node.name}.{link.from_socket.name}: set it there.")
            old = sockets.put(socket, value, f"{node.name}.{socket.name}")
            back = lambda: setattr(socket, "default_value", old)  # noqa: E731
    words = f"{place or group.name}.{name} = {value}"
    refusal = emptied(group, before, words, question)
    if refusal:
        back()
        raise Refusal(refusal)
    return {"set": words, **measures(group)}


def set_group_input(group, name, value, only):
    inputs = versions.group_inputs(group)[1:]
    found = next((each for each in inputs if each.name.lower() == name.lower() or each.identifier == name), None)
    if found is None:
        raise Refusal(f"The group '{group.name}' has no input '{name}'.{nearest(name, [each.name for each in inputs])} For a node's own input, name the node.")
    low, high = getattr(found, "min_value", None), getattr(found, "max_value", None)
    if low is not None and isinstance(value, (int, float)) and not low <= value <= high:
        raise Refusal(f"{group.name}.{found.name} cannot be {value}: it must be {sockets.words(low, high)}.")
    users = [modifier for each, modifier in users_of(group) if only in (None, each.name)]
    if not users:
        raise Refusal(f"No object{f' called {only!r}' if only else ''} has the group '{group.name}'.")
    old = [(modifier, modifier.get(found.identifier)) for modifier in users]
    for modifier in users:
        try:
            versions.set_modifier_input(modifier, found, value)
        except (TypeError, ValueError) as error:
            raise Refusal(f"{group.name}.{found.name} cannot be {value!r} ({error}).") from None

    def back():
        for modifier, former in old:
            if former is not None:
                versions.set_modifier_input(modifier, found, former)

    return back


# Looking

def find_group(name):
    group = bpy.data.node_groups.get(name)
    if group is None or group.bl_idname != "GeometryNodeTree":
        names = [each.name for each in bpy.data.node_groups if each.bl_idname == "GeometryNodeTree"]
        raise Refusal(f"There is no geometry node group '{name}'.{nearest(name, names)} geonode_create_group makes one.")
    return group


def find_node(group, name):
    node = group.nodes.get(name)
    if node is None:
        found = [each for each in group.nodes if each.name.lower() == name.lower() or each.label.lower() == name.lower()]
        if len(found) != 1:
            raise Refusal(f"'{group.name}' has no node '{name}'.{nearest(name, group.nodes.keys())}")
        node = found[0]
    return node


def leads_to(start, end):
    waiting, seen = [start], set()
    while waiting:
        node = waiting.pop()
        if node == end:
            return True
        if node.name in seen:
            continue
        seen.add(node.name)
        waiting += [link.to_node for output in node.outputs for link in output.links]
    return False


def is_input(node, name):
    return any(name.lower() == each.name.lower() or name == each.identifier for each in sockets.usable(node.inputs))


def own_properties(node):
    base = set(bpy.types.Node.bl_rna.properties.keys())
    return {each.identifier: each for each in node.bl_rna.properties if each.identifier not in base and not each.is_readonly}


def is_property(node, name):
    return name in own_properties(node)


def set_property(node, name, value):
    """What a node is set to, such as its mode; gives back what it was."""
    known = own_properties(node)
    if name not in known:
        raise Refusal(f"'{node.name}' has no property '{name}'.{nearest(name, known)}")
    before = getattr(node, name)
    try:
        setattr(node, name, value)
    except (TypeError, ValueError):
        items = [item.identifier for item in getattr(known[name], "enum_items", [])]
        fix = f"one of {', '.join(items)}" if items else known[name].type.lower()
        raise Refusal(f"{node.name}.{name} cannot be {value!r}: it must be {fix}.") from None
    return before


def choices_of(node):
    """The settings of a node that are a choice, and what there is to choose."""
    found = {}
    for name, each in own_properties(node).items():
        if each.type == "ENUM":
            items = [item.identifier for item in each.enum_items]
            found[name] = f"{getattr(node, name)} of {', '.join(items[:24])}{' …' if len(items) > 24 else ''}"
    return {"properties": found} if found else {}


def users_of(group):
    return [
        (each, modifier)
        for each in bpy.data.objects
        for modifier in each.modifiers
        if modifier.type == "NODES" and modifier.node_group == group
    ]


def measures(group):
    """What the group makes of each object that has it."""
    return {"mesh": {each.name: {"vertices": vertices, "triangles": triangles} for each, vertices, triangles in evaluate(group)}}


def count_vertices(group):
    return sum(vertices for _each, vertices, _triangles in evaluate(group))


def evaluate(group):
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    found = []
    for each, _modifier in users_of(group):
        evaluated = each.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        if mesh is None:
            found.append((each, 0, 0))
            continue
        mesh.calc_loop_triangles()
        found.append((each, len(mesh.vertices), len(mesh.loop_triangles)))
        evaluated.to_mesh_clear()
    return found
