# The scene as a game asset: its meshes in one, unwrapped, at three levels of detail, each an object of its own. Of these the
# scene then holds the ones that are asked for; the objects that they were made of are gone.
import math

import bmesh
import bpy

PARAMETERS = {}
NAME = "Asset"
# How far the faces of one island may turn away from each other, in degrees.
ANGLES = {"smart": 66, "fine": 20}
# Fewer triangles than these close nothing.
FEWEST = 12
SHAPES = {"MESH", "CURVE", "SURFACE", "META", "FONT"}


def name_of(level):
    return f"{NAME}_LOD{level}"


def whole():
    """Everything that the scene shows, modifiers and geometry nodes applied, as one mesh in the world's axes."""
    graph = bpy.context.evaluated_depsgraph_get()
    made = []
    for instance in graph.object_instances:
        thing = instance.object
        if thing.type not in SHAPES or thing.original.hide_render or (instance.is_instance and not is_collection(instance)):
            continue
        mesh = bpy.data.meshes.new_from_object(thing, depsgraph=graph)
        mesh.transform(instance.matrix_world)
        if instance.matrix_world.determinant() < 0:
            mesh.flip_normals()
        made.append(bpy.data.objects.new(NAME, mesh))
    for thing in list(bpy.data.objects):
        if thing not in made:
            bpy.data.objects.remove(thing)
    for mesh in [mesh for mesh in bpy.data.meshes if mesh.users == 0]:
        bpy.data.meshes.remove(mesh)
    if not made:
        raise ValueError("the scene shows no surface")
    for thing in made:
        bpy.context.scene.collection.objects.link(thing)
    choose(made[0], *made)
    if len(made) > 1:
        bpy.ops.object.join()
    return bpy.context.view_layer.objects.active


def is_collection(instance):
    return instance.parent is not None and instance.parent.original.instance_type == "COLLECTION"


def choose(active, *others):
    bpy.context.view_layer.update()
    for thing in bpy.context.view_layer.objects:
        thing.select_set(thing in others)
    active.select_set(True)
    bpy.context.view_layer.objects.active = active


def triangulate(mesh):
    work = bmesh.new()
    work.from_mesh(mesh)
    bmesh.ops.triangulate(work, faces=work.faces[:])
    work.to_mesh(mesh)
    work.free()


def unwrap(thing, way):
    """Places in a texture: by the angles of faces, or, where that lets some lie over others, a place of its own for each."""
    if way == "carried":
        return
    choose(thing)
    while thing.data.uv_layers:
        thing.data.uv_layers.remove(thing.data.uv_layers[0])
    places = thing.data.uv_layers.new(name="UVMap").data
    if way == "apart":
        put_apart(thing.data, places)
        return
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.uv.smart_project(angle_limit=math.radians(ANGLES[way]), island_margin=0.004)
    bpy.ops.object.mode_set(mode="OBJECT")


def put_apart(mesh, places):
    """Two triangles in each square of a grid, with a gap between them."""
    side = math.ceil(math.sqrt(len(mesh.polygons) / 2))
    halves = (((0.1, 0.1), (0.8, 0.1), (0.1, 0.8)), ((0.9, 0.9), (0.2, 0.9), (0.9, 0.2)))
    for face in mesh.polygons:
        row, column = divmod(face.index // 2, side)
        for loop, (u, v) in zip(face.loop_indices, halves[face.index % 2]):
            places[loop].uv = ((column + u) / side, (row + v) / side)


def reduced(full, ratio):
    thing = bpy.data.objects.new(NAME, full.data.copy())
    bpy.context.scene.collection.objects.link(thing)
    choose(thing)
    # Not by the modifier: on several threads, that gives another mesh now and then.
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.reveal()
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.decimate(ratio=min(1, max(ratio, FEWEST / len(full.data.polygons))))
    bpy.ops.object.mode_set(mode="OBJECT")
    return thing


def build(ratios, ways):
    full = whole()
    full.modifiers.clear()
    triangulate(full.data)
    unwrap(full, ways[0])
    levels = [full, *(reduced(full, ratio) for ratio in ratios[1:])]
    for level, thing in enumerate(levels):
        if level > 0:
            unwrap(thing, ways[level])
        thing.name = thing.data.name = name_of(level)
        thing.use_fake_user = True


def show(levels):
    collection = bpy.context.scene.collection
    for level in range(len(PARAMETERS["ratios"])):
        thing = bpy.data.objects[name_of(level)]
        is_in = thing.name in collection.objects
        if level in levels and not is_in:
            collection.objects.link(thing)
        elif level not in levels and is_in:
            collection.objects.unlink(thing)
    bpy.context.view_layer.update()


if PARAMETERS["build"]:
    build(PARAMETERS["ratios"], PARAMETERS["unwrap"])
show(PARAMETERS["show"])
