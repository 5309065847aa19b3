"""Runs one test file with pytest, with tests of ours last."""

import importlib.util
import os
import sys

import pytest
from _pytest import junitxml, unittest as _u, doctest as _d, recwarn, monkeypatch, tmpdir, capture, assertion


def name_of(item):
    return str(item.path) + "::" + item.nodeid.split("::", 1)[-1]


class Guard:
    """Puts the tests of ours last, whatever has become of the others, and tells which tests there are."""

    def __init__(self, facts):
        self.facts = facts
        self.all = []
        self.collected = []

    def own(self, path):
        return str(path) == self.facts["canary"]

    def hooks(self):
        guard, facts = self, self.facts

        class Hooks:
            @pytest.hookimpl(tryfirst=True)
            def pytest_load_initial_conftests(self):
                sys.pycache_prefix = facts["nowhere"]
                sys.path[:0] = facts["roots"]

            @pytest.hookimpl(trylast=True)
            def pytest_collection_modifyitems(self, session, config, items):
                own = [item for item in guard.all if guard.own(item.path)]
                items[:] = [item for item in items if item not in own] + own
                guard.collected = [name_of(item) for item in items]

            @pytest.hookimpl(tryfirst=True)
            def pytest_pycollect_makeitem(self, collector, name, obj):
                if guard.own(collector.path) and name.startswith("test_"):
                    return pytest.Function.from_parent(collector, name=name)

            def pytest_itemcollected(self, item):
                guard.all.append(item)
                item.user_properties.append((facts["property"], name_of(item)))

        return Hooks()


def run(file, report, facts):
    """What pytest reports of a file, which canaries of ours end."""
    guard = Guard(facts)
    extra = ["-n", "0"] if facts["plugins"] and importlib.util.find_spec("xdist") else []
    args = ["-v", "--tb=short", "--maxfail=0", "--color=no", "-p", "no:cacheprovider", "-o", "junit_family=xunit1",
            "-o", "junit_logging=no", "--rootdir", facts["workspace"], "-c", facts["config"], "--junitxml", report]
    read, leave = open, os._exit
    code = int(pytest.main(args + extra + [file, facts["canary"]], plugins=[guard.hooks()]))
    try:
        with read(report, "rb") as stream:
            xml = stream.read().decode("utf8", "replace")
    except OSError:
        sys.stdout.flush()
        leave(code or 1)
    return {"xml": xml, "collected": guard.collected, "code": code}
