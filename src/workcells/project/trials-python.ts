// The warm worker for pytest: one Python with pytest ready to collect, which forks a child for each version.
//
//   W1  Nothing of the workspace is ever loaded in the worker itself; a child has the version's files, and nothing older.
//   W2  When a version has been tried no process of its children is left, and the copy and the temporary folders are as
//       they were.
//   W3  An answer begins with the question's id, which no child of another version knows.

import { TRIALS_CHILD } from "./trials-python-child.ts";
import { TRIALS_COPY } from "./trials-python-copy.ts";

const WORKER = String.raw`
import gc, json, os, resource, select, signal, sys, threading, time
facts = json.loads(sys.argv[1])
del sys.argv[1:]
os.environ.pop("PYTHONHASHSEED", None)
if not facts["plugins"]:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
questions = os.fdopen(os.dup(0), "rb", buffering=1 << 20)
answers = os.dup(1)
import trials_child, trials_copy
sys.path.pop(0)

TICK = 0.05
BEAT = 0.5
MOST_CUTS = 3

class Run:
    """One child: the tests it was asked for, what it told, and how it ended."""
    def __init__(self):
        self.states, self.costs, self.lines, self.loaded, self.modules = {}, {}, {}, [], []
        self.collected = self.current = self.end = None
        self.isDone, self.load = False, 0

    def hear(self, message):
        kind = message[0]
        if kind == "collected":
            self.collected = message[1]
        elif kind == "start":
            self.current = message[1]
        elif kind == "end":
            self.states[message[1]] = message[2]
            self.costs[message[1]] = message[3:]
            self.current = None
        elif kind == "line":
            (self.loaded if self.collected is None else self.lines.setdefault(self.current, [])).append(message[1:])
        elif kind == "loaded":
            self.load = message[1]
        elif kind == "modules":
            self.modules = message[1]
        elif kind == "unloadable":
            self.end = "unloadable"
        elif kind == "done":
            self.isDone = True

def activity(pid):
    """Whether any of the tested processes does anything, and how much they have done so far."""
    total, isBusy = 0, False
    for name in os.listdir("/proc") if facts["isolated"] else [str(pid)]:
        if not name.isdigit() or int(name) in (1, os.getpid()):
            continue
        try:
            with open("/proc/" + name + "/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
        isBusy = isBusy or fields[0] in "RD"
    return isBusy, total

def follow(pid, reader, run, limits):
    """Hears a child until it is done, dead, or has to be cut."""
    poll = select.poll()
    poll.register(reader, select.POLLIN)
    rest, heardAt, isOpen = b"", time.monotonic(), True
    idleSince, beatAt, done = heardAt, heardAt, -1
    while not run.isDone:
        ready = poll.poll(TICK * 1000) if isOpen else time.sleep(TICK / 5)
        now = time.monotonic()
        if now - beatAt > BEAT:
            os.write(answers, b"\n.\n")
            beatAt = now
        if ready:
            chunk = os.read(reader, 1 << 16)
            isOpen = chunk != b""
            if not isOpen:
                poll.unregister(reader)
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                try:
                    run.hear(json.loads(line))
                except (ValueError, TypeError, KeyError, IndexError):
                    return "died"
            heardAt = idleSince = now
            continue
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            if isOpen and poll.poll(0):
                continue
            isLimit = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGXCPU)
            return "limit" if isLimit else "died"
        if now - heardAt > limits["wall"]:
            return "limit"
        isBusy, sofar = activity(pid)
        if isBusy or sofar != done:
            idleSince, done = now, sofar
        elif now - idleSince > limits["idle"]:
            return "limit"
    return None

def fork(order, limits, **more):
    """Tries tests in a child of their own."""
    run = Run()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reader)
            os.close(answers)
            os.close(questions.fileno())
            if not facts["isolated"]:
                os.setsid()
            trials_child.run(facts, ready, writer, order, limits, **more)
        except BaseException:
            pass
        finally:
            os._exit(3)
    os.close(writer)
    try:
        run.end = follow(pid, reader, run, limits) or run.end
    finally:
        os.close(reader)
        end_all(pid)
    return run

def end_all(pid):
    """Ends every process that a child has left, and itself."""
    until = time.monotonic() + 10
    while True:
        try:
            if facts["isolated"]:
                os.kill(-1, signal.SIGKILL)
            else:
                os.killpg(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(0.0002)
        except ChildProcessError:
            if is_alone(pid):
                return
            time.sleep(0.0005)
        if time.monotonic() > until:
            os._exit(4)

def is_alone(pid):
    try:
        os.kill(-1, signal.SIGKILL) if facts["isolated"] else os.killpg(pid, signal.SIGKILL)
        return False
    except PermissionError:
        return not facts["isolated"]
    except ProcessLookupError:
        return True

def run_all(order, limits, mostCuts, stops=False, **more):
    """Tries tests in their order; one that is cut fails, and the rest goes on without it."""
    states, ends, runs, rest = {}, [], [], order
    while rest:
        run = fork(rest, limits, stops=stops, **more)
        runs.append(run)
        states.update(run.states)
        if run.end:
            ends.append(run.end)
        if run.end in (None, "unloadable") or run.current is None:
            break
        states[run.current] = "cut"
        if stops or len(ends) > mostCuts:
            break
        rest = rest[rest.index(run.current) + 1:]
    return states, ends, runs

def baseline(question):
    """Every test of the program as it stands; one that takes too long is cut, and the others go on."""
    limits, trace = question["limits"], question["do"] == "coverage"
    tests, cut, skip = {}, [], []
    lines, loaded, modules = {}, [], []
    while True:
        run = fork(None, limits, skip=skip, trace=trace, learns=not trace)
        loaded = run.loaded or loaded
        modules = run.modules or modules
        for name, state in run.states.items():
            tests[name] = {"name": name, "state": state, "cpu": run.costs[name][0], "ms": run.costs[name][1]}
            lines[name] = run.lines.get(name, [])
        skip.extend(run.states)
        if run.current is None:
            break
        tests[run.current] = {"name": run.current, "state": "failed", "cpu": 0, "ms": limits["cpu"]["*"], "cut": True}
        lines[run.current] = run.lines.get(run.current, [])
        skip.append(run.current)
        cut.append(run.current)
    if trace:
        for name, test in tests.items():
            found = {}
            for file, line in loaded + lines[name]:
                found.setdefault(file, set()).add(line)
            test["lines"] = {file: sorted(each) for file, each in found.items()}
    answer = {"tests": list(tests.values()), "load": run.load}
    if run.end and run.current is None:
        answer["end"] = run.end
        if trace:
            found = {}
            for file, line in loaded:
                found.setdefault(file, set()).add(line)
            answer["loaded"] = {file: sorted(each) for file, each in found.items()}
    answer["modules"] = modules
    return answer

def learn(modules):
    """Loads what the tests load from elsewhere, if that brings nothing of the workspace with it and starts no thread."""
    if ready is not None and trials_child.is_clean_with(facts, modules):
        trials_child.load(modules)
        gc.collect()
        gc.freeze()

def attempt(question):
    """A version: the failing tests first, and where one is fixed the passing ones, up to the first that fails."""
    plan = question["plan"]
    if not copy.write(question["files"]):
        return {"fixed": [], "passes": False, "stopped": "unloadable"}
    states, ends, _ = run_all(plan["failing"], plan["limits"], MOST_CUTS)
    isRight = lambda name: states.get(name) == plan["right"].get(name, "passed")
    fixed = [name for name in plan["failing"] if isRight(name)]
    answer = {"fixed": fixed, "passes": False}
    if fixed and "unloadable" not in ends and plan["passing"]:
        more, moreEnds, _ = run_all(plan["passing"], plan["limits"], 0, stops=True, right=plan["right"])
        states.update(more)
        ends += moreEnds
        broke = next((name for name in plan["passing"] if not isRight(name)), None)
        if broke is not None:
            answer["broke"] = broke
    if ends:
        answer["stopped"] = ends[0]
    answer["passes"] = len(fixed) == len(plan["failing"]) and "broke" not in answer and not ends
    return answer

copy = trials_copy.Copy(facts)
ready = trials_child.prepare(facts) if trials_child.is_clean_with(facts, []) else None
gc.collect()
gc.freeze()
null = os.open("/dev/null", os.O_RDWR)
for descriptor in (0, 1, 2):
    os.dup2(null, descriptor)
os.close(null)

def say(id, answer):
    data = ("\n" + id + " " + json.dumps(answer) + "\n").encode()
    while data:
        data = data[os.write(answers, data):]

say(facts["hello"], {"warm": ready is not None})
plan = None
for line in questions:
    question = json.loads(line)
    if question["do"] == "plan":
        plan = question["plan"]
        continue
    if question["do"] == "learn":
        learn(question["modules"])
        continue
    question["plan"] = plan
    answer = attempt(question) if question["do"] == "try" else baseline(question)
    copy.restore()
    say(question["id"], answer)
`;

/** The worker's programs, by file name. */
export const PYTHON_PROGRAMS: Readonly<Record<string, string>> = {
  "trials_worker.py": WORKER,
  "trials_child.py": TRIALS_CHILD,
  "trials_copy.py": TRIALS_COPY,
};
