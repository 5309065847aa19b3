// Attempts by way of what the kernel keeps for a process, and of what the process inherits.

import { strict as assert } from "node:assert";
import { readdirSync } from "node:fs";
import type { Attempt } from "../attempt.ts";

const MEMORY = { memoryBytes: 200 * 2 ** 20, wallMs: 10_000 };
const refused = /^(?:(?:EPERM|ENOSYS|EACCES|EAFNOSUPPORT|EINVAL|EBADF|ENOENT)\b.*\n)+$/;

export const kernelAttempts: Attempt[] = [
  {
    title: "a file that nobody can remove any more",
    programs: [
      [
        "python",
        `import fcntl, struct
open("kept", "w").close()
fd = os.open("kept", os.O_RDONLY)
for flag in (0x10, 0x20): trying(lambda: fcntl.ioctl(fd, 0x40086602, struct.pack("l", flag)))`,
      ],
    ],
    says: /^(?:(?:EPERM|ENOTTY|EOPNOTSUPP).*\n){2}$/,
    after: ({ workspace }) => assert.ok(readdirSync(workspace).includes("kept")),
  },
  {
    title: "a place before all other programs of the machine",
    programs: [
      [
        "python",
        `trying(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
trying(lambda: os.nice(-5))
call(251, 30, 1, 0, 1 << 13)`,
      ],
    ],
    says: refused,
  },
  {
    title: "descriptors that it was left with",
    programs: [
      [
        "python",
        "for n in range(3, 1024):\n    try: print('' if os.readlink(f'/proc/self/fd/{n}') == '/dev/null' else 'got in', end='')\n    except OSError: pass\nprint('none')",
      ],
    ],
    says: /^none\n$/,
  },
  {
    title: "the group that holds its limits",
    programs: [
      [
        "sh",
        "for f in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/memory.max /sys/fs/cgroup/x/y; do (echo $$ > $f) 2>/dev/null && echo got in; done; mkdir -p /sys/fs/cgroup/x 2>/dev/null && echo got in; echo over",
      ],
    ],
    says: /^over\n$/,
  },
  {
    title: "its memory left as a file by dying",
    programs: [
      ["sh", "ulimit -c unlimited 2>/dev/null; sh -c 'kill -SEGV $$'; sh -c 'kill -ABRT $$'; ls -A; echo over"],
    ],
    says: /over\n$/,
    after: ({ workspace }) =>
      assert.deepEqual(
        readdirSync(workspace).filter((name) => /core/.test(name)),
        [],
      ),
  },
  {
    title: "memory of the kernel's, in tables for pages that are never written",
    programs: [
      [
        "python",
        `import mmap, time
kept = []
for _ in range(64):
    area = mmap.mmap(-1, 8 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
    kept.append(area)
    for at in range(0, 8 << 30, 2 << 20): area[at]
time.sleep(2)
print("got in", flush=True)`,
      ],
    ],
    limits: MEMORY,
    stopped: /memory/,
  },
  {
    title: "memory of the kernel's, in pipes that nobody reads",
    programs: [
      [
        "python",
        `import fcntl, time
for _ in range(4):
    if os.fork() == 0: break
held, total = [], 0
try:
    for _ in range(400):
        pair = os.pipe(); held.append(pair)
        try: fcntl.fcntl(pair[1], 1031, 1 << 20)
        except OSError: pass
        os.set_blocking(pair[1], False)
        try:
            while True: total += os.write(pair[1], b"x" * 65536)
        except OSError: pass
except OSError: pass
time.sleep(2)
print("kept" if total < 200 << 20 else "got in", flush=True)`,
      ],
    ],
    limits: MEMORY,
  },
  {
    title: "memory of the kernel's, in watches on files",
    programs: [
      [
        "python",
        `total = 0
for _ in range(200):
    fd = libc.inotify_init()
    if fd < 0: break
    for i in range(2000):
        name = f"/tmp/{i}".encode()
        if _ == 0: open(name, "w").close()
        if libc.inotify_add_watch(fd, name, 2) < 0: break
        total += 1
print("got in" if total > 300000 else "over")`,
      ],
    ],
    // Closing the watches takes a busy machine a while.
    limits: { ...MEMORY, wallMs: 50_000 },
    says: /^over\n$/,
  },
];
