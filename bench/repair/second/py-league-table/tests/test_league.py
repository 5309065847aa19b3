import pytest

from league import build_table, render
from results import Match, parse_results


def test_parse():
    assert parse_results("Red Star 2-1 Rovers\n\n United 0 - 0 City ") == [
        Match("Red Star", "Rovers", 2, 1),
        Match("United", "City", 0, 0),
    ]


def test_parse_error_names_the_line():
    with pytest.raises(ValueError, match="line 2"):
        parse_results("A 1-0 B\nA beat B")


def test_points():
    table = build_table(parse_results("A 3-0 B\nB 1-1 C\nC 0-2 A"))
    assert [(r.team, r.points, r.played) for r in table] == [("A", 6, 2), ("C", 1, 2), ("B", 1, 2)]


def test_goals():
    table = build_table([Match("A", "B", 4, 1)])
    assert [(r.team, r.scored, r.conceded) for r in table] == [("A", 4, 1), ("B", 1, 4)]


def test_equal_teams_in_order_of_name():
    assert [r.team for r in build_table(parse_results("Wasps 1-1 Bears"))] == ["Bears", "Wasps"]


def test_no_matches():
    assert build_table([]) == []
