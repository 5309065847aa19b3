import math
from dataclasses import dataclass

POINTS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]


@dataclass(frozen=True)
class Reading:
    degrees: float  # where the wind comes from, 0 = north, 90 = east
    speed: float

    def components(self):
        """The (east, north) parts of the wind."""
        angle = math.radians(self.degrees)
        return self.speed * math.sin(angle), self.speed * math.cos(angle)


def compass_point(degrees):
    return POINTS[round(degrees / 45) % 8]


def mean_speed(readings):
    if not readings:
        return 0.0
    return sum(r.speed for r in readings) / len(readings)


def mean_direction(readings):
    """Direction of the prevailing wind in degrees (0 <= d < 360), weighted by speed.

    None when there is no prevailing direction: no readings, or winds that
    cancel each other out.
    """
    total = sum(r.speed for r in readings)
    if total == 0:
        return None
    return round(sum(r.degrees * r.speed for r in readings) / total, 6) % 360


def summary(readings):
    direction = mean_direction(readings)
    if direction is None:
        return "variable"
    return f"{compass_point(direction)} {mean_speed(readings):.1f}"
