from league import build_table, render
from results import Match, parse_results


def order(text):
    return [row.team for row in build_table(parse_results(text))]


def test_render():
    assert render("Owls 0-3 Foxes\nFoxes 1-2 Hens") == [
        "1. Foxes 3 (+2)",
        "2. Hens 3 (+1)",
        "3. Owls 0 (-3)",
    ]


def test_difference_decides_for_away_teams():
    assert order("A 0-1 D\nB 0-4 C") == ["C", "D", "A", "B"]


def test_goals_scored_decide_before_name():
    assert order("A 1-1 Z\nM 3-3 N") == ["M", "N", "A", "Z"]


def test_four_equal_teams():
    assert order("delta 0-0 alpha\ncharlie 0-0 bravo") == ["alpha", "bravo", "charlie", "delta"]


def test_differences_add_up_to_nothing():
    matches = [Match("A", "B", 5, 2), Match("C", "A", 1, 1), Match("B", "C", 0, 3)]
    table = build_table(matches)
    assert sum(row.difference for row in table) == 0
    assert {row.team: row.conceded for row in table} == {"A": 3, "B": 8, "C": 1}


def test_leader_has_most_points():
    assert order("A 1-0 B\nA 0-0 C\nC 0-9 B") == ["A", "B", "C"]
