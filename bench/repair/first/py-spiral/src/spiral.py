def ring(top, left, bottom, right):
    """Cells of a rectangular ring, clockwise from its top left corner."""
    for col in range(left, right + 1):
        yield top, col
    for row in range(top + 1, bottom + 1):
        yield row, right
    for col in range(right - 1, left - 1, -1):
        yield bottom, col
    for row in range(bottom - 1, top, -1):
        yield row, left


def spiral_cells(rows, cols):
    for depth in range((min(rows, cols) + 1) // 2):
        yield from ring(depth, depth, rows - 1 - depth, cols - 1 - depth)


def unroll(grid):
    """The values of a grid in spiral order."""
    if not grid:
        return []
    return [grid[r][c] for r, c in spiral_cells(len(grid), len(grid[0]))]


def roll(values, rows, cols):
    """A grid filled with the values in spiral order."""
    values = list(values)
    if len(values) != rows * cols:
        raise ValueError("wrong number of values")
    grid = [[None] * cols for _ in range(rows)]
    for value, (r, c) in zip(values, spiral_cells(rows, cols)):
        grid[r][c] = value
    return grid
