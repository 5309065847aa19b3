"""What can be asked, and how an exception is told."""

import gc
import os

import bpy

from . import code, geometry, picture, scene, versions
from .refusal import Refusal

HOME = os.getcwd()

known = {
    "ping": lambda _question: {},
    "execute": code.execute,
    "scene": scene.describe,
    "save": scene.save,
    "load": scene.load,
    "glb": scene.export_glb,
    "fbx": scene.export_fbx,
    "import": scene.import_glb,
    "picture": picture.take,
    "create_group": geometry.create_group,
    "add_node": geometry.add_node,
    "connect": geometry.connect,
    "set_param": geometry.set_param,
}


def prepare():
    """An empty scene: none of the cube, camera and light that Blender starts with."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)


def answer(question):
    try:
        result = known[question["ask"]](question)
        return {"ok": result}
    except Refusal as refusal:
        return {"error": {"kind": "refused", "message": str(refusal)}}
    except BaseException as error:  # noqa: BLE001 - whatever is thrown is an answer
        return {"error": code.describe_error(error)}
    finally:
        tidy()


def tidy():
    """Whatever code has left behind: edit mode, another folder, references to what is gone."""
    try:
        scene.leave_edit_mode()
    except Exception:  # noqa: BLE001 - a scene that cannot be tidied is found by the next question
        pass
    os.chdir(HOME)
    gc.collect(0)


__all__ = ["answer", "prepare", "versions"]
