import random

from treemap import TreeMap


def build(keys):
    return TreeMap((k, k * 10) for k in keys)


def test_successor_with_its_own_right_subtree():
    tree = build([50, 20, 80, 60, 70, 65, 90])
    del tree[50]
    assert tree.keys() == [20, 60, 65, 70, 80, 90]


def test_inner_node():
    tree = build([100, 40, 120, 20, 60, 50, 70, 45])
    del tree[40]
    assert tree.keys() == [20, 45, 50, 60, 70, 100, 120]
    assert tree[45] == 450
    assert tree[60] == 600


def test_values_follow_their_keys():
    tree = build([8, 4, 12, 10, 14, 9, 11])
    del tree[8]
    assert list(tree.items()) == [(k, k * 10) for k in (4, 9, 10, 11, 12, 14)]


def test_insert_after_removal():
    tree = build([8, 4, 12, 10])
    del tree[8]
    tree[9] = 90
    tree[11] = 110
    assert tree.keys() == [4, 9, 10, 11, 12]
    assert tree[12] == 120


def test_remove_everything_in_random_order():
    rng = random.Random(7)
    keys = rng.sample(range(1000), 60)
    tree = build(keys)
    left = set(keys)
    for key in rng.sample(keys, len(keys)):
        del tree[key]
        left.remove(key)
        assert tree.keys() == sorted(left)
