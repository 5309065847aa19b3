"""Which lines a test executes, for the warm worker for pytest."""

import os
import sys
import threading

from loopwright_trials.session import is_own


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
            isWanted = is_own(self.facts, file) and file.startswith(self.facts["workspace"] + "/")
            isWanted = isWanted and file not in self.tests and os.path.basename(file) != "conftest.py"
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
