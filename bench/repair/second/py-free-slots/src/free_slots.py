def to_minutes(text):
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def to_clock(minutes):
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def gaps(busy, start, end):
    """Yield the (from, to) stretches of start..end that no busy pair covers."""
    cursor = start
    for begin, finish in sorted(busy):
        if finish <= start:
            continue
        if begin >= end:
            break
        if begin > cursor:
            yield cursor, begin
        cursor = finish
    if cursor < end:
        yield cursor, end


def free_slots(meetings, day=("09:00", "17:00"), at_least=30):
    """Free slots of at least `at_least` minutes, as clock strings."""
    busy = [(to_minutes(a), to_minutes(b)) for a, b in meetings]
    start, end = map(to_minutes, day)
    return [
        (to_clock(a), to_clock(b))
        for a, b in gaps(busy, start, end)
        if b - a >= at_least
    ]
