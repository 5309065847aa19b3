"""Helpers for showing links in a compact way."""


def split_scheme(url):
    scheme, sep, rest = url.partition("://")
    if not sep:
        return "http", url
    return scheme.lower(), rest


def display_host(url):
    """Host name of a url, as shown next to a link: lower case, no port, no www."""
    _, rest = split_scheme(url.strip())
    for stop in "/?#":
        rest = rest.split(stop, 1)[0]
    host = rest.rsplit("@", 1)[-1]
    host = host.split(":", 1)[0].lower()
    return host.removeprefix("www.")


def group_by_host(urls):
    groups = {}
    for url in urls:
        groups.setdefault(display_host(url), []).append(url)
    return groups


def shorten(url, width=30):
    host = display_host(url)
    if len(host) <= width:
        return host
    return host[: width - 1] + "…"
