// What the warm worker for pytest does with pytest: makes it ready, and runs tests in a child, with lines where they are
// asked for.

/** The Python module. */
export const PYTHON_CHILD = String.raw`
import importlib, importlib.util, json, os, resource, signal, sys, threading, time
import unittest, unittest.mock, pdb, doctest, traceback, inspect, tokenize, difflib
import pytest
import _pytest.config, _pytest.main
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
    args = ["-q", "-s", "--assert=plain", "--maxfail=0", "--color=no", "-p", "no:cacheprovider", "-p", "no:faulthandler",
            "--rootdir", facts["workspace"], "-c", facts["config"], *extra, *facts["files"]]
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
    """Whether pytest can be made ready, and modules loaded, without a file of the workspace or a thread: tried in a child."""
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

class Lines:
    """Tells of each line of the workspace's own files the first time that it is executed since the last test began."""
    def __init__(self, facts, say):
        self.facts, self.say, self.seen, self.known = facts, say, set(), {}
        self.tests = set(facts["files"])
        if hasattr(sys, "monitoring"):
            self.tool = sys.monitoring
            self.tool.use_tool_id(3, "lines")
            self.tool.register_callback(3, self.tool.events.LINE, self.on_line)
            self.tool.set_events(3, self.tool.events.LINE)
        else:
            self.tool = None
            threading.settrace(self.trace)
            sys.settrace(self.trace)

    def forget(self):
        self.seen.clear()
        if self.tool:
            self.tool.restart_events()

    def path(self, file):
        found = self.known.get(file, 0)
        if found == 0:
            isWanted = is_own(self.facts, file) and file.startswith(self.facts["workspace"] + "/") and file not in self.tests
            isWanted = isWanted and os.path.basename(file) != "conftest.py"
            found = self.known[file] = file[len(self.facts["workspace"]) + 1:] if isWanted else None
        return found

    def add(self, file, line):
        if (file, line) not in self.seen:
            self.seen.add((file, line))
            path = self.path(file)
            if path is not None:
                self.say(["line", path, line])

    def on_line(self, code, line):
        if self.path(code.co_filename) is not None:
            self.add(code.co_filename, line)
        return self.tool.DISABLE

    def trace(self, frame, event, arg):
        return self.local if self.path(frame.f_code.co_filename) is not None else None

    def local(self, frame, event, arg):
        if event == "line":
            self.add(frame.f_code.co_filename, frame.f_lineno)
        return self.local

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
`;
