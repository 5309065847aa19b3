import re
from dataclasses import dataclass

_LINE = re.compile(r"\s*(.+?)\s+(\d+)\s*-\s*(\d+)\s+(.+?)\s*")


@dataclass(frozen=True)
class Match:
    home: str
    away: str
    home_goals: int
    away_goals: int


def parse_results(text):
    """One match per line, as 'Red Star 2-1 Rovers'; blank lines are skipped."""
    matches = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line)
        if not found:
            raise ValueError(f"line {number}: cannot read {line!r}")
        home, home_goals, away_goals, away = found.groups()
        matches.append(Match(home, away, int(home_goals), int(away_goals)))
    return matches
