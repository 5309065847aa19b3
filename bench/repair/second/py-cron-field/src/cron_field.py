FIELDS = {
    "minute": (0, 59),
    "hour": (0, 23),
    "day": (1, 31),
    "month": (1, 12),
    "weekday": (0, 6),
}


def _bounds(text, low, high):
    if text == "*":
        return low, high
    if "-" in text:
        start, stop = text.split("-", 1)
        return int(start), int(stop)
    return int(text), int(text)


def _expand(part, low, high):
    base, slash, step_text = part.partition("/")
    step = int(step_text) if slash else 1
    if step < 1:
        raise ValueError(f"bad step in {part!r}")
    start, stop = _bounds(base, low, high)
    if slash and base.isdigit():
        stop = high
    if not low <= start <= stop <= high:
        raise ValueError(f"{part!r} is not within {low}-{high}")
    return {v for v in range(start, stop + 1) if v % step == 0}


def parse_field(text, field):
    """The sorted values a cron field stands for, e.g. '1-5,*/15' for minutes."""
    low, high = FIELDS[field]
    values = set()
    for part in text.split(","):
        values |= _expand(part.strip(), low, high)
    return sorted(values)


def matches(expression, **moment):
    """Does a five-field expression fire at minute=, hour=, day=, month=, weekday=?"""
    parts = expression.split()
    if len(parts) != len(FIELDS):
        raise ValueError("expected five fields")
    return all(moment[name] in parse_field(part, name) for name, part in zip(FIELDS, parts))
