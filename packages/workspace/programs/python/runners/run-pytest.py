"""Runs pytest so that nothing in the workspace decides how tests are judged, and seals its report.

The folder of this file is on the path while tests run, so that its name is one that no program can import.
"""

import sys

nonce = sys.stdin.readline().strip().encode()
sys.stdin.close()

import hashlib
import importlib.util
import json
import os
from hmac import new as seal_of
# pytest and what it loads by and by, all before the workspace is on the path: nothing there can stand in for it.
import unittest, unittest.mock, xml.etree.ElementTree, xml.sax.saxutils, pdb, doctest, traceback

facts = json.loads(sys.argv[1])
del sys.argv[1:]
if not facts["plugins"]:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
import pytest
from _pytest import junitxml, unittest as _u, doctest as _d, recwarn, monkeypatch, tmpdir, capture, assertion


def name_of(item):
    return str(item.path) + "::" + item.nodeid.split("::", 1)[-1]


class Guard:
    def __init__(self):
        self.collected = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self):
        sys.pycache_prefix = facts["nowhere"]
        sys.path.insert(0, facts["workspace"])

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, session, config, items):
        own = [item for item in self.all if str(item.path) == facts["canary"]]
        items[:] = [item for item in items if item not in own] + own
        self.collected = [name_of(item) for item in items]

    all = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector, name, obj):
        if str(collector.path) == facts["canary"] and name.startswith("test_"):
            return pytest.Function.from_parent(collector, name=name)

    def pytest_itemcollected(self, item):
        self.all.append(item)
        item.user_properties.append((facts["property"], name_of(item)))


def main(nonce):
    guard = Guard()
    extra = ["-n", "0"] if facts["plugins"] and importlib.util.find_spec("xdist") else []
    report = facts["reports"] + "/report.xml"
    args = ["-v", "--tb=short", "--maxfail=0", "--color=no", "-p", "no:cacheprovider", "-o", "junit_family=xunit1",
            "-o", "junit_logging=no", "--rootdir", facts["workspace"], "-c", facts["config"], "--junitxml", report]
    write, leave, digest = open, os._exit, hashlib.sha256
    code = int(pytest.main(args + extra + facts["files"], plugins=[guard]))
    sys.stdout.flush()
    sys.stderr.flush()
    with write(report, "rb") as file:
        xml = file.read()
    words = json.dumps({"collected": guard.collected, "code": code})
    mark = seal_of(nonce, words.encode() + b"\n" + xml, digest).hexdigest()
    with write(facts["reports"] + "/statement.json", "w") as file:
        file.write(json.dumps({"facts": words, "seal": mark}))
    leave(code)


main(nonce)
