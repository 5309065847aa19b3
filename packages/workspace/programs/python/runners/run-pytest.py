"""Runs each test file in a process of its own, and writes what their pytests reported once all of them are dead.

This process never loads a line of the workspace, and no process that does can look into it. The folder of this file is on
the path while tests run, so that its name is one that no program can import.
"""

import ctypes
import hashlib
import importlib.util
import json
import os
import selectors
import shutil
import signal
import sys
# pytest and what it loads by and by, all before the workspace is on the path: nothing there can stand in for it.
import unittest, unittest.mock, xml.etree.ElementTree, xml.sax.saxutils, pdb, doctest, traceback

if __name__ == "__main__":
    facts = json.loads(sys.argv[1])
    del sys.argv[1:]
    if not facts["plugins"]:
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import pytest
    from _pytest import junitxml, unittest as _u, doctest as _d, recwarn, monkeypatch, tmpdir, capture, assertion

PR_SET_DUMPABLE = 4


def name_of(item):
    return str(item.path) + "::" + item.nodeid.split("::", 1)[-1]


class Guard:
    """Puts the tests of ours last, whatever has become of the others, and tells which tests there are."""

    def __init__(self):
        self.all = []
        self.collected = []

    def own(self, path):
        return str(path) == facts["canary"]

    def hooks(self):
        guard = self

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


def run_file(file, report, result):
    """The process of one test file: pytest's word goes through the pipe as the last thing."""
    guard = Guard()
    extra = ["-n", "0"] if facts["plugins"] and importlib.util.find_spec("xdist") else []
    args = ["-v", "--tb=short", "--maxfail=0", "--color=no", "-p", "no:cacheprovider", "-o", "junit_family=xunit1",
            "-o", "junit_logging=no", "--rootdir", facts["workspace"], "-c", facts["config"], "--junitxml", report]
    read, write, leave, dump = open, os.write, os._exit, json.dumps
    code = int(pytest.main(args + extra + [file, facts["canary"]], plugins=[guard.hooks()]))
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        with read(report, "rb") as stream:
            xml = stream.read().decode("utf8", "replace")
    except OSError:
        leave(code or 1)
    said = {"xml": xml, "collected": guard.collected, "code": code, "loaded": loaded_files()}
    left = dump(said).encode()
    while left:
        left = left[write(result, left):]
    leave(0)


def loaded_files():
    """The files of the workspace that were loaded as modules, by path from its folder."""
    inside = facts["workspace"] + "/"
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return sorted({file[len(inside):] for file in files if isinstance(file, str) and file.startswith(inside)})


def start(index, file, pipes):
    receive, send = os.pipe()
    report = facts["reports"] + "/%d.xml" % index
    pid = os.fork()
    if pid:
        os.close(send)
        return pid, receive
    set_dumpable(1)
    for each in [receive, *pipes]:
        os.close(each)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        run_file(file, report, send)
    finally:
        os._exit(70)


def set_dumpable(value):
    """Where nothing may be dumped, no process of the same user can open this one's memory, descriptors or environment."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, value, 0, 0, 0)


def end_others():
    """Ends whatever tests have left running. Only where this is a sandbox's own world of processes."""
    if not facts["isolated"] or open("/proc/1/comm").read().strip() != "bwrap":
        return
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run_all():
    files = list(enumerate(facts["files"]))
    running, told = {}, {}
    with selectors.DefaultSelector() as ready:
        while files or running:
            while files and len(running) < facts["jobs"]:
                index, file = files.pop(0)
                pid, receive = start(index, file, running)
                running[receive] = (pid, file, [])
                ready.register(receive, selectors.EVENT_READ)
            for key, _ in ready.select():
                pid, file, parts = running[key.fd]
                part = os.read(key.fd, 1 << 20)
                parts.append(part)
                if part:
                    continue
                ready.unregister(key.fd)
                os.close(key.fd)
                del running[key.fd]
                _, status = os.waitpid(pid, 0)
                told[file] = {"said": b"".join(parts).decode("utf8", "replace"), "status": status}
    return told


def main():
    set_dumpable(0)
    told = run_all()
    end_others()
    for name in os.listdir(facts["reports"]):
        path = os.path.join(facts["reports"], name)
        shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
    with open(facts["reports"] + "/report.json", "x") as stream:
        json.dump(told, stream)


if __name__ == "__main__":
    main()
