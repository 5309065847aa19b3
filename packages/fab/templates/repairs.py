"""What the playbook asks for, done to the scene: one function for each code, with the asset's own figures."""
# needs: parts.py

import math

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Vector


def meshes():
    return [thing for thing in bpy.context.scene.objects if thing.type == "MESH"]


def settle():
    """Every place as it is seen: transforms, parents and modifiers are part of the meshes from here on."""
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in meshes():
        world = thing.matrix_world.copy()
        seen = bpy.data.meshes.new_from_object(thing.evaluated_get(graph))
        thing.modifiers.clear()
        thing.parent = None
        thing.data = seen
        thing.matrix_world = Matrix()
        seen.transform(world)
        if world.determinant() < 0:
            seen.flip_normals()


def bounds(things):
    places = [vertex.co for thing in things for vertex in thing.data.vertices]
    low = Vector(min(place[axis] for place in places) for axis in range(3))
    high = Vector(max(place[axis] for place in places) for axis in range(3))
    return low, high


def move_all(matrix):
    for thing in meshes():
        thing.data.transform(matrix)


def onto_ground():
    low, _ = bounds(meshes())
    move_all(Matrix.Translation((0, 0, -low.z)))


def edited(thing, work):
    """Has a function change a mesh."""
    built = bmesh.new()
    built.from_mesh(thing.data)
    work(built)
    built.to_mesh(thing.data)
    built.free()
    thing.data.update()


# Size and place


def apply_scale(figures):
    move_all(Matrix.Scale(figures["scale"], 4))
    onto_ground()


def fit_sizes(figures):
    """Each side that is out of its range is brought to the nearer end of it, and a little further."""
    low, high = bounds(meshes())
    size = high - low
    ahead, across = (0, 1) if size.x >= size.y else (1, 0)
    if figures["kind"] != "car":
        ahead, across = 0, 1
    factors = [1.0, 1.0, 1.0]
    for axis, name in ((ahead, "length"), (across, "width"), (2, "height")):
        least, most = figures["ranges"][name]
        if size[axis] < least:
            factors[axis] = 1.02 * least / size[axis]
        elif size[axis] > most:
            factors[axis] = 0.98 * most / size[axis]
    move_all(Matrix.Diagonal((*factors, 1.0)))


def turn_over(_figures):
    move_all(Matrix.Rotation(math.pi, 4, "X"))
    onto_ground()


def put_down(_figures):
    onto_ground()


# Wheels and sides


def wheels():
    """Wheels, as lists of the pieces that turn together: round from the side, narrow, and on the ground."""
    things = meshes()
    low, high = bounds(things)
    height = high.z - low.z
    boxes = {thing: bounds([thing]) for thing in things if thing.data.vertices}

    def is_wheel(box):
        size = box[1] - box[0]
        return (
            0.15 * height < size.z < 0.6 * height
            and 0.8 < size.x / size.z < 1.25
            and size.y < 0.8 * size.z
            and box[0].z - low.z < 0.08 * height
        )

    tires = [thing for thing in boxes if is_wheel(boxes[thing])]
    tires.sort(key=lambda thing: -(boxes[thing][1] - boxes[thing][0]).z)
    found = []
    for tire in tires:
        if any(tire in wheel for wheel in found):
            continue
        near, far = boxes[tire]
        middle, radius = (near + far) / 2, (far.z - near.z) / 2
        together = []
        for thing, box in boxes.items():
            own = (box[0] + box[1]) / 2
            away = math.hypot(own.x - middle.x, own.z - middle.z)
            reach = max(box[1].x - box[0].x, box[1].z - box[0].z) / 2
            if away + reach < 1.1 * radius and abs(own.y - middle.y) < radius:
                together.append(thing)
        found.append(together)
    return found


def place_of(wheel):
    near, far = bounds(wheel)
    return (near + far) / 2


def mirrored(thing, at):
    """A copy on the other side."""
    copy = thing.copy()
    copy.data = thing.data.copy()
    copy.name = copy.data.name = other_side(thing.name)
    copy.data.transform(Matrix.Translation((0, 2 * at, 0)) @ Matrix.Scale(-1, 4, (0, 1, 0)))
    copy.data.flip_normals()
    bpy.context.scene.collection.objects.link(copy)
    return copy


def other_side(name):
    if "left" in name:
        return name.replace("left", "right")
    return name.replace("right", "left") if "right" in name else f"{name} mirrored"


def partner_of(wheel, all_wheels, at, tolerance):
    place = place_of(wheel)
    for other in all_wheels:
        there = place_of(other)
        if other is not wheel and (there.y - at) * (place.y - at) < 0 and abs(there.x - place.x) < tolerance:
            return other
    return None


def add_wheels(_figures):
    """Each wheel that has no partner gets one; wheels that stand askew to each other come to stand in pairs."""
    all_wheels = wheels()
    at = body_plane(all_wheels)
    alone = [wheel for wheel in all_wheels if not partner_of(wheel, all_wheels, at, 0.12)]
    for wheel in alone:
        for thing in wheel:
            mirrored(thing, at)


def pair_wheels():
    """Of two wheels that stand askew, the one nearer to the middle is put across from the other. True where some did."""
    all_wheels = wheels()
    at = body_plane(all_wheels)
    alone = [wheel for wheel in all_wheels if not partner_of(wheel, all_wheels, at, 0.12)]
    left = [wheel for wheel in alone if place_of(wheel).y > at]
    right = [wheel for wheel in alone if place_of(wheel).y <= at]
    moved = False
    for one in left:
        if not right:
            break
        other = min(right, key=lambda wheel: abs(place_of(wheel).x - place_of(one).x))
        right.remove(other)
        kept, wrong = sorted((one, other), key=lambda wheel: -abs(place_of(wheel).x))
        for thing in wrong:
            bpy.data.objects.remove(thing, do_unlink=True)
        for thing in kept:
            mirrored(thing, at)
        moved = True
    return moved


def body_plane(all_wheels):
    """The middle plane of what is no wheel."""
    turning = {thing for wheel in all_wheels for thing in wheel}
    rest = [thing for thing in meshes() if thing not in turning]
    low, high = bounds(rest or meshes())
    return (low.y + high.y) / 2


def mirror_sides(_figures):
    """Where a wheel stands askew, that is put right; else the fuller half takes the place of the other."""
    if pair_wheels():
        return
    things = meshes()
    low, high = bounds(things)
    # Half of it is gone where the wheels, or the cut, are on one side of the origin only.
    at = 0.0 if low.y * high.y >= 0 or min(-low.y, high.y) < 0.25 * max(-low.y, high.y) else (low.y + high.y) / 2
    counts = [0, 0]
    for thing in things:
        for polygon in thing.data.polygons:
            counts[1 if polygon.center.y > at else 0] += 1
    sign = 1 if counts[1] >= counts[0] else -1
    for thing in things:

        def cut(built):
            bmesh.ops.bisect_plane(
                built,
                geom=list(built.verts) + list(built.edges) + list(built.faces),
                plane_co=(0, at, 0),
                plane_no=(0, -sign, 0),
                clear_outer=True,
                dist=1e-5,
            )

        near, far = bounds([thing])
        crosses = near.y < at - 1e-4 and far.y > at + 1e-4
        is_other = (far.y if sign > 0 else -near.y) <= sign * at + 1e-4
        if is_other and not crosses:
            bpy.data.objects.remove(thing, do_unlink=True)
            continue
        if crosses:
            edited(thing, cut)
        touches = min(abs(near.y - at), abs(far.y - at)) < 1e-3 or crosses
        copy = mirrored(thing, at)
        if touches:
            join(thing, copy)


def join(thing, copy):
    """Two halves as one mesh, sewn where they meet."""
    built = bmesh.new()
    built.from_mesh(thing.data)
    built.from_mesh(copy.data)
    bmesh.ops.remove_doubles(built, verts=built.verts, dist=1e-4)
    built.to_mesh(thing.data)
    built.free()
    bpy.data.objects.remove(copy, do_unlink=True)


# Surfaces


def turn_outward(_figures):
    for thing in meshes():
        edited(thing, sew_and_turn)


def sew_and_turn(built):
    bmesh.ops.remove_doubles(built, verts=built.verts, dist=1e-5)
    bmesh.ops.recalc_face_normals(built, faces=built.faces)


def close_holes(_figures):
    for thing in meshes():

        def close(built):
            bmesh.ops.remove_doubles(built, verts=built.verts, dist=1e-5)
            loose = [edge for edge in built.edges if not edge.link_faces]
            bmesh.ops.delete(built, geom=loose, context="EDGES")
            crowded = [face for face in built.faces if any(len(edge.link_faces) > 2 for edge in face.edges)]
            inside = [face for face in crowded if all(len(edge.link_faces) > 2 for edge in face.edges)]
            bmesh.ops.delete(built, geom=inside, context="FACES")
            rims = [edge for edge in built.edges if len(edge.link_faces) == 1]
            bmesh.ops.holes_fill(built, edges=rims, sides=0)
            bmesh.ops.recalc_face_normals(built, faces=built.faces)

        edited(thing, close)


def smooth_surface(_figures):
    """Roughness goes and the shape stays: each step inward is followed by a slightly longer one outward (Taubin). Far neighbors
    count for little, so that thin parts keep their ends."""
    for thing in meshes():
        edited(thing, lambda built: bmesh.ops.remove_doubles(built, verts=built.verts, dist=1e-5))
        mesh = thing.data
        places = np.empty(len(mesh.vertices) * 3)
        mesh.vertices.foreach_get("co", places)
        places = places.reshape(-1, 3)
        ends = np.empty(len(mesh.edges) * 2, dtype=np.int64)
        mesh.edges.foreach_get("vertices", ends)
        one, other = ends[0::2], ends[1::2]
        weights = 1 / np.maximum(np.linalg.norm(places[one] - places[other], axis=1), 1e-6)
        total = np.bincount(one, weights, len(places)) + np.bincount(other, weights, len(places))
        for _ in range(SMOOTH_ROUNDS):
            for step in (0.5, -0.53):
                pull = np.zeros_like(places)
                np.add.at(pull, one, weights[:, None] * (places[other] - places[one]))
                np.add.at(pull, other, weights[:, None] * (places[one] - places[other]))
                places = places + step * pull / np.maximum(total, 1e-9)[:, None]
        mesh.vertices.foreach_set("co", places.ravel())
        mesh.update()


SMOOTH_ROUNDS = 12


def triangles():
    total = 0
    for thing in meshes():
        thing.data.calc_loop_triangles()
        total += len(thing.data.loop_triangles)
    return total


def add_triangles(figures):
    least = figures["ranges"]["triangles"][0]
    for _ in range(4):
        if triangles() >= least:
            return
        for thing in meshes():
            edited(thing, lambda built: bmesh.ops.subdivide_edges(built, edges=built.edges, cuts=1, use_grid_fill=True))


def remove_triangles(figures):
    most = figures["ranges"]["triangles"][1]
    share = 0.9 * most / triangles()
    if share >= 1:
        return
    for thing in meshes():
        edited(thing, lambda built: bmesh.ops.remove_doubles(built, verts=built.verts, dist=1e-5))
        thing.modifiers.new("fewer", "DECIMATE").ratio = share
    settle()


# Materials

BLACK = ("tire", "tyre", "rubber", "grille", "trim", "intake")
SHINING = ("rim", "hub", "spoke", "chrome", "handle")


def add_materials(figures):
    """A material for each part by what it is called; the rest is painted as the prompt asks."""
    paint = material("paint", figures.get("color") or (0.35, 0.36, 0.38), metallic=0.3, roughness=0.3)
    dark = material("rubber", (0.015, 0.015, 0.016), roughness=0.85)
    metal = material("metal", (0.55, 0.56, 0.58), metallic=0.9, roughness=0.3)
    glass = material("glass", (0.012, 0.016, 0.02), roughness=0.08)
    lamp = material("lamp", (0.85, 0.86, 0.88), roughness=0.12)
    turning = {thing: True for wheel in wheels() for thing in wheel}
    for thing in meshes():
        name = thing.name.lower()
        if any(word in name for word in BLACK):
            chosen = dark
        elif any(word in name for word in SHINING):
            chosen = metal
        elif "glass" in name or "window" in name:
            chosen = glass
        elif "lamp" in name or "light" in name:
            chosen = lamp
        else:
            chosen = dark if thing in turning else paint
        thing.data.materials.clear()
        thing.data.materials.append(chosen)


def drop_missing_textures(_figures):
    for each in bpy.data.materials:
        if not each.use_nodes:
            continue
        for node in list(each.node_tree.nodes):
            if node.type == "TEX_IMAGE" and (node.image is None or not node.image.has_data):
                each.node_tree.nodes.remove(node)


def repaint(figures):
    """The color that covers most, but for what is black, gray or glass by its nature, becomes the one that was asked for."""
    color = figures.get("color")
    if color is None:
        return
    areas = {}
    for thing in meshes():
        for polygon in thing.data.polygons:
            if polygon.material_index < len(thing.data.materials):
                painted = thing.data.materials[polygon.material_index]
                areas[painted] = areas.get(painted, 0.0) + polygon.area
    largest = max((each for each in areas if each), key=areas.get, default=None)
    if largest is None:
        return add_materials(figures)
    largest.diffuse_color = (*color, 1.0)
    if largest.use_nodes and "Principled BSDF" in largest.node_tree.nodes:
        shader = largest.node_tree.nodes["Principled BSDF"].inputs["Base Color"]
        for link in list(shader.links):
            largest.node_tree.links.remove(link)
        shader.default_value = (*color, 1.0)


def give_texture_places(_figures):
    for thing in meshes():
        unwrap(thing.data)


REPAIRS = {
    "GEO_SCALE_IMPLAUSIBLE": apply_scale,
    "GEO_DIMENSIONS_OUT_OF_RANGE": fit_sizes,
    "GEO_UPSIDE_DOWN": turn_over,
    "GEO_FLOATING": put_down,
    "GEO_WHEEL_COUNT_LOW": add_wheels,
    "GEO_ASYMMETRIC": mirror_sides,
    "GEO_NORMALS_INCONSISTENT": turn_outward,
    "GEO_NON_MANIFOLD": close_holes,
    "GEO_SURFACE_NOISE": smooth_surface,
    "GEO_TRI_COUNT_LOW": add_triangles,
    "GEO_TRI_COUNT_HIGH": remove_triangles,
    "MAT_NONE": add_materials,
    "REAL_LOW_AESTHETIC": add_materials,
    "MAT_MISSING_TEXTURES": drop_missing_textures,
    "REAL_MISSING_TEXTURE": drop_missing_textures,
    "MAT_NO_UVS": give_texture_places,
    "ALIGN_ATTRIBUTE_MISMATCH": repaint,
    "ALIGN_LOW_SIMILARITY": repaint,
}


def repair(codes, figures):
    """Does what each code asks for, in order, and says what it did."""
    settle()
    for code in codes:
        REPAIRS[code](figures)
        print(f"{code}: {REPAIRS[code].__name__.replace('_', ' ')}")
