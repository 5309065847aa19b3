"""Says in one line what the machine lacks of what this Blender needs."""

import ctypes
import os

lacks = []
try:
    __import__("numpy")
except ImportError:
    lacks.append("numpy")
try:
    egl = ctypes.CDLL("libEGL.so.1")
    egl.eglGetDisplay.restype = ctypes.c_void_p
    if not egl.eglInitialize(ctypes.c_void_p(egl.eglGetDisplay(None)), None, None):
        lacks.append("mesa")
except OSError:
    lacks.append("egl")
print("\nlacks:", *lacks, flush=True)
os._exit(0)
