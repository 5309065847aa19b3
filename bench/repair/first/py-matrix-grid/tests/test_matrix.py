import pytest

from matrix import identity, multiply, power, shape, trace, transpose, zeros


def test_zeros():
    assert zeros(2, 3) == [[0, 0, 0], [0, 0, 0]]


def test_transpose_and_shape():
    t = transpose([[1, 2, 3], [4, 5, 6]])
    assert t == [[1, 4], [2, 5], [3, 6]]
    assert shape(t) == (3, 2)


def test_one_row_product():
    assert multiply([[1, 2]], [[3], [4]]) == [[11]]


def test_shapes_must_fit():
    with pytest.raises(ValueError):
        multiply([[1, 2]], [[1, 2]])


def test_identity():
    assert identity(2) == [[1, 0], [0, 1]]


def test_product():
    assert multiply([[1, 2], [3, 4]], [[5, 6], [7, 8]]) == [[19, 22], [43, 50]]


def test_fibonacci_by_power():
    assert power([[1, 1], [1, 0]], 10) == [[89, 55], [55, 34]]


def test_trace():
    assert trace([[1, 9], [9, 5]]) == 6
