import pytest

from csvline import parse_record, parse_table


def test_plain():
    assert parse_record("a,b,c") == ["a", "b", "c"]


def test_empty_in_the_middle():
    assert parse_record("a,,c") == ["a", "", "c"]


def test_empty_at_the_end():
    assert parse_record("a,b,") == ["a", "b", ""]


def test_quoted_separator():
    assert parse_record('"Doe, Jane",42') == ["Doe, Jane", "42"]


def test_doubled_quote():
    assert parse_record('1,"5"" pipe",x') == ["1", '5" pipe', "x"]


def test_other_separator():
    assert parse_record("a;b,c", ";") == ["a", "b,c"]


def test_open_quote():
    with pytest.raises(ValueError):
        parse_record('a,"b')


def test_table():
    assert parse_table("id,name\n1,Ann\n\n2,Bob\n") == [{"id": "1", "name": "Ann"}, {"id": "2", "name": "Bob"}]


def test_table_with_wrong_number_of_fields():
    with pytest.raises(ValueError, match="line 3"):
        parse_table("id,name\n1,Ann\n2,Bob,x\n")
