class _Node:
    __slots__ = ("key", "value", "left", "right")

    def __init__(self, key, value):
        self.key = key
        self.value = value
        self.left = None
        self.right = None


class TreeMap:
    """An ordered map kept in a plain binary search tree."""

    def __init__(self, pairs=()):
        self._root = None
        for key, value in pairs:
            self[key] = value

    def __setitem__(self, key, value):
        self._root = self._put(self._root, key, value)

    def _put(self, node, key, value):
        if node is None:
            return _Node(key, value)
        if key < node.key:
            node.left = self._put(node.left, key, value)
        elif key > node.key:
            node.right = self._put(node.right, key, value)
        else:
            node.value = value
        return node

    def __getitem__(self, key):
        node = self._root
        while node is not None:
            if key == node.key:
                return node.value
            node = node.left if key < node.key else node.right
        raise KeyError(key)

    def __delitem__(self, key):
        self._root = self._remove(self._root, key)

    def _remove(self, node, key):
        if node is None:
            raise KeyError(key)
        if key < node.key:
            node.left = self._remove(node.left, key)
            return node
        if key > node.key:
            node.right = self._remove(node.right, key)
            return node
        if node.left is None:
            return node.right
        if node.right is None:
            return node.left
        successor = node.right
        while successor.left is not None:
            successor = successor.left
        node.right = self._remove(node.right, successor.key)
        node.key, node.value = successor.key, successor.value
        return node

    def items(self):
        yield from self._walk(self._root)

    def _walk(self, node):
        if node is not None:
            yield from self._walk(node.left)
            yield node.key, node.value
            yield from self._walk(node.right)

    def keys(self):
        return [key for key, _ in self.items()]
