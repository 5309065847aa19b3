from dataclasses import dataclass

from results import parse_results


@dataclass
class Row:
    team: str
    played: int = 0
    points: int = 0
    scored: int = 0
    conceded: int = 0

    @property
    def difference(self):
        return self.scored - self.conceded


def _points(own, other):
    if own > other:
        return 3
    return 1 if own == other else 0


def build_table(matches):
    """Rows by points, goal difference and goals scored; equal teams by name."""
    rows = {}
    for match in matches:
        home = rows.setdefault(match.home, Row(match.home))
        away = rows.setdefault(match.away, Row(match.away))
        home.played += 1
        away.played += 1
        home.points += _points(match.home_goals, match.away_goals)
        away.points += _points(match.away_goals, match.home_goals)
        home.scored += match.home_goals
        home.conceded += match.away_goals
        away.scored += match.away_goals
        away.conceded += match.home_goals
    return sorted(rows.values(), key=lambda r: (-r.points, -r.difference, -r.scored, r.team))


def render(text):
    return [
        f"{place}. {row.team} {row.points} ({row.difference:+d})"
        for place, row in enumerate(build_table(parse_results(text)), start=1)
    ]
