"""Runs each test file in a process of its own, and writes what they reported once all of them are dead.

This process never loads a line of the workspace, and no process that does can look into it. A way of running a file is a program
beside this one, RUNNER_way.py, whose `run(file, facts)` gives its `tests` (name, state, failure), or `broken`: why it does not load,
or `fault`: what else went wrong.
"""

import ctypes
import importlib.util
import json
import os
import shutil
import signal
import sys
import tempfile
# What tests are judged by and what it loads by and by, all before the workspace is on the path: nothing there can stand in for it.
import unittest, unittest.mock, xml.etree.ElementTree, xml.sax.saxutils, pdb, doctest, traceback

PR_SET_DUMPABLE = 4
KEPT = 8_000


def load_way(name):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "%s_way.py" % name)
    spec = importlib.util.spec_from_file_location("loopwright_%s_way" % name, path)
    way = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(way)
    return way


def load_ways():
    """The ways that are needed. Where a runner is not installed, its tests are unittest's."""
    if not facts["plugins"]:
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    names = {way for _, way in facts["files"] if importlib.util.find_spec(way)}
    return {name: load_way(name) for name in {"unittest", *names}}


def run_file(file, way, result):
    """The process of one test file: what it reports is the last thing that it writes."""
    write, leave, dump, loaded = os.write, os._exit, json.dumps, loaded_files
    said = ways.get(way, ways["unittest"]).run(file, {**facts, "missing": None if way in ways else way})
    sys.stdout.flush()
    sys.stderr.flush()
    left = dump({**said, "loaded": loaded()}).encode()
    while left:
        left = left[write(result, left):]
    leave(0)


def loaded_files():
    """The files of the workspace that were loaded as modules, by path from its folder."""
    inside = facts["workspace"] + "/"
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return sorted({file[len(inside):] for file in files if isinstance(file, str) and file.startswith(inside)})


class Started:
    """A test file's process: what it says last goes into one file, what it prints into another."""

    def __init__(self, file, way, others):
        self.file, self.said, self.printed = file, tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.pid = os.fork()
        if self.pid:
            return
        set_dumpable(1)
        for other in others:
            other.said.close()
            other.printed.close()
        nothing = os.open(os.devnull, os.O_RDONLY)
        for old, new in [(nothing, 0), (self.printed.fileno(), 1), (self.printed.fileno(), 2)]:
            os.dup2(old, new)
        os.close(nothing)
        try:
            run_file(file, way, self.said.fileno())
        finally:
            os._exit(70)

    def end(self, status):
        said, printed = self.said.fileno(), self.printed.fileno()
        output = os.pread(printed, KEPT, max(0, os.fstat(printed).st_size - KEPT)).decode("utf8", "replace")
        print(output)
        try:
            if status == 0:
                return json.loads(os.pread(said, os.fstat(said).st_size, 0))
        except ValueError:
            pass
        finally:
            self.said.close()
            self.printed.close()
        return {"fault": facts["runner"] + " ended without a report", "output": output}


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
    waiting, running, told = list(facts["files"]), {}, {}
    while waiting or running:
        while waiting and len(running) < facts["jobs"]:
            started = Started(*waiting.pop(0), running.values())
            running[started.pid] = started
        pid, status = os.wait()
        if pid in running:
            started = running.pop(pid)
            told[started.file] = started.end(status)
    return told


def main():
    set_dumpable(0)
    told = run_all()
    end_others()
    for name in os.listdir(facts["reports"]):
        path = os.path.join(facts["reports"], name)
        shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
    with open(facts["reports"] + "/report.json", "x") as stream:
        json.dump({"files": told}, stream)


if __name__ == "__main__":
    facts = json.loads(sys.argv[1])
    del sys.argv[1:]
    ways = load_ways()
    main()
