"""Runs inside Blender: hears one question at a time, answers it, and changes one scene meanwhile.

Whatever generated code does, it does in this very interpreter, so that nothing said from here is evidence of anything.
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from loopwright_worker import questions, versions  # noqa: E402
from loopwright_worker.channel import Channel  # noqa: E402

versions.prepare()
questions.prepare()
channel = Channel()
channel.answer(sys.argv[-1], {"ok": versions.facts()})
for question in channel.questions():
    channel.answer(question["id"], questions.answer(question))
os._exit(0)
