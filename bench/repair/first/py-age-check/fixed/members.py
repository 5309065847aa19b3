from dataclasses import dataclass
from datetime import date


def age_on(born, day):
    """Completed years of age. Those born on 29 February turn on 1 March in common years."""
    years = day.year - born.year
    if (day.month, day.day) < (born.month, born.day):
        years -= 1
    return years


FEES = [(6, 0), (18, 20), (65, 50)]  # (below this age, fee)
SENIOR_FEE = 30


@dataclass(frozen=True)
class Member:
    name: str
    born: date

    def fee(self, day):
        age = age_on(self.born, day)
        for limit, fee in FEES:
            if age < limit:
                return fee
        return SENIOR_FEE


def may_vote(members, day):
    return [m.name for m in members if age_on(m.born, day) >= 18]


def season_income(members, day):
    return sum(m.fee(day) for m in members)
