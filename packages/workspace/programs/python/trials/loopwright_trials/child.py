"""What a child of the warm worker for pytest does: it collects and runs tests of one version, held to its limits."""

import importlib
import json
import os
import resource
import signal
import sys
import time

from loopwright_trials.lines import Lines
from loopwright_trials.session import is_own, name_of, prepare


def run(facts, ready, writer, order, limits, stops=None, skip=(), traces=False, learns=False):
    """Collects and runs tests, and says what becomes of each; ends the process."""
    write, leave, clock, spent = os.write, os._exit, time.monotonic, time.process_time
    dumps, settimer, PROF = json.dumps, signal.setitimer, signal.ITIMER_PROF
    say = lambda message: write(writer, dumps(message).encode() + b"\n")
    null = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    hold(limits)
    before = set(sys.modules)
    settimer(PROF, limits["load"])
    lines = Lines(facts, say) if traces else None
    began = spent()
    try:
        config, session, guard = ready or prepare(facts)
        importlib.invalidate_caches()
        paths = {file: path for file, path in zip(facts["files"], facts["names"])}
        if order is not None:
            wanted = {name.split("::", 1)[0] for name in order}
            config.args = [file for file in facts["files"] if paths[file] in wanted]
        config.hook.pytest_collection(session=session)
        named = {}
        for item in session.items:
            file, rest = name_of(item).split("::", 1)
            named[paths.get(file, file) + "::" + rest] = item
        names = [name for name in (named if order is None else order) if name not in skip]
        isBroken = guard.isBroken or any(name not in named for name in names)
    except BaseException:
        isBroken = True
    if isBroken:
        say(["unloadable"])
        say(["done"])
        leave(0)
    say(["loaded", spent() - began])
    for index, name in enumerate(names):
        guard.state = None
        if lines:
            lines.forget()
        settimer(PROF, limits["cpu"].get(name, limits["cpu"]["*"]))
        say(["start", name])
        began, beganAt = spent(), clock()
        after = named[names[index + 1]] if index + 1 < len(names) else None
        config.hook.pytest_runtest_protocol(item=named[name], nextitem=after)
        state = guard.state or "failed"
        say(["end", name, state, spent() - began, (clock() - beganAt) * 1000])
        if stops and stops(name, state):
            break
    settimer(PROF, 0)
    if learns:
        say(["modules", [name for name in list(sys.modules) if name not in before and is_outside(facts, name)]])
    say(["done"])
    leave(0)


def is_outside(facts, name):
    module = sys.modules[name]
    file = getattr(module, "__file__", None)
    spec = getattr(module, "__spec__", None)
    return spec is not None and spec.name == name and not (isinstance(file, str) and is_own(facts, file)) and not (
        file is None and getattr(module, "__path__", None) is not None)


def hold(limits):
    """The kernel's own limits: those that a child cannot lift."""
    try:
        with open("/proc/self/statm") as file:
            size = int(file.read().split()[5]) * resource.getpagesize()
    except OSError:
        return
    for kind, most in ((resource.RLIMIT_DATA, size + limits["memory"]), (resource.RLIMIT_CPU, limits["total"]),
                       (resource.RLIMIT_CORE, 0)):
        _, hardest = resource.getrlimit(kind)
        most = most if hardest == resource.RLIM_INFINITY else min(most, hardest)
        resource.setrlimit(kind, (most, most))
