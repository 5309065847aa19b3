"""How the warm worker for pytest makes pytest ready and watches it, and which modules are the workspace's own."""

import importlib
import importlib.util
import os
import sys
import threading
import traceback
# pytest and what it loads by and by, all before the workspace is on the path: nothing there can stand in for it.
import unittest, unittest.mock, pdb, doctest, inspect, tokenize, difflib

import pytest
import _pytest.config
import _pytest.main
from _pytest import junitxml, unittest as _u, doctest as _d, recwarn, monkeypatch, tmpdir, capture, assertion
from _pytest.outcomes import skip
from _pytest.reports import TestReport

LEFT_OUT = ("/node_modules/", "/.venv/", "/__pycache__/", "/site-packages/")


def name_of(item):
    return str(item.path) + "::" + item.nodeid.split("::", 1)[-1]


class Guard:
    """What of pytest is watched, and what it need not do: nobody reads how a version fails."""

    def __init__(self, facts):
        self.facts, self.state, self.isBroken = facts, None, False

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self):
        sys.pycache_prefix = self.facts["nowhere"]
        sys.path.insert(0, self.facts["workspace"])

    def pytest_collectreport(self, report):
        self.isBroken = self.isBroken or report.failed

    def pytest_runtest_makereport(self, item, call):
        error, words, outcome = call.excinfo, None, "passed"
        if error is not None:
            isSkip = isinstance(error.value, skip.Exception)
            outcome, words = ("skipped", (str(item.path), 0, str(error.value))) if isSkip else ("failed", "")
        return TestReport(nodeid=item.nodeid, location=item.location, keywords={}, outcome=outcome, longrepr=words,
                          when=call.when, duration=call.duration, user_properties=item.user_properties)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.state = "failed"
        elif report.skipped and self.state != "failed":
            self.state = "xfailed" if hasattr(report, "wasxfail") else "skipped"
        elif report.when == "call" and self.state is None:
            self.state = "passed"


def prepare(facts):
    """A session of pytest that has only to collect."""
    guard = Guard(facts)
    extra = ["-n", "0"] if facts["plugins"] and importlib.util.find_spec("xdist") else []
    args = ["-q", "-s", "--assert=plain", "--maxfail=0", "--color=no", "-p", "no:cacheprovider",
            "-p", "no:faulthandler", "--rootdir", facts["workspace"], "-c", facts["config"], *extra, *facts["files"]]
    config = _pytest.config._prepareconfig(args, [guard])
    config._do_configure()
    session = _pytest.main.Session.from_config(config)
    config.hook.pytest_sessionstart(session=session)
    return config, session, guard


def is_own(facts, file):
    return bool(file) and file.startswith((facts["workspace"] + "/", *facts["tests"])) and not any(
        each in file for each in LEFT_OUT)


def own_modules(facts):
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return [file for file in files if isinstance(file, str) and is_own(facts, file)
            and os.path.basename(file) != "conftest.py"]


def load(modules):
    prefix, sys.pycache_prefix = sys.pycache_prefix, None
    for name in modules:
        try:
            importlib.import_module(name)
        except BaseException:
            pass
    sys.pycache_prefix = prefix


def is_clean_with(facts, modules):
    """Whether pytest is ready, and modules load, without a file of the workspace or a thread: tried in a child."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        answer = b"n"
        try:
            if not modules:
                prepare(facts)
            load(modules)
            answer = b"y" if not own_modules(facts) and threading.active_count() == 1 else b"n"
        except BaseException:
            traceback.print_exc()
            if not modules:
                answer = b"e"
        finally:
            sys.stderr.flush()
            os.write(writer, answer)
            os._exit(0)
    os.close(writer)
    answer = os.read(reader, 1)
    os.close(reader)
    os.waitpid(pid, 0)
    return answer == b"y"
