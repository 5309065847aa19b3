from calendar import monthrange
from datetime import date, timedelta
from itertools import islice, takewhile


def add_months(day, n):
    """The same day n months later, or the last day of a shorter month."""
    year, month0 = divmod(day.year * 12 + day.month - 1 + n, 12)
    last = monthrange(year, month0 + 1)[1]
    return date(year, month0 + 1, min(day.day, last))


def weekly(start, every=1):
    day = start
    while True:
        yield day
        day += timedelta(weeks=every)


def monthly(start, every=1):
    day = start
    while True:
        yield day
        day = add_months(day, every)


def first(series, n):
    return list(islice(series, n))


def until(series, end):
    """All dates of the series up to and including end."""
    return list(takewhile(lambda day: day <= end, series))


def rent_due(start, end, cents):
    return sum(cents for _ in until(monthly(start), end))
