"""What the scene holds, in short; and the scene as a .blend, a GLB and an FBX, into the job's folder, and back."""

import gc
import math

import bpy
from mathutils import Vector

from . import versions


def describe(question):
    """Objects as they are evaluated, the first ones of many."""
    most = question.get("most", 50)
    part = question.get("contains", "").lower()
    objects = [each for each in bpy.context.scene.objects if part in each.name.lower()]
    depsgraph = bpy.context.evaluated_depsgraph_get()
    answer = {
        "blender": versions.VERSION,
        "objects": [describe_object(each, depsgraph) for each in objects[:most]],
        "object_count": len(objects),
        "materials": [each.name for each in bpy.data.materials][:most],
        "node_groups": [describe_group(each) for each in bpy.data.node_groups][:most],
    }
    if len(bpy.data.scenes) > 1:
        answer["scenes"] = [each.name for each in bpy.data.scenes][:most]
    return answer


def describe_object(each, depsgraph):
    found = {
        "name": each.name,
        "type": each.type,
        "location": rounded(each.matrix_world.translation),
        "rotation": [round(math.degrees(angle), 2) for angle in each.matrix_world.to_euler()],
        "scale": rounded(each.matrix_world.to_scale()),
    }
    if each.parent:
        found["parent"] = each.parent.name
    if each.hide_render:
        found["hidden"] = True
    if each.type in {"MESH", "CURVE", "SURFACE", "META", "FONT"}:
        found.update(describe_mesh(each.evaluated_get(depsgraph), each.matrix_world))
        materials = [slot.material.name for slot in each.material_slots if slot.material]
        if materials:
            found["materials"] = materials
    if each.modifiers:
        found["modifiers"] = [describe_modifier(modifier) for modifier in each.modifiers]
    return found


def describe_mesh(evaluated, matrix):
    mesh = evaluated.to_mesh()
    if mesh is None:
        return {"vertices": 0, "triangles": 0}
    try:
        mesh.calc_loop_triangles()
        found = {"vertices": len(mesh.vertices), "triangles": len(mesh.loop_triangles)}
    finally:
        evaluated.to_mesh_clear()
    if found["vertices"]:
        corners = [matrix @ Vector(corner) for corner in evaluated.bound_box]
        found["from"] = rounded([min(corner[axis] for corner in corners) for axis in range(3)])
        found["to"] = rounded([max(corner[axis] for corner in corners) for axis in range(3)])
    return found


def describe_modifier(modifier):
    group = getattr(modifier, "node_group", None)
    return f"{modifier.name} ({modifier.type}{': ' + group.name if group else ''})"


def describe_group(group):
    return f"{group.name} ({group.bl_idname}, {len(group.nodes)} nodes, {len(group.links)} links)"


def rounded(values):
    return [round(float(value), 4) + 0.0 for value in values]


def leave_edit_mode():
    """Code that fails in edit mode leaves it on, and then nothing can be exported."""
    active = bpy.context.view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for each in bpy.context.view_layer.objects:
        if each.mode != "OBJECT":
            bpy.context.view_layer.objects.active = each
            bpy.ops.object.mode_set(mode="OBJECT")


def save(question):
    leave_edit_mode()
    bpy.ops.wm.save_as_mainfile(filepath=question["path"], copy=True, check_existing=False, compress=False)
    return {}


def load(question):
    """Opens a .blend; scripts in it are not run. References to what was there before must be gone by then."""
    gc.collect()
    bpy.ops.wm.open_mainfile(filepath=question["path"], load_ui=False, use_scripts=False)
    leave_edit_mode()
    return {}


def export_glb(question):
    leave_edit_mode()
    versions.export_glb(question["path"])
    return {}


def export_fbx(question):
    leave_edit_mode()
    versions.export_fbx(question["path"])
    return {}


def import_glb(question):
    """Into an empty scene. Workbench shows the color that a material has in the viewport: it is to be the base color."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
    bpy.ops.import_scene.gltf(filepath=question["path"])
    for material in bpy.data.materials:
        principled = material.node_tree and material.node_tree.nodes.get("Principled BSDF")
        if principled:
            material.diffuse_color = principled.inputs["Base Color"].default_value
    return {}
