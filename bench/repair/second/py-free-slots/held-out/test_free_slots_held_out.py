from free_slots import free_slots, gaps


def test_several_nested_in_one():
    busy = [(0, 100), (10, 20), (30, 40), (110, 120)]
    assert list(gaps(busy, 0, 150)) == [(100, 110), (120, 150)]


def test_all_day_event_with_meetings_inside():
    meetings = [("13:00", "14:00"), ("08:00", "18:00"), ("09:30", "10:00")]
    assert free_slots(meetings) == []


def test_same_start_different_length():
    assert list(gaps([(5, 30), (5, 10)], 0, 40)) == [(0, 5), (30, 40)]


def test_nested_then_overlapping():
    busy = [(10, 50), (20, 30), (45, 60)]
    assert list(gaps(busy, 0, 70)) == [(0, 10), (60, 70)]


def test_meeting_running_over_the_end():
    assert free_slots([("16:00", "19:00"), ("16:15", "16:30")]) == [("09:00", "16:00")]
