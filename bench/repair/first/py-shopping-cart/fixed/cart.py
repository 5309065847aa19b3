class OutOfStock(Exception):
    pass


class Cart:
    def __init__(self, stock, quantities=None):
        self.stock = stock
        self.quantities = {} if quantities is None else quantities

    def add(self, sku, n=1):
        wanted = self.quantities.get(sku, 0) + n
        if wanted > self.stock.get(sku, 0):
            raise OutOfStock(sku)
        self.quantities[sku] = wanted
        return self

    def remove(self, sku, n=1):
        left = self.quantities.get(sku, 0) - n
        if left > 0:
            self.quantities[sku] = left
        else:
            self.quantities.pop(sku, None)
        return self

    def copy(self):
        return Cart(self.stock, dict(self.quantities))

    def total(self, prices):
        return sum(prices[sku] * n for sku, n in self.quantities.items())

    def checkout(self):
        """Take the goods out of the stock and empty the cart."""
        for sku, n in self.quantities.items():
            if n > self.stock.get(sku, 0):
                raise OutOfStock(sku)
        taken = dict(self.quantities)
        for sku, n in taken.items():
            self.stock[sku] -= n
        self.quantities.clear()
        return taken


def cheapest_swap(cart, old, options, prices):
    """The total if one piece of old were swapped for the cheapest of the options in stock."""
    best = None
    for sku in options:
        trial = cart.copy().remove(old)
        try:
            trial.add(sku)
        except OutOfStock:
            continue
        total = trial.total(prices)
        if best is None or total < best:
            best = total
    return best
