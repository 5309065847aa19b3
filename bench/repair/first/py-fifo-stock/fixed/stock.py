from dataclasses import dataclass


@dataclass
class Lot:
    quantity: int
    unit_cost: int


class Shortage(Exception):
    pass


class Shelf:
    """Stock of one product, bought in lots at different prices; first in, first out."""

    def __init__(self):
        self.lots = []

    def receive(self, quantity, unit_cost):
        if quantity <= 0:
            raise ValueError("nothing received")
        self.lots.append(Lot(quantity, unit_cost))

    @property
    def on_hand(self):
        return sum(lot.quantity for lot in self.lots)

    @property
    def value(self):
        return sum(lot.quantity * lot.unit_cost for lot in self.lots)

    def take(self, quantity):
        """Take out goods, oldest first, and return what they had cost."""
        if quantity > self.on_hand:
            raise Shortage(f"{quantity - self.on_hand} missing")
        cost = 0
        while quantity > 0:
            lot = self.lots[0]
            used = min(lot.quantity, quantity)
            cost += used * lot.unit_cost
            lot.quantity -= used
            quantity -= used
            if lot.quantity == 0:
                self.lots.pop(0)
        return cost


def profit(shelf, sales):
    """sales: (quantity, unit price) in order of time."""
    return sum(n * price - shelf.take(n) for n, price in sales)
