class TextBuffer:
    def __init__(self, text=""):
        self.text = text
        self._done = []
        self._undone = []

    def insert(self, at, piece):
        if not 0 <= at <= len(self.text):
            raise IndexError(at)
        self._edit(at, "", piece)

    def delete(self, at, count):
        removed = self.text[at:at + count]
        if removed:
            self._edit(at, removed, "")

    def replace(self, old, new):
        """Replace the first occurrence; False when there is none."""
        at = self.text.find(old)
        if at < 0:
            return False
        self._edit(at, old, new)
        return True

    def undo(self):
        if not self._done:
            return False
        at, old, new = self._done.pop()
        self._splice(at, new, old)
        self._undone.append((at, old, new))
        return True

    def redo(self):
        if not self._undone:
            return False
        at, old, new = self._undone.pop()
        self._splice(at, old, new)
        self._done.append((at, old, new))
        return True

    def _edit(self, at, old, new):
        self._splice(at, old, new)
        self._done.append((at, old, new))
        self._undone.clear()

    def _splice(self, at, old, new):
        self.text = self.text[:at] + new + self.text[at + len(old):]
