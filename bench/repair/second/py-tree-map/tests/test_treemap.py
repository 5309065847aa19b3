import pytest

from treemap import TreeMap


def build(keys):
    return TreeMap((k, str(k)) for k in keys)


def test_sorted_keys():
    assert build([5, 2, 8, 1]).keys() == [1, 2, 5, 8]


def test_overwrite():
    tree = TreeMap([("a", 1), ("b", 2), ("a", 3)])
    assert list(tree.items()) == [("a", 3), ("b", 2)]


def test_missing_key():
    with pytest.raises(KeyError):
        build([1, 2])[3]
    tree = build([1, 2])
    with pytest.raises(KeyError):
        del tree[3]


def test_remove_leaf_and_single_child():
    tree = build([5, 2, 8, 1])
    del tree[1]
    del tree[8]
    assert tree.keys() == [2, 5]


def test_remove_node_with_two_leaves():
    tree = build([5, 2, 8])
    del tree[5]
    assert tree.keys() == [2, 8]


def test_remove_root_of_bigger_tree():
    tree = build([50, 25, 75, 60, 90])
    del tree[50]
    assert tree.keys() == [25, 60, 75, 90]
    assert tree[60] == "60"
