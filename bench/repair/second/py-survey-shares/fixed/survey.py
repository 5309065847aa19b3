"""Summaries of survey answers: lines of 'option, weight', '#' starts a comment."""
from collections import Counter


def rows(lines):
    for line in lines:
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        option, _, weight = line.partition(",")
        yield option.strip().lower(), float(weight) if weight.strip() else 1.0


def totals(lines):
    counter = Counter()
    for option, weight in rows(lines):
        counter[option] += weight
    return dict(counter)


def shares(lines):
    """Each option's percentage of the whole weight, to one decimal."""
    answers = list(rows(lines))
    whole = sum(weight for _, weight in answers)
    if whole == 0:
        return {}
    result = {}
    for option, weight in answers:
        result[option] = result.get(option, 0) + weight
    return {option: round(100 * weight / whole, 1) for option, weight in result.items()}


def winner(lines):
    """The option with the largest share; None for no answers or a draw."""
    ranked = sorted(shares(lines).items(), key=lambda pair: pair[1], reverse=True)
    if not ranked:
        return None
    if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
        return None
    return ranked[0][0]
