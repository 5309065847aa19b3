"""How the warm worker for pytest runs tests in a child, holds it to its limits, and ends whatever it has started."""

import json
import os
import select
import signal
import time

from loopwright_trials import child

TICK = 0.05
HEARTBEAT = 0.5
END_LIMIT = 10


class Told:
    """What a child has told, and how it ended: done, or unloadable, died, or cut by a limit."""

    def __init__(self):
        self.states, self.costs, self.lines, self.loaded, self.modules = {}, {}, {}, [], []
        self.current = self.end = None
        self.isLoaded, self.isDone, self.load = False, False, 0

    def hear(self, message):
        kind, more = message[0], message[1:]
        if kind == "start":
            self.current = more[0]
        elif kind == "end":
            self.states[more[0]], self.costs[more[0]] = more[1], more[2:]
            self.current = None
        elif kind == "line":
            (self.lines.setdefault(self.current, []) if self.isLoaded else self.loaded).append(more)
        elif kind == "loaded":
            self.isLoaded, self.load = True, more[0]
        elif kind == "modules":
            self.modules = more[0]
        elif kind == "unloadable":
            self.end = "unloadable"
        elif kind == "done":
            self.isDone = True


class Runner:
    """Starts children, one at a time."""

    def __init__(self, facts, questions, answers):
        self.facts, self.questions, self.answers = facts, questions, answers
        self.ready = None

    def run(self, order, limits, **more):
        """Tries tests in a child of their own: all, or those named, in their order."""
        told = Told()
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.close(reader)
                os.close(self.answers)
                os.close(self.questions.fileno())
                if not self.facts["isolated"]:
                    os.setsid()
                child.run(self.facts, self.ready, writer, order, limits, **more)
            finally:
                os._exit(3)
        os.close(writer)
        try:
            told.end = self.follow(pid, reader, told, limits) or told.end
        finally:
            os.close(reader)
            self.end_all(pid)
        return told

    def follow(self, pid, reader, told, limits):
        """Hears a child until it is done; tells why it was not, where it died or had to be cut."""
        poll = select.poll()
        poll.register(reader, select.POLLIN)
        rest, isOpen, done = b"", True, -1
        heardAt = idleSince = beatAt = time.monotonic()
        while not told.isDone:
            ready = poll.poll(TICK * 1000) if isOpen else time.sleep(TICK / 5)
            now = time.monotonic()
            if now - beatAt > HEARTBEAT:
                os.write(self.answers, b"\n.\n")
                beatAt = now
            if ready:
                chunk = os.read(reader, 1 << 16)
                isOpen = chunk != b""
                *lines, rest = (rest + chunk).split(b"\n")
                try:
                    for line in lines:
                        told.hear(json.loads(line))
                except (ValueError, TypeError, KeyError, IndexError):
                    return "died"
                heardAt = idleSince = now
                continue
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended and isOpen and poll.poll(0):
                # It has said more than was heard, or left someone who still speaks.
                told.isDone = True
                self.drain(reader, rest, told)
                told.isDone = False
            if ended:
                isCut = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGXCPU)
                return "limit" if isCut else "died"
            isBusy, sofar = self.activity(pid)
            if isBusy or sofar != done:
                idleSince, done = now, sofar
            if now - heardAt > limits["wall"] or now - idleSince > limits["idle"]:
                return "limit"
        return None

    def drain(self, reader, rest, told):
        for line in (rest + os.read(reader, 1 << 16)).split(b"\n"):
            try:
                told.hear(json.loads(line))
            except (ValueError, TypeError, KeyError, IndexError):
                return

    def activity(self, pid):
        """Whether any of the tested processes does anything, and how much they have done so far."""
        total, isBusy = 0, False
        for name in os.listdir("/proc") if self.facts["isolated"] else [str(pid)]:
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

    def kill(self, pid):
        """Kills all that is left of a child; false where nothing is."""
        try:
            if self.facts["isolated"]:
                os.kill(-1, signal.SIGKILL)
            else:
                os.killpg(pid, signal.SIGKILL)
            return True
        except ProcessLookupError:
            return False
        except PermissionError:
            return self.facts["isolated"]

    def end_all(self, pid):
        """Ends a child and every process that it has left, and buries them."""
        until = time.monotonic() + END_LIMIT
        while self.kill(pid):
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                pass
            time.sleep(0.0002)
            if time.monotonic() > until:
                os._exit(4)
