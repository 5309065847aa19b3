"""What templates are built of: closed meshes with materials and texture places, made the same way every time."""

import math

import bmesh
import bpy


def clear():
    """Takes everything out of the scene."""
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing, do_unlink=True)


def material(name, color, metallic=0.0, roughness=0.5):
    """A material; the color is linear, red, green and blue."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.diffuse_color = (*color, 1.0)
    made.metallic = metallic
    made.roughness = roughness
    inputs = made.node_tree.nodes["Principled BSDF"].inputs
    inputs["Base Color"].default_value = (*color, 1.0)
    inputs["Metallic"].default_value = metallic
    inputs["Roughness"].default_value = roughness
    return made


def solid(name, places, faces, materials, owners=None, smooth=True, subdivide=0):
    """An object of a closed surface. `owners` has the number of each face's material."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(places, [], faces)
    for each in materials:
        mesh.materials.append(each)
    for number, polygon in enumerate(mesh.polygons):
        polygon.material_index = owners[number] if owners else 0
    built = bmesh.new()
    built.from_mesh(mesh)
    bmesh.ops.remove_doubles(built, verts=built.verts, dist=1e-6)
    bmesh.ops.recalc_face_normals(built, faces=built.faces)
    built.to_mesh(mesh)
    built.free()
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    if subdivide:
        modifier = thing.modifiers.new("smooth", "SUBSURF")
        modifier.levels = modifier.render_levels = subdivide
        bpy.context.view_layer.update()
        smoothed = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        thing.data = bpy.data.meshes.new_from_object(smoothed)
        thing.modifiers.clear()
    for polygon in thing.data.polygons:
        polygon.use_smooth = smooth
    unwrap(thing.data)
    return thing


def unwrap(mesh):
    """Texture places: each face as it is seen along the axis that it faces most, in cells of their own."""
    while mesh.uv_layers:
        mesh.uv_layers.remove(mesh.uv_layers[0])
    layer = mesh.uv_layers.new(name="places")
    corners = [vertex.co for vertex in mesh.vertices]
    low = [min(place[axis] for place in corners) for axis in range(3)]
    size = max(max(place[axis] for place in corners) - low[axis] for axis in range(3)) or 1.0
    for polygon in mesh.polygons:
        normal = polygon.normal
        axis = max(range(3), key=lambda each: abs(normal[each]))
        across, up = [each for each in range(3) if each != axis]
        cell = axis + (3 if normal[axis] < 0 else 0)
        for loop in polygon.loop_indices:
            place = corners[mesh.loops[loop].vertex_index]
            u = 0.98 * (place[across] - low[across]) / size
            v = 0.98 * (place[up] - low[up]) / size
            layer.data[loop].uv = ((cell % 3 + 0.01 + u) / 3, (cell // 3 + 0.01 + v) / 2)


def lathe(name, outline, segments, owner, middle, twist=0.0):
    """A ring turned round an axle along y: `outline` is closed, of radius and place along the axle."""
    places, faces = [], []
    count = len(outline)
    for segment in range(segments):
        angle = 2 * math.pi * segment / segments + twist
        for radius, along in outline:
            places.append(
                (middle[0] + radius * math.sin(angle), middle[1] + along, middle[2] - radius * math.cos(angle))
            )
    for segment in range(segments):
        here, there = segment * count, (segment + 1) % segments * count
        for each in range(count):
            after = (each + 1) % count
            faces.append((here + each, here + after, there + after, there + each))
    return solid(name, places, faces, [owner])


def block(name, low, high, owner, round_by=0.0, steps=2, shift=None):
    """A box from corner to corner, its edges rounded; `shift` moves a place of it."""
    built = bmesh.new()
    bmesh.ops.create_cube(built, size=1.0)
    for vertex in built.verts:
        vertex.co = [low[axis] if vertex.co[axis] < 0 else high[axis] for axis in range(3)]
    if round_by:
        bmesh.ops.bevel(
            built, geom=list(built.edges), offset=round_by, segments=steps, affect="EDGES", profile=0.5
        )
    if shift:
        for vertex in built.verts:
            vertex.co = shift(*vertex.co)
    places = [tuple(vertex.co) for vertex in built.verts]
    built.verts.index_update()
    faces = [tuple(vertex.index for vertex in face.verts) for face in built.faces]
    built.free()
    return solid(name, places, faces, [owner], smooth=bool(round_by))


def along(knots, at):
    """The value at a place between knots, smoothly and without overshoot."""
    if at <= knots[0][0]:
        return knots[0][1]
    for (left, low), (right, high) in zip(knots, knots[1:]):
        if at <= right:
            part = (at - left) / (right - left)
            return low + (high - low) * part * part * (3 - 2 * part)
    return knots[-1][1]
