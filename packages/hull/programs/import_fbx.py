# An FBX as a game engine would take it: the scene holds nothing else.
import bpy

PATH = ""

for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing)
bpy.ops.import_scene.fbx(filepath=PATH)
