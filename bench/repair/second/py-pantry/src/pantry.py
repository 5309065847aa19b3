from dataclasses import dataclass
from datetime import date


@dataclass
class Batch:
    product: str
    count: int
    best_before: date


class NotEnough(Exception):
    pass


class Pantry:
    def __init__(self):
        self.batches = []

    def store(self, product, count, best_before):
        if count <= 0:
            raise ValueError("count must be positive")
        self.batches.append(Batch(product, count, best_before))

    def stock(self, product):
        return sum(b.count for b in self.batches if b.product == product)

    def take(self, product, count):
        """Use up `count` items, those that go off soonest first."""
        if self.stock(product) < count:
            raise NotEnough(product)
        for batch in sorted(self.batches, key=lambda b: b.best_before):
            if batch.product != product:
                continue
            used = min(batch.count, count)
            batch.count -= used
            count -= used
        self.batches = [b for b in self.batches if b.count]

    def purge(self, today):
        """Throw out what is past its date; returns how many items went."""
        thrown = 0
        for batch in self.batches:
            if batch.best_before < today:
                self.batches.remove(batch)
                thrown += batch.count
        return thrown
