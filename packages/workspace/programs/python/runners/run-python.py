"""Runs each test file in a process of its own, and writes what they reported once all of them are dead.

This process never loads a line of the workspace, and no process that does can look into it. The folder of this file is on
the path while tests run, so that its name is one that no program can import.
"""

import ctypes
import importlib.util
import json
import os
import selectors
import shutil
import signal
import sys
# What tests are judged by and what it loads by and by, all before the workspace is on the path: nothing there can stand in for it.
import unittest, unittest.mock, xml.etree.ElementTree, xml.sax.saxutils, pdb, doctest, traceback

PR_SET_DUMPABLE = 4


def load_way(name):
    """One of the programs beside this one, by the way that it runs a test file."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "by-%s.py" % name)
    spec = importlib.util.spec_from_file_location("loopwright_by_" + name, path)
    way = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(way)
    return way


def load_ways():
    """The ways that are needed. Without pytest, everything is unittest's."""
    ways = {"unittest": load_way("unittest")}
    if any(way == "pytest" for _, way in facts["files"]):
        if not facts["plugins"]:
            os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        if importlib.util.find_spec("pytest"):
            ways["pytest"] = load_way("pytest")
    return ways


def run_file(file, way, report, result):
    """The process of one test file: what it reports goes through the pipe as the last thing."""
    write, leave, dump, loaded = os.write, os._exit, json.dumps, loaded_files
    run = ways.get(way, ways["unittest"]).run
    said = run(file, report, {**facts, "isPytestMissing": way not in ways})
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


def start(index, file, way, pipes):
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
        run_file(file, way, report, send)
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
                index, (file, way) = files.pop(0)
                pid, receive = start(index, file, way, running)
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
    facts = json.loads(sys.argv[1])
    del sys.argv[1:]
    ways = load_ways()
    main()
