"""What is refused, in words that say what to do instead."""

from difflib import get_close_matches


class Refusal(Exception):
    """A question that cannot be answered as it was asked."""


def nearest(word, names, most=3):
    """` Did you mean 'x'?`, or all that there are."""
    names = list(names)
    lower = {name.lower(): name for name in names}
    near = [lower[name] for name in get_close_matches(str(word).lower(), list(lower), most, 0.6)]
    if near:
        return " Did you mean " + " or ".join(f"'{name}'" for name in near) + "?"
    return " There is " + (", ".join(f"'{name}'" for name in names[:40]) if names else "none") + "."
