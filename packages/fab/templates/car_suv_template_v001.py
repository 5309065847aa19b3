"""An SUV: two boxes, high on its wheels, with cladding and roof rails. Every measure is drawn from its range by the seed."""
# needs: parts.py car.py

import random

COLORS = ("black", "blue", "green", "orange", "red", "silver", "white")


def build(seed, color=None):
    draw = random.Random(f"suv {seed}")
    length, width, height = draw.uniform(4.4, 4.85), draw.uniform(1.86, 1.96), draw.uniform(1.64, 1.78)
    radius, base = draw.uniform(0.355, 0.385), draw.uniform(0.585, 0.61)
    front = 0.5 - draw.uniform(0.185, 0.2)
    clearance, belt = draw.uniform(0.21, 0.25), draw.uniform(0.59, 0.62) * height
    cowl = draw.uniform(0.255, 0.275)
    hood = belt + draw.uniform(0.06, 0.09)
    name = color or draw.choice(COLORS)
    build_car(
        {
            "length": length,
            "width": width,
            "height": height,
            "radius": radius,
            "arch": radius + 0.07,
            "tire": 0.235,
            "rim_share": draw.uniform(0.66, 0.7),
            "spokes": draw.choice((5, 6, 7, 10)),
            "spoke_width": draw.uniform(0.08, 0.12),
            "front_axle": front * length,
            "rear_axle": (front - base) * length,
            "floor": [(0.0, clearance + 0.12), (0.06, clearance), (0.92, clearance), (1.0, clearance + 0.14)],
            "plan": [(0.0, 0.78), (0.02, 0.87), (0.1, 0.96), (0.22, 1.0), (0.85, 1.0), (0.95, 0.97), (1.0, 0.88)],
            "belt": [(0.0, 0.42 * height), (0.03, 0.5 * height), (0.18, belt - 0.03), (0.6, belt), (0.96, belt + 0.03), (1.0, belt - 0.06)],
            "top": [
                (0.0, 0.47 * height),
                (0.03, 0.55 * height),
                (cowl, hood),
                (0.38, height - 0.015),
                (0.5, height),
                (0.86, height - 0.04),
                (0.975, belt + 0.1),
                (1.0, belt - 0.02),
            ],
            "cowl": cowl,
            "roof_front": 0.375,
            "roof_rear": 0.875,
            "deck": 0.968,
            "windows": (0.325, 0.875),
            "pillars": ((0.505, 0.53), (0.705, 0.73)),
            "handles": (0.475, 0.65),
            "mirror": 0.32,
            "cladding": True,
            "rails": True,
            "lamp_height": 0.44 * height,
            "face": 0.04,
            "grille_face": 0.008,
            "back_face": 0.03,
            "tail_height": belt - 0.2,
            "tail_tall": 0.2,
            "plate_height": 0.42 * height,
        },
        {"paint": PAINTS[name], "rim": draw.choice(((0.5, 0.5, 0.52), (0.2, 0.2, 0.21)))},
    )
