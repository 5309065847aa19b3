# name -> (dimension, scale, offset): base = value * scale + offset
UNITS = {
    "m": ("length", 1.0, 0.0),
    "km": ("length", 1000.0, 0.0),
    "mi": ("length", 1609.344, 0.0),
    "ft": ("length", 0.3048, 0.0),
    "kg": ("mass", 1.0, 0.0),
    "g": ("mass", 0.001, 0.0),
    "lb": ("mass", 0.45359237, 0.0),
    "K": ("temperature", 1.0, 0.0),
    "C": ("temperature", 1.0, 273.15),
    "F": ("temperature", 5 / 9, 459.67 * 5 / 9),
    "Re": ("temperature", 1.25, 273.15),
}


class UnitError(ValueError):
    pass


def _lookup(unit):
    try:
        return UNITS[unit]
    except KeyError:
        raise UnitError(f"unknown unit {unit!r}") from None


def convert(value, source, target):
    source_kind, source_scale, source_offset = _lookup(source)
    target_kind, target_scale, target_offset = _lookup(target)
    if source_kind != target_kind:
        raise UnitError(f"cannot turn {source_kind} into {target_kind}")
    base = value * source_scale + source_offset
    return base / target_scale - target_offset


def table(values, source, targets, digits=2):
    """One row per value: its conversions, rounded, by target unit."""
    return [
        {target: round(convert(value, source, target), digits) for target in targets}
        for value in values
    ]
