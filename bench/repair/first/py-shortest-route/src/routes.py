import heapq
from math import inf


class RoadMap:
    def __init__(self, roads=()):
        self._next = {}
        for a, b, km in roads:
            self.add(a, b, km)

    def add(self, a, b, km):
        if km < 0:
            raise ValueError("a road cannot have a negative length")
        self._next.setdefault(a, []).append((b, km))
        self._next.setdefault(b, []).append((a, km))

    def _search(self, start):
        best = {start: 0}
        came_from = {}
        heap = [(0, start)]
        while heap:
            dist, town = heapq.heappop(heap)
            if dist > best[town]:
                continue
            for other, km in self._next.get(town, []):
                total = dist + km
                if other in best:
                    continue
                best[other] = total
                came_from[other] = town
                heapq.heappush(heap, (total, other))
        return best, came_from

    def distance(self, start, goal):
        return self._search(start)[0].get(goal, inf)

    def route(self, start, goal):
        best, came_from = self._search(start)
        if goal not in best:
            return None
        path = [goal]
        while path[-1] != start:
            path.append(came_from[path[-1]])
        return path[::-1]

    def within(self, start, km):
        best, _ = self._search(start)
        return sorted(t for t, d in best.items() if d <= km and t != start)
