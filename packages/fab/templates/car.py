"""A passenger car of a dictionary of measures: one closed body with windows, wheels and lamps as parts of their own.

It stands on the ground and faces +x. Stations go from the nose (0) to the tail (1); a section goes from the middle of the floor
outward, up the side, and over the roof to the middle.
"""

import math

PAINTS = {
    "black": (0.012, 0.012, 0.014),
    "blue": (0.015, 0.055, 0.26),
    "green": (0.015, 0.11, 0.045),
    "grey": (0.11, 0.115, 0.12),
    "orange": (0.55, 0.13, 0.012),
    "red": (0.42, 0.012, 0.015),
    "silver": (0.42, 0.43, 0.45),
    "white": (0.72, 0.72, 0.7),
}


def build_car(m, colors):
    clear()
    paint = material("paint", colors["paint"], metallic=0.35, roughness=0.28)
    glass = material("glass", (0.012, 0.016, 0.02), roughness=0.06)
    trim = material("trim", (0.018, 0.018, 0.02), roughness=0.65)
    rubber = material("rubber", (0.014, 0.014, 0.015), roughness=0.9)
    rim = material("rim", colors["rim"], metallic=0.9, roughness=0.3)
    chrome = material("chrome", (0.6, 0.6, 0.62), metallic=1.0, roughness=0.15)
    lamp = material("lamp", (0.85, 0.87, 0.9), roughness=0.1)
    red = material("red lamp", (0.45, 0.01, 0.012), roughness=0.2)
    plate = material("plate", (0.75, 0.75, 0.72), roughness=0.5)
    body(m, paint, glass, trim)
    for name, x in (("front", m["front_axle"]), ("rear", m["rear_axle"])):
        for side, sign in (("left", 1), ("right", -1)):
            wheel(m, f"{name} {side}", (x, sign * (m["width"] / 2 - m["tire"] / 2 - 0.02), m["radius"]), sign, rubber, rim)
    details(m, paint, trim, chrome, lamp, red, plate, glass)


def stations(m):
    """Where the sections stand: close together at the ends, round the wheels and at pillars."""
    length, radius = m["length"], m["arch"]
    at = {0.0, 0.006, 0.02, 0.05, 0.1, 0.5, 0.9, 0.95, 0.98, 0.994, 1.0}
    at.update((m["cowl"], m["roof_front"], m["roof_rear"], m["deck"]))
    at.update(((m["cowl"] + m["roof_front"]) / 2, (m["roof_rear"] + m["deck"]) / 2))
    at.update(edge for pillar in m["pillars"] for edge in pillar)
    at.update(m["windows"])
    for axle in (m["front_axle"], m["rear_axle"]):
        middle = 0.5 - axle / length
        at.update(middle + part * radius / length for part in (-1.12, -1.0, -0.92, -0.72, -0.4, 0, 0.4, 0.72, 0.92, 1.0, 1.12))
    kept = []
    for each in sorted(at):
        if not kept or each - kept[-1] > 0.0045:
            kept.append(each)
    return [min(max(each, 0.0), 1.0) for each in kept]


def section(m, t):
    """Half of the outline at a station: places across and up."""
    x = m["length"] * (0.5 - t)
    floor = along(m["floor"], t)
    half = m["width"] / 2 * along(m["plan"], t)
    belt = along(m["belt"], t)
    roof = max(along(m["top"], t), belt + 0.03)
    cabin = min(1.0, max(0.0, (roof - belt - 0.05) / (0.6 * (m["height"] - belt))))
    arch = floor + 0.03
    for axle in (m["front_axle"], m["rear_axle"]):
        away = abs(x - axle) / m["arch"]
        if away < 1:
            arch = max(arch, m["radius"] + m["arch"] * math.sqrt(1 - away * away))
    arch = min(arch, belt - 0.1)
    inner = min(half - 0.05, m["width"] / 2 - m["tire"] - 0.07)
    base, rail = half * (0.93 - 0.02 * cabin), half * (0.86 - 0.13 * cabin)
    lift = roof - belt
    return x, [
        (0.0, floor),
        (inner, floor),
        (inner, arch),
        (half * 0.985, arch),
        (half, arch + 0.45 * (belt - arch)),
        (half * 0.985, belt - 0.02),
        (base, belt + 0.02),
        (rail, belt + 0.02 + lift * (0.86 if cabin > 0.3 else 0.55)),
        (rail * 0.62, roof - 0.012),
        (0.0, roof),
    ]


def body(m, paint, glass, trim):
    at = stations(m)
    places, faces, owners = [], [], []
    count = 18
    for t in at:
        x, half = section(m, t)
        places += [(x, y, z) for y, z in half] + [(x, -y, z) for y, z in half[8:0:-1]]
    for number in range(len(at) - 1):
        middle = (at[number] + at[number + 1]) / 2
        for each in range(count):
            after = (each + 1) % count
            here, there = number * count, (number + 1) * count
            faces.append((here + each, here + after, there + after, there + each))
            owners.append(owner_of(m, middle, min(each, count - 1 - each)))
    for first, last in ((0, False), ((len(at) - 1) * count, True)):
        for each in range(9):
            left, right = (each, each + 1), ((count - each) % count, count - each - 1)
            corners = [first + left[0], first + left[1], first + right[1] % count, first + right[0]]
            faces.append(tuple(dict.fromkeys(corners)))
            owners.append(2 if each < 3 else 0)
    solid("body", places, faces, [paint, glass, trim], owners, subdivide=2)


def owner_of(m, t, segment):
    """The material of the faces at a station: 0 paint, 1 glass, 2 trim."""
    if segment < 3:
        return 2
    if segment == 3 and m["cladding"]:
        return 2
    if segment == 6 and m["windows"][0] < t < m["windows"][1]:
        return 2 if any(left < t < right for left, right in m["pillars"]) else 1
    if segment >= 7 and (m["cowl"] < t < m["roof_front"] or m["roof_rear"] < t < m["deck"]):
        return 1
    return 0


def wheel(m, name, middle, sign, rubber, rim):
    radius, half = m["radius"], m["tire"] / 2
    inside = radius * m["rim_share"]
    tire = [
        (inside, -half * 0.8),
        (inside + 0.02, -half * 0.95),
        (radius * 0.93, -half),
        (radius * 0.985, -half * 0.85),
        (radius, -half * 0.6),
        (radius, half * 0.6),
        (radius * 0.985, half * 0.85),
        (radius * 0.93, half),
        (inside + 0.02, half * 0.95),
        (inside, half * 0.8),
    ]
    lathe(f"tire {name}", tire, 48, rubber, middle)
    out = sign * half
    barrel = [
        (inside * 0.86, -half * 0.75),
        (inside * 1.005, -half * 0.8),
        (inside * 1.005, half * 0.8),
        (inside * 0.86, half * 0.75),
    ]
    lathe(f"rim {name}", barrel, 48, rim, middle)
    hub = [(0.004, out * 0.2), (inside * 0.26, out * 0.2), (inside * 0.24, out * 0.62), (0.004, out * 0.68)]
    lathe(f"hub {name}", hub, 24, rim, middle)
    disc = [(0.004, out * 0.05), (inside * 0.9, out * 0.05), (inside * 0.9, out * 0.15), (0.004, out * 0.15)]
    lathe(f"brake {name}", disc, 32, rubber, middle)
    for spoke in range(m["spokes"]):
        angle = 2 * math.pi * spoke / m["spokes"]
        cosine, sine = math.cos(angle), math.sin(angle)

        def turn(x, y, z):
            return (middle[0] + x * cosine - z * sine, middle[1] + y, middle[2] + x * sine + z * cosine)

        wide = inside * m["spoke_width"]
        low, high = sorted((out * 0.3, out * 0.6))
        block(f"spoke {name} {spoke}", (-wide, low, inside * 0.15), (wide, high, inside * 0.95), rim, 0.008, 2, turn)


def details(m, paint, trim, chrome, lamp, red, plate, glass):
    length, width = m["length"], m["width"]
    nose, tail = length / 2, -length / 2
    lamp_height, face = m["lamp_height"], m["face"]

    def on_body(t, height):
        """How far out the side is at a station, by its plan."""
        return width / 2 * along(m["plan"], t)

    for side, sign in (("left", 1), ("right", -1)):
        front = on_body(0.03, lamp_height)
        ends = sorted((sign * front * 0.56, sign * front * 0.93))
        block(f"headlamp {side}", (nose - 0.22, ends[0], lamp_height), (nose - face, ends[1], lamp_height + 0.12), lamp, 0.03, 3)
        back = on_body(0.985, lamp_height)
        ends = sorted((sign * back * 0.58, sign * back * 0.97))
        block(f"tail lamp {side}", (tail + m["back_face"], ends[0], m["tail_height"]), (tail + 0.2, ends[1], m["tail_height"] + m["tail_tall"]), red, 0.025, 3)
        mirror = length * (0.5 - m["mirror"])
        belt = along(m["belt"], m["mirror"])
        ends = sorted((sign * (width / 2 - 0.09), sign * (width / 2 + 0.1)))
        block(f"mirror {side}", (mirror - 0.06, ends[0], belt + 0.02), (mirror + 0.06, ends[1], belt + 0.15), paint, 0.035, 3)
        for number, t in enumerate(m["handles"]):
            x = length * (0.5 - t)
            out = on_body(t, belt)
            ends = sorted((sign * (out - 0.03), sign * (out + 0.018)))
            z = along(m["belt"], t) - 0.11
            block(f"handle {side} {number}", (x - 0.09, ends[0], z), (x + 0.09, ends[1], z + 0.03), chrome, 0.01, 2)
    grille = on_body(0.02, lamp_height) * 0.5
    block("grille", (nose - 0.15, -grille, lamp_height - 0.09), (nose - m["grille_face"], grille, lamp_height + 0.08), trim, 0.02, 2)
    block("grille bar", (nose - 0.15, -grille, lamp_height - 0.01), (nose - m["grille_face"] + 0.012, grille, lamp_height + 0.012), chrome, 0.004, 2)
    low = along(m["floor"], 0.02) + 0.09
    block("intake", (nose - 0.15, -grille * 1.2, low), (nose - m["grille_face"] - 0.002, grille * 1.2, low + 0.09), trim, 0.02, 2)
    block("front plate", (nose - 0.15, -0.26, low + 0.1), (nose - m["grille_face"] + 0.02, 0.26, low + 0.21), plate, 0.006, 1)
    block("rear plate", (tail + m["back_face"] - 0.012, -0.26, m["plate_height"]), (tail + 0.15, 0.26, m["plate_height"] + 0.11), plate, 0.006, 1)
    if m["rails"]:
        roof = m["height"] - 0.1
        first, last = length * (0.5 - m["roof_front"]) - 0.2, length * (0.5 - m["roof_rear"]) + 0.1
        for side, sign in (("left", 1), ("right", -1)):
            y = sign * width / 2 * 0.66
            block(f"roof rail {side}", (last, y - 0.02, roof - 0.03), (first, y + 0.02, roof + 0.05), trim, 0.015, 2)
