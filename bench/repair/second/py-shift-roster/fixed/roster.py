from typing import NamedTuple


class Shift(NamedTuple):
    name: str
    hours: int
    skill: str = "any"


def can_work(skills, shift):
    return shift.skill == "any" or shift.skill in skills


def assign(workers, shifts, hours=None):
    """Give each shift to the qualified worker with the fewest hours so far.

    `workers` maps a name to a set of skills; ties go to the worker listed first.
    `hours`, when given, holds hours worked before and is updated in place, so
    that several weeks can be planned one after the other.
    """
    if hours is None:
        hours = {}
    plan = {}
    for shift in shifts:
        candidates = [name for name, skills in workers.items() if can_work(skills, shift)]
        if not candidates:
            plan[shift.name] = None
            continue
        chosen = min(candidates, key=lambda name: hours.get(name, 0))
        hours[chosen] = hours.get(chosen, 0) + shift.hours
        plan[shift.name] = chosen
    return plan
