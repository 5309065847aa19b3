"""What differs between Blender 3.4 and later ones: all of it is here. Blender is asked what it has, not how old it is."""

import re

import bpy

VERSION = ".".join(str(part) for part in bpy.app.version)


def facts():
    return {"version": VERSION, "python": ".".join(str(part) for part in __import__("sys").version_info[:3])}


def prepare():
    """The glTF add-on of 3.4 uses a name that newer numpys have dropped."""
    try:
        import numpy
    except ImportError:
        raise SystemExit("Blender's Python has no numpy, which glTF needs: apt-get install python3-numpy") from None
    if "bool" not in numpy.__dict__:
        numpy.bool = bool


# glTF

GLB = {
    "export_format": "GLB",
    "export_apply": True,
    "export_yup": True,
    "export_cameras": False,
    "export_lights": False,
    "export_animations": False,
    "export_draco_mesh_compression_enable": False,
    "use_renderable": True,
    "check_existing": False,
    "will_save_settings": False,
}


def export_glb(path):
    """Modifiers and geometry nodes applied; of the options, those that this version has."""
    known = bpy.ops.export_scene.gltf.get_rna_type().properties.keys()
    bpy.ops.export_scene.gltf(filepath=path, **{name: value for name, value in GLB.items() if name in known})


def export_fbx(path):
    """The scene's meshes with modifiers applied, in meters."""
    bpy.ops.export_scene.fbx(filepath=path, object_types={"MESH"}, bake_anim=False, check_existing=False)


# Geometry nodes: the sockets of a group itself

SOCKETS = {
    "geometry": "NodeSocketGeometry",
    "float": "NodeSocketFloat",
    "int": "NodeSocketInt",
    "vector": "NodeSocketVector",
    "bool": "NodeSocketBool",
    "color": "NodeSocketColor",
    "string": "NodeSocketString",
    "material": "NodeSocketMaterial",
    "object": "NodeSocketObject",
}


def add_group_socket(group, side, kind, name):
    """An input or output of a group: a list of its own until 3.6, part of the interface since 4.0."""
    if hasattr(group, "interface"):
        return group.interface.new_socket(name, in_out=side, socket_type=SOCKETS[kind])
    return (group.inputs if side == "INPUT" else group.outputs).new(SOCKETS[kind], name)


def group_inputs(group):
    """The inputs of a group, in order."""
    if hasattr(group, "interface"):
        items = group.interface.items_tree
        return [item for item in items if item.item_type == "SOCKET" and item.in_out == "INPUT"]
    return list(group.inputs)


_ranges = {}


def socket_range(socket):
    """The least and the most that a node's input takes. Blender says it nowhere and accepts any value, but it tells a group that
    takes the input over: so one takes it over, on a node that is the same, in a group that nobody sees."""
    node = socket.node
    key = (node.bl_idname, socket.identifier)
    if key not in _ranges:
        group = bpy.data.node_groups.new(".loopwright", "GeometryNodeTree")
        try:
            twin, source = group.nodes.new(node.bl_idname), group.nodes.new("NodeGroupInput")
            copy_settings(node, twin)
            same = next(each for each in twin.inputs if each.identifier == socket.identifier)
            group.links.new(source.outputs[-1], same)
            taken = group_inputs(group)
            if not taken or not hasattr(taken[-1], "min_value"):
                return None, None
            _ranges[key] = taken[-1].min_value, taken[-1].max_value
        finally:
            bpy.data.node_groups.remove(group)
    return _ranges[key]


def copy_settings(node, twin):
    """What a node is set to decides which of its sockets it has."""
    base = bpy.types.Node.bl_rna.properties.keys()
    for each in node.bl_rna.properties:
        if each.identifier not in base and not each.is_readonly:
            try:
                setattr(twin, each.identifier, getattr(node, each.identifier))
            except (AttributeError, TypeError):
                continue


def set_modifier_input(modifier, socket, value):
    """A modifier's inputs go by identifier, and nothing is evaluated anew before it is told."""
    modifier[socket.identifier] = value
    modifier.id_data.update_tag()


def mark_as_modifier(group):
    if hasattr(group, "is_modifier"):
        group.is_modifier = True


# Names of other versions, in what an exception says

HINTS = [
    (r"no attribute 'interface'", "a group's sockets are group.inputs.new('NodeSocketFloat', 'Name') and group.outputs.new(…)"),
    (r"(NodeTree|NodeGroup).*no attribute '(inputs|outputs)'", "a group's sockets are group.interface.new_socket('Name', in_out='INPUT', socket_type='NodeSocketFloat')"),
    (r"Specular IOR Level", "the input of Principled BSDF is called 'Specular'"),
    (r"Emission Color", "the input of Principled BSDF is called 'Emission'"),
    (r"(Transmission|Subsurface|Sheen) Weight", "the inputs of Principled BSDF have no 'Weight' in their names: 'Transmission', 'Subsurface', 'Sheen'"),
    (r"Coat (Weight|Roughness|Normal)", "the inputs of Principled BSDF are called 'Clearcoat', 'Clearcoat Roughness', 'Clearcoat Normal'"),
    (r"key \"(Specular|Emission|Transmission|Subsurface|Sheen|Clearcoat)\"", "inputs of Principled BSDF were renamed in 4.0: 'Specular IOR Level', 'Emission Color', 'Transmission Weight', 'Coat Weight'"),
    (r"BLENDER_EEVEE_NEXT", "the engine is called 'BLENDER_EEVEE'; it needs a display: render with 'CYCLES' or 'BLENDER_WORKBENCH'"),
    (r"enum \"BLENDER_EEVEE\" not found", "the engine is called 'BLENDER_EEVEE_NEXT'; render with 'CYCLES' or 'BLENDER_WORKBENCH'"),
    (r"shade_auto_smooth|shade_smooth_by_angle", "use bpy.ops.object.shade_smooth() with mesh.use_auto_smooth = True and mesh.auto_smooth_angle"),
    (r"no attribute '(use_auto_smooth|auto_smooth_angle)'", "use bpy.ops.object.shade_auto_smooth(angle=…), or shade_smooth_by_angle"),
    (r"no attribute '(calc_normals|calc_normals_split|create_normals_split)'", "normals are kept up to date by Blender itself: leave the call out"),
    (r"\"wm\.(obj|stl|ply)_(import|export)\"|wm\.(stl|ply)_import.*could not be found", "use bpy.ops.import_mesh.stl / import_mesh.ply / import_scene.obj, and export_mesh.… likewise"),
    (r"import_(mesh|scene)\.(obj|stl|ply)|export_(mesh|scene)\.(obj|stl|ply)", "use bpy.ops.wm.obj_import, wm.stl_import or wm.ply_import, and …_export likewise"),
    (r"ShaderNodeMixRGB", "use 'ShaderNodeMix' with data_type='RGBA'"),
    (r"Node type (\S+) undefined", "this version has no such node: list them with [n for n in dir(bpy.types) if 'Node' in n]"),
    (r"1-2 args execution context is supported|expected.*dict.*context", "contexts are overridden with bpy.context.temp_override(…)"),
    (r"layers_int|face_maps|vertex_colors", "use mesh.attributes or mesh.color_attributes"),
    (r"\bopengl\b|GPUOffScreen|SystemError: GPU", "nothing can be drawn in this process: look with get_viewport_screenshot or get_diagnostic_renders"),
    (r"ed\.undo|ed\.redo", "there is no undo in here: use the tool undo_last_step"),
    (r"poll\(\) failed", "there is no window here: select and activate an object first, or use bpy.data and bmesh in place of bpy.ops"),
]


def hint(kind, message):
    """What is meant is called otherwise here; by the error's own words."""
    for pattern, advice in HINTS:
        if re.search(pattern, f"{kind}: {message}"):
            return f"In Blender {VERSION}: {advice}"
    return None
