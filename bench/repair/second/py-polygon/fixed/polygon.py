from math import hypot


class Polygon:
    """A simple polygon given by its corners in order (either direction)."""

    def __init__(self, corners):
        corners = list(corners)
        if len(corners) < 3:
            raise ValueError("a polygon needs at least three corners")
        self.corners = corners

    def edges(self):
        return zip(self.corners, self.corners[1:] + self.corners[:1])

    def area(self):
        twice = sum(ax * by - bx * ay for (ax, ay), (bx, by) in self.edges())
        return abs(twice) / 2

    def perimeter(self):
        return sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in self.edges())

    def contains(self, point):
        """True for points inside the polygon or on its boundary."""
        x, y = point
        inside = False
        for (ax, ay), (bx, by) in self.edges():
            if _on_segment(point, (ax, ay), (bx, by)):
                return True
            if (ay > y) != (by > y):
                crossing = ax + (y - ay) * (bx - ax) / (by - ay)
                if x < crossing:
                    inside = not inside
        return inside


def _on_segment(point, a, b):
    (x, y), (ax, ay), (bx, by) = point, a, b
    if (bx - ax) * (y - ay) != (by - ay) * (x - ax):
        return False
    return min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by)
