from matrix import identity, multiply, power, trace, zeros


def test_writing_one_cell():
    grid = zeros(3, 2)
    grid[1][0] = 7
    assert grid == [[0, 0], [7, 0], [0, 0]]


def test_identity_changes_nothing():
    m = [[2, 0, 1], [1, 3, 5], [4, 4, 4]]
    assert multiply(identity(3), m) == m
    assert multiply(m, identity(3)) == m


def test_tall_times_wide():
    assert multiply([[1], [2], [3]], [[4, 5]]) == [[4, 5], [8, 10], [12, 15]]


def test_power_zero_and_one():
    m = [[2, 1], [0, 2]]
    assert power(m, 0) == [[1, 0], [0, 1]]
    assert power(m, 1) == m
    assert power(m, 3) == [[8, 12], [0, 8]]


def test_trace_of_identity():
    assert trace(identity(4)) == 4
    assert sum(map(sum, identity(4))) == 4
