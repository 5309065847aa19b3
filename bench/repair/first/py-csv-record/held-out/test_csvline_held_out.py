import pytest

from csvline import parse_record, parse_table


@pytest.mark.parametrize(
    "line, fields",
    [
        ('"he said ""no"", twice"', ['he said "no", twice']),
        ('"""",b', ['"', "b"]),
        (",,", ["", "", ""]),
        ('"",x,""', ["", "x", ""]),
        ("", [""]),
    ],
)
def test_records(line, fields):
    assert parse_record(line) == fields


def test_odd_quotes_stay_open():
    with pytest.raises(ValueError):
        parse_record('"a"""",b')


def test_table_with_empty_last_column():
    assert parse_table('k;note\n1;\n2;"a;""b"""', ";") == [{"k": "1", "note": ""}, {"k": "2", "note": 'a;"b"'}]
