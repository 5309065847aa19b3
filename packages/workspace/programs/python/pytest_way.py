"""Runs one test file with pytest, and tells what it reports of each test."""

import importlib.util
import os
import sys

import pytest
from _pytest import unittest as _u, doctest as _d, recwarn, monkeypatch, tmpdir, capture, assertion

# Passed, failed, and no test at all: whatever else it ends with, it did not run to its end.
ENDS = (0, 1, 5)


def name_of(nodeid):
    return nodeid.split("::", 1)[-1]


def state_of(report):
    """What a report says of a test, and in which words; nothing where it is of no interest."""
    if report.outcome == "skipped":
        if hasattr(report, "wasxfail"):
            return "xfailed", report.wasxfail.replace("reason: ", "", 1)
        path, line, reason = report.longrepr
        return "skipped", "%s:%s: %s" % (path, line, reason.replace("Skipped: ", "", 1))
    if report.outcome == "failed":
        return ("skipped" if hasattr(report, "wasxfail") else "failed"), str(report.longrepr)
    return ("passed", "") if report.outcome == "passed" and report.when == "call" else (None, "")


class Listener:
    """What pytest says of each test, by its name in its file. One that has failed stays failed."""

    def __init__(self, facts):
        self.facts, self.collected, self.tests, self.broken = facts, [], {}, []

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self):
        sys.pycache_prefix = self.facts["nowhere"]
        sys.path[:0] = self.facts["roots"]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        self.collected = [name_of(item.nodeid) for item in items]

    def pytest_collectreport(self, report):
        if report.outcome == "failed":
            self.broken.append(str(report.longrepr))

    def pytest_runtest_logreport(self, report):
        (state, words), name = state_of(report), name_of(report.nodeid)
        if state and self.tests.get(name, {}).get("state") != "failed":
            self.tests[name] = {"name": name, "state": state, "failure": words}


def run(file, facts):
    listener = Listener(facts)
    extra = ["-n", "0"] if facts["plugins"] and importlib.util.find_spec("xdist") else []
    args = ["-v", "--tb=short", "--maxfail=0", "--color=no", "-p", "no:cacheprovider", "--rootdir", facts["workspace"]]
    code = int(pytest.main([*args, "-c", facts["config"] or os.devnull, *extra, file], plugins=[listener]))
    if listener.broken:
        return {"broken": "\n".join(listener.broken)}
    if code not in ENDS:
        sys.stdout.flush()
        os._exit(code)
    lost = [name for name in listener.collected if name not in listener.tests]
    if lost:
        return {"fault": "%d tests were collected and never reported, such as %s" % (len(lost), lost[0])}
    return {"tests": list(listener.tests.values())}
