from links import display_host, group_by_host, shorten, split_scheme


def test_split_scheme():
    assert split_scheme("HTTPS://a.b/c") == ("https", "a.b/c")
    assert split_scheme("a.b/c") == ("http", "a.b/c")


def test_drops_www_port_and_path():
    assert display_host("https://www.example.com:8080/a?b#c") == "example.com"


def test_user_info_is_not_shown():
    assert display_host("ftp://bob:secret@files.example.com/x") == "files.example.com"


def test_host_that_begins_with_w():
    assert display_host("https://wikipedia.org/wiki/Dog") == "wikipedia.org"


def test_groups():
    urls = ["http://www.a.com/1", "https://a.com/2", "b.com"]
    assert group_by_host(urls) == {"a.com": urls[:2], "b.com": ["b.com"]}


def test_shorten():
    assert shorten("http://a-very-long-host-name.example.com", 10) == "a-very-lo…"
