"""The warm worker for pytest: one Python with pytest ready to collect, which forks a child for each version.

W1  Nothing of the workspace is ever loaded in the worker itself; a child has the version's files, and nothing older.
W2  When a version has been tried no process of its children is left, and the copy and the temporary folders are as
    they were.
W3  An answer begins with the question's id, which no child of another version knows.
"""

import gc
import json
import os
import sys

facts = json.loads(sys.argv[1])
del sys.argv[1:]
os.environ.pop("PYTHONHASHSEED", None)
if not facts["plugins"]:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
questions = os.fdopen(os.dup(0), "rb", buffering=1 << 20)
answers = os.dup(1)

from loopwright_trials import session
from loopwright_trials.copy import Copy
from loopwright_trials.run import Runner

# What tests import is looked for as if this program were nowhere.
sys.path.pop(0)

MOST_CUTS = 3


def baseline(question):
    """Every test of the program as it stands; one that takes too long is cut, and the others go on."""
    limits, traces = question["limits"], question["do"] == "coverage"
    tests, lines, skip = {}, {}, []
    answer = {"load": 0, "modules": []}
    while True:
        told = runner.run(None, limits, skip=skip, traces=traces, learns=not traces)
        for name, state in told.states.items():
            cpu, ms = told.costs[name]
            tests[name] = {"name": name, "state": state, "cpu": cpu, "ms": ms}
        if told.current is not None:
            longest = limits["cpu"]["*"] * 1000
            tests[told.current] = {"name": told.current, "state": "failed", "cpu": 0, "ms": longest, "cut": True}
        lines.update(told.lines)
        answer["modules"] = told.modules or answer["modules"]
        answer["load"] = max(told.load, answer["load"])
        skip = list(tests)
        copy.restore()
        if told.current is None:
            break
    if told.end:
        answer["end"] = told.end
    if traces:
        answer["loaded"] = by_file(told.loaded)
        for name, test in tests.items():
            test["lines"] = by_file(told.loaded + lines.get(name, []))
    answer["tests"] = list(tests.values())
    return answer


def by_file(pairs):
    found = {}
    for file, line in pairs:
        found.setdefault(file, set()).add(line)
    return {file: sorted(lines) for file, lines in found.items()}


def learn(question):
    """Loads what tests load from elsewhere, if that brings nothing of the workspace with it and starts no thread."""
    if runner.ready is not None and session.is_clean_with(facts, question["modules"]):
        session.load(question["modules"])
        settle()
    return {}


def settle():
    gc.collect()
    gc.freeze()


def run_names(names, mostCuts, **more):
    """Tries tests in their order; one that is cut fails, and the rest goes on without it."""
    states, ends, rest = {}, [], names
    while rest:
        told = runner.run(rest, plan["limits"], **more)
        states.update(told.states)
        if told.end:
            ends.append(told.end)
        if told.end in (None, "unloadable") or told.current is None or len(ends) > mostCuts:
            break
        rest = rest[rest.index(told.current) + 1:]
    return states, ends


def attempt(question):
    """A version: the failing tests first, and where one is fixed the passing ones, up to the first that fails."""
    failing, passing = plan["failing"], plan["passing"]
    if not copy.write(question["files"]):
        return {"fixed": [], "passes": False, "stopped": "unloadable"}
    states, ends = run_names(failing, MOST_CUTS)
    isRight = lambda name: states.get(name) in plan["right"].get(name, plan["rest"])
    fixed = [name for name in failing if isRight(name)]
    answer = {"fixed": fixed, "passes": False}
    if fixed and passing and "unloadable" not in ends:
        isWrong = lambda name, state: state not in plan["right"].get(name, plan["rest"])
        more, moreEnds = run_names(passing, 0, stops=isWrong)
        states.update(more)
        ends += moreEnds
        broke = next((name for name in passing if not isRight(name)), None)
        if broke is not None:
            answer["broke"] = broke
    if ends:
        answer["stopped"] = ends[0]
    answer["passes"] = len(fixed) == len(failing) and "broke" not in answer and not ends
    return answer


def make_plan(question):
    global plan
    plan = question["plan"]
    return {}


def say(id, answer):
    data = ("\n" + id + " " + json.dumps(answer) + "\n").encode()
    while data:
        data = data[os.write(answers, data):]


plan = None
copy = Copy(facts)
runner = Runner(facts, questions, answers)
if session.is_clean_with(facts, []):
    runner.ready = session.prepare(facts)
settle()
say(facts["hello"], {})
handlers = {"baseline": baseline, "coverage": baseline, "learn": learn, "plan": make_plan, "try": attempt}
for line in questions:
    question = json.loads(line)
    answer = handlers[question["do"]](question)
    copy.restore()
    say(question["id"], answer)
