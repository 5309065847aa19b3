"""A chair to sit at a table on: four legs, a frame, a padded seat and a back of slats. Every measure is drawn by the seed."""
# needs: parts.py

import random

WOODS = {"oak": (0.36, 0.2, 0.09), "walnut": (0.1, 0.045, 0.02), "beech": (0.5, 0.31, 0.16), "black": (0.015, 0.015, 0.016)}
CLOTHS = {"red": (0.3, 0.02, 0.02), "blue": (0.03, 0.07, 0.22), "grey": (0.16, 0.16, 0.17), "green": (0.04, 0.14, 0.07)}


def build(seed, color=None):
    draw = random.Random(f"chair {seed}")
    width, depth = draw.uniform(0.42, 0.5), draw.uniform(0.43, 0.5)
    seat, top = draw.uniform(0.43, 0.47), draw.uniform(0.85, 1.0)
    leg, lean = draw.uniform(0.035, 0.045), draw.uniform(0.05, 0.1)
    slats = draw.choice((3, 4, 5))
    clear()
    wood_name = draw.choice(sorted(WOODS))
    wood = material(f"{wood_name} wood", WOODS[wood_name], roughness=0.45)
    cloth_name = color if color in CLOTHS else draw.choice(sorted(CLOTHS))
    cloth = material(f"{cloth_name} cloth", CLOTHS[cloth_name], roughness=0.95)
    front, back, half = depth / 2, -depth / 2, width / 2

    def leaning(x, y, z):
        """The back leans away above the seat."""
        return (x - lean * max(0.0, (z - seat) / (top - seat)) ** 1.2, y, z)

    def tapered(x, y, z):
        """Legs are slimmer at the foot."""
        part = 0.7 + 0.3 * min(1.0, z / seat)
        middle_x = front - leg / 2 if x > 0 else back + leg / 2
        middle_y = (half - leg / 2) * (1 if y > 0 else -1)
        return leaning(middle_x + (x - middle_x) * part, middle_y + (y - middle_y) * part, z)

    for side, sign in (("left", 1), ("right", -1)):
        ends = sorted((sign * half, sign * (half - leg)))
        block(f"front leg {side}", (front - leg, ends[0], 0.0), (front, ends[1], seat - 0.03), wood, 0.006, 3, tapered)
        post(f"back leg {side}", (back, ends[0]), (back + leg, ends[1]), top, wood, tapered)
        block(f"side rail {side}", (back + leg * 0.5, ends[0] + 0.006, seat - 0.09), (front - leg * 0.5, ends[1] - 0.006, seat - 0.03), wood, 0.005, 3)
    block("front rail", (front - leg + 0.006, -half + leg * 0.5, seat - 0.09), (front - 0.006, half - leg * 0.5, seat - 0.03), wood, 0.005, 3)
    block("back rail", (back + 0.006, -half + leg * 0.5, seat - 0.09), (back + leg - 0.006, half - leg * 0.5, seat - 0.03), wood, 0.005, 3)
    cushion(seat, (back + leg * 0.8, front + 0.01), half + 0.008, cloth)
    first, last = seat + 0.13, top - 0.02
    for slat in range(slats):
        low = first + (last - first) * slat / slats
        high = low + (last - first) / slats * 0.62
        block(f"slat {slat}", (back + 0.01, -half + leg * 0.6, low), (back + leg - 0.012, half - leg * 0.6, high), wood, 0.005, 3, leaning)


def post(name, low, high, top, wood, shift):
    """An upright of several storeys, so that it can bend."""
    storeys, ring = 16, 4
    places, faces = [], []
    for storey in range(storeys + 1):
        z = top * storey / storeys
        places += [shift(low[0], low[1], z), shift(high[0], low[1], z), shift(high[0], high[1], z), shift(low[0], high[1], z)]
    for storey in range(storeys):
        for each in range(ring):
            here, after = storey * ring, (each + 1) % ring
            faces.append((here + each, here + after, here + ring + after, here + ring + each))
    faces += [(0, 1, 2, 3), tuple(storeys * ring + each for each in (3, 2, 1, 0))]
    solid(name, places, faces, [wood], smooth=False)


def cushion(seat, ends, half, cloth):
    """A pad that is thickest in the middle."""
    steps = 14

    def place(number, row, is_top):
        u, v = 2 * number / steps - 1, 2 * row / steps - 1
        swell = (1 - u**6) * (1 - v**6)
        x = (ends[0] + ends[1]) / 2 + (ends[1] - ends[0]) / 2 * u
        z = seat - 0.03 + (0.035 + 0.03 * swell if is_top else 0.0)
        return (x, half * v, z)

    count = (steps + 1) ** 2
    places = [place(n, r, False) for n in range(steps + 1) for r in range(steps + 1)]
    places += [place(n, r, True) for n in range(steps + 1) for r in range(steps + 1)]
    faces = []
    for number in range(steps):
        for row in range(steps):
            a = number * (steps + 1) + row
            b = a + steps + 1
            faces += [(a, a + 1, b + 1, b), (count + a, count + b, count + b + 1, count + a + 1)]
    rim = [n * (steps + 1) for n in range(steps + 1)]
    rim += [steps * (steps + 1) + r for r in range(1, steps + 1)]
    rim += [n * (steps + 1) + steps for n in range(steps - 1, -1, -1)]
    rim += [r for r in range(steps - 1, 0, -1)]
    for one, other in zip(rim, rim[1:] + rim[:1]):
        faces.append((one, other, count + other, count + one))
    solid("seat cushion", places, faces, [cloth])
