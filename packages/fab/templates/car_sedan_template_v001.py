"""A sedan: three boxes, four doors. Every measure is drawn from its range by the seed."""
# needs: parts.py car.py

import random

COLORS = ("black", "blue", "green", "grey", "red", "silver", "white")


def build(seed, color=None):
    draw = random.Random(f"sedan {seed}")
    length, width, height = draw.uniform(4.5, 4.9), draw.uniform(1.8, 1.88), draw.uniform(1.42, 1.5)
    radius, base = draw.uniform(0.32, 0.345), draw.uniform(0.585, 0.61)
    front = 0.5 - draw.uniform(0.185, 0.2)
    clearance, belt = draw.uniform(0.16, 0.19), draw.uniform(0.6, 0.63) * height
    cowl, deck = draw.uniform(0.275, 0.295), draw.uniform(0.815, 0.835)
    hood, trunk = belt + draw.uniform(0.05, 0.07), belt + draw.uniform(0.06, 0.09)
    name = color or draw.choice(COLORS)
    build_car(
        {
            "length": length,
            "width": width,
            "height": height,
            "radius": radius,
            "arch": radius + 0.065,
            "tire": 0.21,
            "rim_share": draw.uniform(0.68, 0.72),
            "spokes": draw.choice((5, 7, 9, 10)),
            "spoke_width": draw.uniform(0.07, 0.1),
            "front_axle": front * length,
            "rear_axle": (front - base) * length,
            "floor": [(0.0, clearance + 0.1), (0.06, clearance), (0.9, clearance), (1.0, clearance + 0.14)],
            "plan": [(0.0, 0.74), (0.02, 0.84), (0.1, 0.95), (0.24, 1.0), (0.8, 1.0), (0.93, 0.95), (0.985, 0.88), (1.0, 0.8)],
            "belt": [(0.0, 0.4 * height), (0.03, 0.48 * height), (0.2, belt - 0.04), (0.6, belt), (0.93, belt + 0.02), (1.0, belt - 0.1)],
            "top": [
                (0.0, 0.44 * height),
                (0.03, 0.51 * height),
                (cowl, hood),
                (0.42, height - 0.015),
                (0.52, height),
                (0.66, height - 0.03),
                (deck, trunk),
                (0.97, trunk - 0.02),
                (1.0, trunk - 0.14),
            ],
            "cowl": cowl,
            "roof_front": 0.415,
            "roof_rear": 0.675,
            "deck": deck,
            "windows": (0.35, 0.775),
            "pillars": ((0.528, 0.552), (0.715, 0.73)),
            "handles": (0.5, 0.665),
            "mirror": 0.345,
            "cladding": False,
            "rails": False,
            "lamp_height": 0.415 * height,
            "face": 0.045,
            "grille_face": 0.01,
            "back_face": 0.02,
            "tail_height": belt - 0.17,
            "tail_tall": 0.13,
            "plate_height": 0.4 * height,
        },
        {"paint": PAINTS[name], "rim": draw.choice(((0.5, 0.5, 0.52), (0.25, 0.25, 0.26)))},
    )
