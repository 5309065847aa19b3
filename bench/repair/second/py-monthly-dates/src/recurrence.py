from calendar import monthrange
from datetime import date
from itertools import islice


def add_months(day, months):
    """The same day `months` later, or the last day of a shorter month."""
    year, month0 = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = monthrange(year, month0 + 1)[1]
    return date(year, month0 + 1, min(day.day, last))


def occurrences(start, every=1):
    """Endless due dates, `every` months apart, on the start's day of the month."""
    if every < 1:
        raise ValueError("every must be at least 1")
    current = start
    while True:
        yield current
        current = add_months(current, every)


def first_due(start, count, every=1):
    return list(islice(occurrences(start, every), count))


def next_due(start, today, every=1):
    """The first due date on or after `today`."""
    for due in occurrences(start, every):
        if due >= today:
            return due
