"""Collects tests whose imports fail: a missing module has a stand-in, and a case that is made from one is left out."""

import importlib.abc
import importlib.machinery
import json
import sys

import pytest


# A stand-in for anything that a missing module would have held.
class Missing:
    def __init__(self, *args, **more):
        pass

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Missing()

    def __call__(self, *args, **more):
        return Missing()

    def __iter__(self):
        return iter(())

    def __getitem__(self, key):
        return Missing()

    def __mro_entries__(self, bases):
        return ()


# Finds a stand-in for every module that nobody else finds.
class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if not names.get("open"):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__path__ = []
        module.__getattr__ = lambda name: Missing()


names = {"open": False, "found": []}


def is_made_up(value):
    if isinstance(value, Missing):
        return True
    if isinstance(value, dict):
        return any(is_made_up(each) for each in value.values())
    return isinstance(value, (list, tuple, set)) and any(is_made_up(each) for each in value)


class Collector:
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session):
        sys.path.insert(0, facts["workspace"])
        sys.meta_path.append(Finder())
        names["open"] = True

    def pytest_collection_finish(self, session):
        for item in session.items:
            call = getattr(item, "callspec", None)
            if call and ("NOTSET" in item.nodeid or any(is_made_up(value) for value in call.params.values())):
                continue
            names["found"].append(item.nodeid)


facts = json.loads(sys.argv[1])
del sys.argv[1:]
pytest.main(["--collect-only", "-q", "--color=no", "-p", "no:cacheprovider", "--rootdir", facts["workspace"],
             "-c", facts["config"], *facts["files"]], plugins=[Collector()])
sys.stdout.write("\n" + facts["mark"] + json.dumps(names["found"]) + "\n")
