"""Executes code in a namespace of its own, on the main thread, and tells an exception by kind, line and a short trace."""

import contextlib
import io
import os
import threading
import traceback

import bpy

from . import versions

FILE = "<code>"
MOST_OUTPUT = 4_000
MOST_MESSAGE = 1_500
MOST_FRAMES = 6
JOB = "LOOPWRIGHT_JOB"
MARK = f"{JOB}={os.environ[JOB]}".encode() if JOB in os.environ else None


def execute(question):
    text = question["code"]
    output = Output()
    before = processes()
    try:
        program = compile(text, FILE, "exec")
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            exec(program, namespace())  # noqa: S102 - this is what it is for, and the sandbox is what holds it
    except BaseException as error:  # noqa: BLE001 - whatever is thrown is an answer
        failure = describe_error(error, text)
        return {"output": output.kept(), "error": failure, "left": left_behind(before)}
    bpy.context.view_layer.update()
    return {"output": output.kept(), "left": left_behind(before)}


def namespace():
    names = {"__name__": "__main__", "__file__": FILE}
    for module in ("bpy", "bmesh", "math", "mathutils"):
        names[module] = __import__(module)
    return names


class Output(io.TextIOBase):
    """What is printed: the beginning and the end of it."""

    def __init__(self):
        super().__init__()
        self._head, self._tail, self._lost = "", "", 0

    def writable(self):
        return True

    def write(self, text):
        text = str(text)
        room = MOST_OUTPUT // 2 - len(self._head)
        self._head += text[: max(room, 0)]
        tail = self._tail + text[max(room, 0) :]
        cut = max(len(tail) - MOST_OUTPUT // 2, 0)
        self._tail, self._lost = tail[cut:], self._lost + cut
        return len(text)

    def kept(self):
        gap = f"\n… {self._lost} characters left out …\n" if self._lost else ""
        return self._head + gap + self._tail


def describe_error(error, text=""):
    """An exception in few words: its kind, where in the code, and a hint where its name belongs to another version."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
    line = error.lineno if isinstance(error, SyntaxError) else frames[-1].lineno if frames else None
    message = cut(str(error))
    found = {"kind": type(error).__name__, "message": message}
    if line is not None:
        found["line"] = line
        lines = text.splitlines()
        if 0 < line <= len(lines):
            found["source"] = lines[line - 1].strip()[:200]
    if len(frames) > 1:
        found["trace"] = [f"line {frame.lineno}, in {frame.name}" for frame in frames[-MOST_FRAMES:]]
    hint = versions.hint(found["kind"], message)
    if hint:
        found["hint"] = hint
    return found


def cut(message):
    return message if len(message) <= MOST_MESSAGE else message[:MOST_MESSAGE] + "…"


def processes():
    """The processes of this job: all that /proc shows in a sandbox, and those with the job's mark where there is none."""
    try:
        return {name for name in os.listdir("/proc") if name.isdigit() and is_ours(name)}
    except OSError:
        return set()


def is_ours(process):
    if MARK is None:
        return True
    try:
        with open(f"/proc/{process}/environ", "rb") as environment:
            return MARK in environment.read()
    except OSError:
        return False


def left_behind(before):
    """What still runs now that the code has ended."""
    threads = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
    return {"threads": len(threads), "processes": len(processes() - before)}
