// Code that a model could have written, by mistake or not: each is handled, none is believed, and the next call works.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasBlender } from "../../../test/fakes/blender.ts";
import { Blender } from "./blender.ts";

const outside = mkdtempSync(join(tmpdir(), "loopwright-outside-"));
const secret = join(outside, "secret.txt");
const files = join(outside, "files");
const MEMORY = 700 * 2 ** 20;
const DISK = 60 * 2 ** 20;
const LOST = "BLENDER_LOST";
const RAISED = "BLENDER_RAISED";

let blender: Blender;
let hears: { port: number; count: number; close(): void };

beforeAll(async () => {
  if (!hasBlender) return;
  mkdirSync(files);
  writeFileSync(secret, "the user's own");
  hears = await listen();
  blender = await Blender.start({
    files,
    limits: { memoryBytes: MEMORY, diskBytes: DISK, processes: 96, answerMs: 10_000 },
  });
  await blender.execute("bpy.ops.mesh.primitive_cube_add(size=2)");
});
afterAll(async () => {
  await blender?.stop();
  hears?.close();
  rmSync(outside, { recursive: true, force: true });
});

/** A server on this machine that nobody in the sandbox may reach. */
function listen(): Promise<typeof hears> {
  const found = { port: 0, count: 0, close: () => void server.close() };
  const server = createServer((socket) => {
    found.count++;
    socket.destroy();
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      found.port = (server.address() as { port: number }).port;
      resolve(found);
    }),
  );
}

/** How code ends: what it printed, or the code of its error. */
async function outcome(code: string, limitMs = 15_000): Promise<string> {
  try {
    return (await blender.execute(code, { limitMs })).output;
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
}

// Whatever was done to it: the scene is the cube, the next step works, and nothing outside has changed.
afterEach(async () => {
  expect(await blender.execute("print(len(bpy.data.objects), bpy.context.mode)")).toEqual({ output: "1 OBJECT\n" });
  await blender.undo();
  const { mesh, bytes } = await blender.exported();
  expect(mesh.triangles.length / 3).toBe(12);
  expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe("glTF");
  expect(readFileSync(secret, "utf8")).toBe("the user's own");
  expect(hears.count).toBe(0);
});

describe.skipIf(!hasBlender)("Code that ends its Blender", () => {
  it.each([
    ["loops for ever", "while True: pass", /was stopped: it does not answer/],
    ["sleeps for ever", "import time; time.sleep(10_000)", /was stopped: it does not answer/],
    [
      "loops for ever where no exception ends it",
      "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
      /was stopped/,
    ],
    ["crashes by a wrong address", "import ctypes; ctypes.string_at(8)", /ended by itself: it was ended by SIGSEGV/],
    [
      "crashes by a stale reference",
      "o = bpy.context.object\nbpy.ops.wm.read_homefile(use_empty=True)\nfor i in range(2000): o.data.vertices[0].co",
      /ended by itself|ReferenceError/,
    ],
    ["aborts", "import os; os.abort()", /ended by SIGABRT/],
    ["ends the process", "import os; os._exit(0)", /ended by itself/],
    [
      "recurses without end in C",
      "import sys; sys.setrecursionlimit(10**8)\ndef f(): return f()\nf()",
      /ended by itself|was stopped|RecursionError/,
    ],
    ["kills itself", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", /ended by itself/],
    [
      "kills every process that it sees, its parent too",
      "import os, signal\nfor pid in (os.getppid(), -1):\n    try: os.kill(pid, signal.SIGKILL)\n    except OSError: pass\nos.kill(os.getpid(), signal.SIGKILL)",
      /ended by itself/,
    ],
    ["closes every descriptor", "import os; os.closerange(0, 1000)", /was stopped|ended by itself/],
    [
      "exchanges the pipe that it is heard by",
      "import os\nfor fd in range(3, 20):\n    try: os.dup2(0, fd)\n    except OSError: pass",
      /was stopped|ended by itself/,
    ],
    ["eats memory", "x = []\nwhile True: x.append(bytearray(2**24))", /more than 700 MB of memory/],
    [
      "eats memory at once",
      "x = bytearray(3 * 2**30)\nx[::4096] = b'1' * len(x[::4096])",
      /more than 700 MB of memory|MemoryError/,
    ],
    [
      "makes a mesh without end",
      "import numpy\nx = [numpy.ones(2**24) for _ in range(200)]",
      /more than 700 MB of memory|MemoryError/,
    ],
  ])("%s: another takes over", async (_name, code, words) => {
    // To fill its memory takes a Blender seconds on a busy machine: it is to be stopped by that limit, and not by time.
    const limitMs = /does not answer/.test(words.source) ? 1_000 : /memory/.test(words.source) ? 60_000 : 4_000;
    const ended = await outcome(code, limitMs);
    expect(ended).toMatch(words);
    if (!/Error:/.test(ended)) expect(ended.startsWith(LOST)).toBe(true);
  });

  it("fills the disk: it is stopped, or told that there is no room", async () => {
    const code = "import os\nfor i in range(100):\n    with open(f'big{i}', 'wb') as f: f.write(os.urandom(2**23))";
    expect(await outcome(code, 20_000)).toMatch(/grow by more than 60 MB|No space left|File too large/);
  });

  it("forks without end: it is stopped, or not let", async () => {
    expect(await outcome("import os\nwhile True: os.fork()", 4_000)).toMatch(
      /processes and threads|BlockingIOError|was stopped|ended by itself/,
    );
  });

  it("starts threads without end: the same", async () => {
    const code = "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(1000,)).start()";
    expect(await outcome(code, 6_000)).toMatch(/processes and threads|can't start new thread|was stopped/);
  });
});

describe.skipIf(!hasBlender)("Code that does not end when it ends", () => {
  it.each([
    [
      "a thread",
      "import threading, time\ndef f():\n    while True: time.sleep(0.01)\nthreading.Thread(target=f, daemon=True).start()",
      /left 1 thread running.*thread\.join/,
    ],
    ["a process", "import subprocess; subprocess.Popen(['sleep', '1000'])", /left 1 process running.*process\.wait/],
  ])("%s that goes on is refused, and gone", async (_name, code, words) => {
    expect(await outcome(code)).toMatch(words);
  });

  it("what it has done at exit is done to nobody", async () => {
    expect(await outcome(`import atexit; atexit.register(lambda: open("${secret}", "w").write("mine"))`)).toBe("");
    await blender.reset({ isFresh: true });
    await blender.undo();
    await blender.undo();
  });

  it("a handler that ends every Blender which opens a scene: another opens it", async () => {
    const code = `import os
end = bpy.app.handlers.persistent(lambda *given: os._exit(1))
bpy.app.handlers.load_pre.append(end); bpy.app.handlers.load_post.append(end)`;
    expect(await outcome(code)).toBe("");
    expect(await blender.undo()).toBe(true);
  });
});

describe.skipIf(!hasBlender)("Code that reaches out", () => {
  it.each([
    ["reads a file of the user's", `open("${secret}").read()`],
    ["reads the users' passwords", "open('/etc/shadow').read()"],
    [
      "reads the environment of others",
      "print(open('/proc/1/environ').read().count('SECRET')); import os; os.listdir('/home')",
    ],
    ["writes a file of the user's", `open("${secret}", "w").write("x")`],
    ["writes into the system", "open('/usr/lib/x', 'w').write('x')"],
    ["writes over the worker's own program", "open('/loopwright/programs/worker.py', 'w').write('x')"],
    [
      "writes over a scene that was saved",
      "import os; [open('/loopwright/snapshots/' + n, 'w') for n in os.listdir('/loopwright/snapshots')]",
    ],
    ["writes into the files that it may read", "open('/files/x', 'w').write('x')"],
    ["saves the scene elsewhere", `bpy.ops.wm.save_as_mainfile(filepath="${secret}")`],
    ["becomes root", "import os; os.setuid(0)"],
  ])("%s: it raises", async (_name, code) => {
    expect(await outcome(code)).toMatch(/PermissionError|FileNotFoundError|OSError|RuntimeError/);
  });

  it("opens a socket to this machine, or to another: nobody hears it", async () => {
    for (const address of [`("127.0.0.1", ${hears.port})`, '("192.0.2.1", 80)'])
      expect(await outcome(`import socket; socket.create_connection(${address}, 2)`)).toMatch(
        /OSError|refused|unreachable/i,
      );
    expect(await outcome("import urllib.request; urllib.request.urlopen('http://example.com', timeout=2)")).toMatch(
      /URLError/,
    );
  });
});

describe.skipIf(!hasBlender)("Code that lies", () => {
  it("patches what describes the scene: the GLB, which is what counts, is read here", async () => {
    await outcome(
      "from loopwright_worker import questions\nquestions.known['scene'] = lambda q: {'objects': [], 'object_count': 999}",
    );
    expect(await blender.scene()).toEqual({ objects: [], object_count: 999 });
    expect((await blender.exported()).mesh.triangles.length / 3).toBe(12);
    await blender.reset({ isFresh: true });
    for (let step = 0; step < 2; step++) await blender.undo();
  });

  it.each([
    [
      "what writes JSON",
      'from loopwright_worker import channel\nchannel.dumps = lambda *a, **k: \'{"ok": {"output": \'',
    ],
    ["what an answer is", "from loopwright_worker import channel\nchannel.dumps = lambda *a, **k: '[1, 2, 3]'"],
    ["json itself", "import json; json.dumps = json.loads = lambda *a, **k: 1/0"],
    [
      "what saves, so that nothing is",
      "from loopwright_worker import questions\nquestions.known['save'] = lambda q: {}",
    ],
    [
      "what saves, by a link",
      `import os\nfrom loopwright_worker import questions\nquestions.known['save'] = lambda q: os.symlink("${secret}", q['path']) or {}`,
    ],
    [
      "what saves, by words",
      "from loopwright_worker import questions\nquestions.known['save'] = lambda q: open(q['path'], 'w').write('a scene') and {}",
    ],
    [
      "what saves, by a folder",
      "import os\nfrom loopwright_worker import questions\nquestions.known['save'] = lambda q: os.mkdir(q['path']) or {}",
    ],
    [
      "what saves, by a pipe",
      "import os\nfrom loopwright_worker import questions\nquestions.known['save'] = lambda q: os.mkfifo(q['path']) or {}",
    ],
    [
      "how long an answer is",
      "from loopwright_worker import questions\nquestions.known['save'] = lambda q: {'x': 'y' * 10_000_000}",
    ],
  ])("patches %s: its step counts for nothing, or does no harm", async (_name, code) => {
    const before = blender.at;
    const ended = await outcome(code);
    if (ended === "") await blender.undo();
    else expect(ended.startsWith(LOST)).toBe(true);
    expect(blender.at).toBe(before);
  });

  it("patches the exporter: what is no GLB is refused, and what is one is measured as it is", async () => {
    const patch = (body: string) =>
      `from loopwright_worker import versions\ndef lie(path):\n    open(path, 'wb').write(${body})\nversions.export_glb = lie`;
    await outcome(patch("b'not a model'"));
    await expect(blender.exported()).rejects.toMatchObject({ code: "GLB_UNREADABLE" });
    await blender.reset({ isFresh: true });
    for (let step = 0; step < 2; step++) await blender.undo();
  });

  it("saves a scene that no Blender can open: what was before it holds", async () => {
    const before = blender.at;
    const code = `from loopwright_worker import questions
questions.known["save"] = lambda q: open(q["path"], "w").write("BLENDER-v304" + "x" * 1000) and {}`;
    expect(await outcome(code)).toBe("");
    expect(await outcome("import os; os._exit(1)")).toMatch(LOST);
    await expect(blender.scene()).rejects.toMatchObject({ code: LOST });
    expect(blender.at).toBe(before);
  });

  it("answers before it is done, in the supervisor's own form: that answer is all it gets", async () => {
    const code = `import gc
from loopwright_worker.channel import Channel
import sys
frame = sys._getframe()
while frame and "question" not in frame.f_locals: frame = frame.f_back
question, channel = frame.f_locals["question"], [o for o in gc.get_objects() if type(o) is Channel][0]
channel.answer(question["id"], {"ok": {"output": "all is well"}})
while True: pass`;
    expect(await outcome(code, 2_000)).toMatch(LOST);
  });
});

describe.skipIf(!hasBlender)("Code that leaves a mess", () => {
  it.each([
    ["in edit mode", "bpy.ops.object.mode_set(mode='EDIT'); 1/0"],
    [
      "with everything deleted",
      "import shutil, os\nfor n in os.listdir('.'): shutil.rmtree(n, True)\nbpy.data.batch_remove(list(bpy.data.objects)); 1/0",
    ],
    ["in another folder", "import os; os.makedirs('a/b'); os.chdir('a/b'); os.rmdir('../b'); 1/0"],
    ["in a folder that is closed", "import os; os.chmod('.', 0); 1/0"],
    ["with links for names to come", `import os\nfor i in range(100): os.symlink("${secret}", f"{i}.blend")\n1/0`],
    ["with stdout flooded", "import os\nfor i in range(400): print('x' * 100_000); os.write(1, b'x' * 100_000)\n1/0"],
    ["with built-ins gone", "import builtins\nfor n in ('open', 'len', 'print'): setattr(builtins, n, None)\n1/0"],
    ["with a signal ignored", "import signal\nfor s in (2, 3, 15): signal.signal(s, signal.SIG_IGN)\n1/0"],
  ])("%s: the scene is as it was", async (_name, code) => {
    expect(await outcome(code)).toMatch(/ZeroDivisionError|BLENDER_LOST/);
    // Python itself may be beyond repair: that is what a fresh process is for.
    if ((await outcome("print(1)")) !== "1\n") await blender.reset({ isFresh: true });
    await blender.undo();
  });

  it("stays in edit mode without an error: it is left, and what was edited counts", async () => {
    expect(
      await outcome(
        "bpy.context.view_layer.objects.active = bpy.data.objects[0]\nbpy.ops.object.mode_set(mode='EDIT')",
      ),
    ).toBe("");
    await blender.undo();
  });

  it("loads a .blend with a script: it is not run", async () => {
    const code = `t = bpy.data.texts.new("run.py"); t.use_module = True
t.write("import bpy\\nfor i in range(5): bpy.data.objects.new('evil', None)\\nopen('/job/ran', 'w')")
d = bpy.data.objects[0].driver_add("location", 0).driver; d.expression = "__import__('os').system('touch /job/ran') or 0"
bpy.ops.wm.save_as_mainfile(filepath="/job/evil.blend", copy=True)
bpy.ops.wm.open_mainfile(filepath="/job/evil.blend")
import os; print(os.path.exists("/job/ran"), len(bpy.data.objects))`;
    expect(await outcome(code)).toMatch(/^False 1$/m);
    await blender.undo();
  });

  it("is syntax that none is, nothing at all, or a megabyte of it", async () => {
    expect(await outcome("def (")).toMatch(/SyntaxError.*at line 1: def \(/s);
    expect(await outcome("raise SystemExit")).toMatch(/SystemExit/);
    expect(await outcome("raise KeyboardInterrupt")).toMatch(/KeyboardInterrupt/);
    expect(await outcome(`${RAISED} = "${"x".repeat(1_000_000)}"`)).toBe("");
    await blender.undo();
  });
});
