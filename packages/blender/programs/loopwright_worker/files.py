"""Files: the scene as a .blend, a GLB and an FBX, into the job's folder; a .blend back from the supervisor's, and a GLB to look at."""

import gc

import bpy

from . import scene, versions


def save(question):
    scene.leave_edit_mode()
    bpy.ops.wm.save_as_mainfile(filepath=question["path"], copy=True, check_existing=False, compress=False)
    return {}


def load(question):
    """Opens a .blend; scripts in it are not run. References to what was there before must be gone by then."""
    gc.collect()
    bpy.ops.wm.open_mainfile(filepath=question["path"], load_ui=False, use_scripts=False)
    scene.leave_edit_mode()
    return {}


def export_glb(question):
    scene.leave_edit_mode()
    versions.export_glb(question["path"])
    return {}


def export_fbx(question):
    scene.leave_edit_mode()
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
