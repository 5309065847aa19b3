class BitSet:
    """A set of small non-negative integers packed into one int."""

    def __init__(self, members=()):
        self._bits = 0
        for member in members:
            self.add(member)

    @classmethod
    def from_mask(cls, mask):
        result = cls()
        result._bits = mask
        return result

    def add(self, member):
        if member < 0:
            raise ValueError("members must be non-negative")
        self._bits |= 1 << member

    def discard(self, member):
        """Take a member out; no error if it was not there."""
        if member >= 0:
            self._bits ^= 1 << member

    def __contains__(self, member):
        return member >= 0 and (self._bits >> member) & 1 == 1

    def __len__(self):
        return self._bits.bit_count()

    def __iter__(self):
        bits = self._bits
        while bits:
            lowest = bits & -bits
            yield lowest.bit_length() - 1
            bits ^= lowest

    def __or__(self, other):
        return BitSet.from_mask(self._bits | other._bits)

    def __and__(self, other):
        return BitSet.from_mask(self._bits & other._bits)

    def __sub__(self, other):
        return BitSet.from_mask(self._bits & ~other._bits)

    def __eq__(self, other):
        return isinstance(other, BitSet) and self._bits == other._bits
