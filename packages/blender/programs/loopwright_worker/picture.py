"""A picture for people, taken in a Blender that has run no code: Workbench, or Cycles where it is asked for."""

import math

import bpy
from mathutils import Euler, Vector


def take(question):
    """Renders the scene from a camera that looks at the middle of it; the first picture of Workbench in a process is off."""
    settings = bpy.context.scene.render
    settings.image_settings.file_format = "PNG"
    settings.image_settings.color_mode = "RGB"
    settings.filepath = question["path"]
    settings.use_file_extension = False
    settings.resolution_percentage = 100
    settings.film_transparent = False
    size = question["size"]
    width, height = size if isinstance(size, list) else (size, size)
    place_camera(question, width, height)
    if bpy.context.scene.world is None:
        bpy.context.scene.world = bpy.data.worlds.new("Loopwright")
        bpy.context.scene.world.color = (0.5, 0.5, 0.5)
    if question["engine"] == "cycles":
        use_cycles(question.get("samples", 16))
    else:
        use_workbench()
        settings.resolution_x = settings.resolution_y = 16
        bpy.ops.render.render()
    use_clay(question.get("style") == "clay")
    settings.resolution_x, settings.resolution_y = width, height
    bpy.ops.render.render(write_still=True)
    return {}


def place_camera(question, width, height):
    scene = bpy.context.scene
    low, high = bounds()
    middle = Vector(question["target"]) if "target" in question else (low + high) / 2
    radius = max((high - low).length / 2, 1e-3)
    azimuth, elevation = math.radians(question["azimuth"]), math.radians(question["elevation"])
    toward = Vector((math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)))
    camera = bpy.data.cameras.new("Loopwright")
    camera.lens = question.get("lens") or 50
    turn = Euler((math.pi / 2 - elevation, 0, azimuth + math.pi / 2))
    distance = question.get("distance")
    if not distance and question.get("fit") == "box":
        distance = box_distance(low, high, middle, turn, camera, width, height)
    elif not distance:
        narrow = 2 * math.atan(math.tan(camera.angle / 2) * min(width, height) / max(width, height))
        distance = 1.1 * radius / math.sin(narrow / 2)
    camera.clip_start, camera.clip_end = distance / 1_000, distance + 100 * radius
    each = bpy.data.objects.new("Loopwright", camera)
    each.location = middle + toward * distance
    each.rotation_euler = turn
    scene.collection.objects.link(each)
    scene.camera = each


def box_distance(low, high, middle, turn, camera, width, height):
    """How far away the whole box is just in the picture: each corner is, where it is."""
    half = math.tan(camera.angle / 2)
    across, upward = half * width / max(width, height), half * height / max(width, height)
    to_camera = turn.to_matrix().transposed()
    corners = [Vector((x, y, z)) for x in (low.x, high.x) for y in (low.y, high.y) for z in (low.z, high.z)]
    places = [to_camera @ (corner - middle) for corner in corners]
    return max(1e-3, *(place.z + 1.08 * max(abs(place.x) / across, abs(place.y) / upward) for place in places))


def bounds():
    depsgraph = bpy.context.evaluated_depsgraph_get()
    corners = [
        instance.matrix_world @ Vector(corner)
        for instance in depsgraph.object_instances
        if instance.object.type in {"MESH", "CURVE", "SURFACE", "META", "FONT"} and not instance.object.hide_render
        for corner in instance.object.bound_box
    ] or [Vector((0, 0, 0))]
    low = Vector([min(corner[axis] for corner in corners) for axis in range(3)])
    high = Vector([max(corner[axis] for corner in corners) for axis in range(3)])
    return low, high


def use_workbench():
    scene = bpy.context.scene
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.display.shading.light = "STUDIO"
    scene.display.shading.color_type = "MATERIAL"
    scene.display.shading.show_cavity = True
    scene.display.render_aa = "8"


def use_cycles(samples):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.seed = 0
    scene.cycles.use_denoising = False
    lamps = [each for each in scene.objects if each.type == "LIGHT" and not each.hide_render]
    if not lamps:
        sun = bpy.data.objects.new("Loopwright sun", bpy.data.lights.new("Loopwright sun", "SUN"))
        sun.data.energy = 1.5
        sun.rotation_euler = (math.radians(50), 0, math.radians(30))
        scene.collection.objects.link(sun)


def use_clay(is_clay):
    """Everything of one gray stuff, or each thing of its own."""
    shading = bpy.context.scene.display.shading
    shading.color_type = "SINGLE" if is_clay else shading.color_type
    shading.single_color = (0.6, 0.6, 0.6)
    clay = None
    if is_clay:
        clay = bpy.data.materials.get("Loopwright clay") or bpy.data.materials.new("Loopwright clay")
        clay.diffuse_color = (0.6, 0.6, 0.6, 1)
        clay.roughness = 1
    bpy.context.view_layer.material_override = clay
