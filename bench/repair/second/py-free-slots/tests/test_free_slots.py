from free_slots import free_slots, gaps


def test_empty_day():
    assert free_slots([]) == [("09:00", "17:00")]


def test_two_meetings():
    assert free_slots([("10:00", "11:00"), ("13:30", "15:00")]) == [
        ("09:00", "10:00"),
        ("11:00", "13:30"),
        ("15:00", "17:00"),
    ]


def test_short_gaps_are_left_out():
    assert free_slots([("09:20", "12:00"), ("12:15", "17:00")]) == []


def test_overlapping_meetings():
    assert free_slots([("09:00", "11:00"), ("10:30", "12:00")]) == [("12:00", "17:00")]


def test_meeting_within_another():
    assert free_slots([("09:00", "12:00"), ("10:00", "10:30")]) == [("12:00", "17:00")]


def test_gaps_outside_the_day_are_ignored():
    assert list(gaps([(0, 5), (40, 50)], 10, 30)) == [(10, 30)]
