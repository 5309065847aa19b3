// Attempts to use up the machine: memory, processes, disk, time, output.

import { strict as assert } from "node:assert";
import { statfsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Attempt } from "../attempt.ts";

const MEMORY = { memoryBytes: 200 * 2 ** 20 };
const memory = /memory/;

export const resourceAttempts: Attempt[] = [
  {
    title: "a fork bomb",
    programs: [["sh", "bomb() { bomb | bomb & }; bomb; while :; do :; done"]],
    limits: { processes: 60, wallMs: 3_000 },
    stopped: /more than 60 processes|longer/,
    after: (_, { ms }) => assert.ok(ms < 10_000, `${ms}`),
  },
  {
    title: "a fork bomb whose processes leave their session",
    programs: [
      [
        "python",
        "import time\nwhile True:\n    try:\n        if os.fork() == 0: os.setsid()\n    except OSError: time.sleep(0.01)",
      ],
    ],
    limits: { processes: 60, wallMs: 3_000 },
    stopped: /more than 60 processes|longer/,
  },
  {
    title: "a bomb of threads",
    programs: [
      [
        "python",
        `import threading, time
while True:
    try: threading.Thread(target=time.sleep, args=(60,)).start()
    except RuntimeError: time.sleep(0.01)`,
      ],
    ],
    limits: { processes: 60, wallMs: 3_000 },
    stopped: /more than 60 processes|longer/,
  },
  {
    title: "memory, all at once",
    programs: [["python", "x = bytearray(4 << 30)\nprint('got in')"]],
    limits: MEMORY,
    stopped: memory,
  },
  {
    title: "more memory than any machine has",
    programs: [["python", "x = bytearray(1 << 46)\nprint('got in')"]],
    limits: MEMORY,
    says: /MemoryError/,
  },
  {
    title: "memory, little by little, in Node",
    programs: [["node", "const kept = []; for (;;) kept.push(Buffer.alloc(1 << 20, 1));"]],
    limits: MEMORY,
    stopped: memory,
  },
  {
    title: "memory of the kernel's, in the buffers of sockets that many processes fill",
    programs: [
      [
        "python",
        `
import socket, time
for _ in range(3):
    if os.fork() == 0: break
held = []
for _ in range(250):
    pair = socket.socketpair()
    for each in pair:
        each.setblocking(False)
        try:
            while True: each.send(b"x" * 4096)
        except OSError: pass
    held.append(pair)
time.sleep(3)
print("got in", flush=True)
`,
      ],
    ],
    limits: MEMORY,
    stopped: memory,
    needsGroup: true,
  },
  {
    title: "memory in many processes, each within its limit",
    programs: [
      [
        "python",
        `import time
for _ in range(8):
    if os.fork() == 0:
        x = bytearray(os.urandom(1 << 20) * 60); time.sleep(10); print("got in")
time.sleep(10)`,
      ],
    ],
    limits: MEMORY,
    stopped: memory,
  },
  {
    title: "memory that processes share",
    programs: [
      [
        "python",
        "import mmap, time\nx = mmap.mmap(-1, 1 << 30)\nfor i in range(0, 1 << 30, 4096): x[i] = 1\nprint('got in')",
      ],
    ],
    limits: MEMORY,
    stopped: memory,
  },
  {
    title: "memory in files that have no place",
    programs: [
      [
        "python",
        `import time
kept = [os.memfd_create(str(n)) for n in range(40)]
for fd in kept:
    for _ in range(10): os.write(fd, bytes(1 << 20))
time.sleep(5)
print("got in")`,
      ],
    ],
    limits: MEMORY,
    stopped: memory,
    needsGroup: true,
  },
  {
    title: "memory by way of /tmp and /dev/shm",
    programs: [
      [
        "python",
        `def fill(folder):
    total = 0
    try:
        for i in range(1000):
            with open(f"{folder}/{i}", "wb") as f: total += f.write(bytes(1 << 20))
        print("got in")
    except OSError as error: print(errno.errorcode[error.errno], total < 80 << 20)
fill("/tmp"); fill("/dev/shm")`,
      ],
    ],
    says: /^ENOSPC True\nENOSPC True\n$/,
  },
  {
    title: "one large file",
    programs: [["sh", "head -c 100000000 /dev/zero > large; ls -l large"]],
    says: /33554432/,
  },
  {
    title: "a disk filled with many files",
    programs: [
      [
        "python",
        "for i in range(100000):\n    with open(f'file-{i}', 'wb') as f: f.write(os.urandom(1 << 20) * 4)\nprint('got in')",
      ],
    ],
    limits: { diskBytes: 64 * 2 ** 20 },
    stopped: /grow/,
  },
  {
    title: "a disk filled with files that have no name",
    programs: [
      [
        "python",
        `kept = []
for i in range(1000):
    f = open("nameless", "wb"); os.unlink("nameless"); kept.append(f)
    f.write(os.urandom(1 << 20) * 8); f.flush()
print("got in")`,
      ],
    ],
    limits: { diskBytes: 64 * 2 ** 20 },
    stopped: /grow/,
    async after({ workspace }) {
      await wait(50);
      assert.ok(statfsSync(workspace).bfree > 0);
    },
  },
  {
    title: "an endless calculation",
    programs: [["sh", "while :; do :; done"]],
    limits: { cpuMs: 500 },
    stopped: /CPU/,
  },
  {
    title: "an endless calculation spread over processes that end",
    programs: [["sh", "while :; do sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; done"]],
    limits: { cpuMs: 500 },
    stopped: /CPU/,
  },
  {
    title: "sleeping past the limit, and ignoring signals",
    programs: [
      [
        "python",
        "import signal, time\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\ntime.sleep(60)\nprint('got in')",
      ],
    ],
    limits: { wallMs: 500 },
    stopped: /longer than 0.5 s/,
    after: (_, { ms }) => assert.ok(ms < 5_000, `${ms}`),
  },
  {
    title: "output without end",
    programs: [["sh", "yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]],
    limits: { wallMs: 1_500, outputChars: 1_000 },
    stopped: /longer/,
    after(_, { output }) {
      assert.ok(output.length < 1_100, String(output.length));
      assert.match(output, /… \d+ characters left out …/);
    },
  },
  {
    title: "one line without end",
    programs: [["sh", "tr '\\0' x < /dev/zero"]],
    limits: { wallMs: 1_500, outputChars: 1_000 },
    stopped: /longer/,
    after: (_, { output }) => assert.ok(output.length < 1_100, String(output.length)),
  },
  {
    title: "input that is never read",
    programs: [["sh", "exec 0<&-; sleep 0.2; echo done"]],
    stdin: "x".repeat(5_000_000),
    says: /^done\n$/,
  },
  {
    title: "limits raised from inside",
    programs: [
      [
        "python",
        `import resource
for name in ("RLIMIT_FSIZE", "RLIMIT_CPU", "RLIMIT_DATA", "RLIMIT_CORE"):
    try:
        resource.setrlimit(getattr(resource, name), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)); print("got in")
    except (ValueError, OSError) as error: print(error)`,
      ],
    ],
    says: /^(not allowed to raise maximum limit\n){4}$/,
  },
];
