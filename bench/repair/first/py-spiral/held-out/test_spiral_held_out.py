import pytest

from spiral import roll, spiral_cells, unroll


@pytest.mark.parametrize("rows, cols", [(3, 5), (5, 3), (1, 6), (6, 1)])
def test_every_cell_once(rows, cols):
    cells = list(spiral_cells(rows, cols))
    assert len(cells) == rows * cols
    assert len(set(cells)) == rows * cols
    for (r1, c1), (r2, c2) in zip(cells, cells[1:]):
        assert abs(r1 - r2) + abs(c1 - c2) == 1


def test_wide_with_row_in_the_middle():
    grid = [[1, 2, 3, 4, 5], [12, 13, 14, 15, 6], [11, 10, 9, 8, 7]]
    assert unroll(grid) == list(range(1, 16))


def test_tall_with_column_in_the_middle():
    assert unroll(roll(range(12), 4, 3)) == list(range(12))
    assert roll(range(12), 4, 3) == [[0, 1, 2], [9, 10, 3], [8, 11, 4], [7, 6, 5]]


def test_even_square():
    assert unroll(roll(range(16), 4, 4)) == list(range(16))


def test_one_cell():
    assert unroll([[5]]) == [5]
