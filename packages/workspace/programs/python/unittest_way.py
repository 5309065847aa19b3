"""Runs one test file with unittest, `load_tests` and all, and tells what it reports of each test."""

import importlib
import inspect
import os
import sys
import traceback
import unittest

MISSING = "%s is not installed for %s, and this test is a plain function, which unittest does not run: install %s there"


class Result(unittest.TestResult):
    """Every test's state and words, by its name; a test that is reported again stays failed."""

    def __init__(self):
        super().__init__()
        self.states = {}
        self.loose = []

    def note(self, test, state, words=""):
        if isinstance(test, unittest.TestCase):
            before = self.states.get(id(test))
            if before is None or before[0] != "failed":
                self.states[id(test)] = (state, words)
        else:
            # What a class or a module sets up for its tests.
            self.loose.append((test.id(), state, words))

    def addSuccess(self, test):
        self.note(test, "passed")

    def addFailure(self, test, err):
        self.note(test, "failed", self._exc_info_to_string(err, test))

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.note(test, "failed", str(subtest) + "\n" + self._exc_info_to_string(err, test))

    def addSkip(self, test, reason):
        self.note(test, "skipped", reason)

    def addExpectedFailure(self, test, err):
        self.note(test, "xfailed")

    def addUnexpectedSuccess(self, test):
        self.note(test, "failed", "it passes, and was expected to fail")


def load(file, facts):
    """The module of a test file, by the name that it has from the first folder above that is no package."""
    folder, parts = os.path.dirname(file), [os.path.splitext(os.path.basename(file))[0]]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    sys.path[:0] = [*([] if folder in facts["roots"] else [folder]), *facts["roots"]]
    return importlib.import_module(".".join(parts))


def each_of(suite):
    return [each for test in suite for each in (each_of(test) if isinstance(test, unittest.TestSuite) else [test])]


def name_of(test):
    is_library = type(test).__module__ in ("doctest", "unittest.case")
    return test.id() if is_library else "%s::%s" % (type(test).__name__, test._testMethodName)


def functions_of(module):
    """Tests that only pytest would run."""
    return [name for name, value in vars(module).items()
            if name.startswith("test") and inspect.isfunction(value) and value.__module__ == module.__name__]


def run(file, facts):
    result, loader = Result(), unittest.TestLoader()
    sys.pycache_prefix = facts["nowhere"]
    try:
        module = load(file, facts)
        tests = loader.loadTestsFromModule(module)
    except BaseException:
        return {"broken": traceback.format_exc()}
    if loader.errors:
        return {"broken": "\n".join(loader.errors)}
    theirs = each_of(tests)
    tests.run(result)
    why = "\n".join(words for _, state, words in result.loose if state == "failed")
    skipped = any(state == "skipped" for _, state, _ in result.loose) and not why
    lost = ("skipped", "\n".join(words for _, _, words in result.loose)) if skipped else ("failed", why or "it never ended")
    ended = [(name_of(test), *result.states.get(id(test), lost)) for test in theirs]
    if facts["missing"]:
        why = MISSING % (facts["missing"], sys.executable, facts["missing"])
        ended += [(each, "failed", why) for each in functions_of(module)]
    return {"tests": [{"name": each, "state": state, "failure": words} for each, state, words in ended]}
