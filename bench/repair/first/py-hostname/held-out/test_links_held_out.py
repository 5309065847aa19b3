import pytest

from links import display_host, group_by_host, shorten


@pytest.mark.parametrize(
    "url, host",
    [
        ("http://www.weather.gov/today", "weather.gov"),
        ("www.www.com", "www.com"),
        ("http://WWW.Python.org", "python.org"),
        ("https://ww2.shop.de/", "ww2.shop.de"),
        ("https://docs.www.net", "docs.www.net"),
    ],
)
def test_display_host(url, host):
    assert display_host(url) == host


def test_different_hosts_stay_apart():
    assert sorted(group_by_host(["wool.com", "ool.com", "www.ool.com"])) == ["ool.com", "wool.com"]


def test_short_host_is_kept():
    assert shorten("http://web.de/mail", 10) == "web.de"
