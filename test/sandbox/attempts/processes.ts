// Attempts to gain rights, to reach other processes, and to live on after the job.

import { strict as assert } from "node:assert";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Attempt } from "../attempt.ts";

export const processAttempts: Attempt[] = [
  {
    title: "rights kept from the start",
    programs: [["sh", "id -u; grep -E 'Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status"]],
    says: /^1000\nCapPrm:\t0+\nCapEff:\t0+\nCapBnd:\t0+\nCapAmb:\t0+\nNoNewPrivs:\t1\n$/,
  },
  {
    title: "becoming root by asking",
    programs: [
      ["python", "trying(lambda: os.setuid(0)); trying(lambda: os.setgid(0)); trying(lambda: os.setgroups([0]))"],
    ],
    says: /E(PERM|INVAL)[\s\S]*E(PERM|INVAL)[\s\S]*EPERM/,
  },
  {
    title: "becoming root by setuid programs of the system",
    programs: [
      [
        "sh",
        "su -c 'echo got in' </dev/null; sudo -n sh -c 'echo got in'; pkexec sh -c 'echo got in'; newgrp root </dev/null; id -u",
      ],
    ],
    says: /\n1000\n$/,
  },
  {
    title: "becoming root by writing a user map",
    programs: [
      ["sh", "echo '0 0 1' > /proc/self/uid_map && echo got in; echo deny > /proc/self/setgroups && echo got in"],
    ],
    says: /Read-only file system|not permitted/,
  },
  {
    title: "a user namespace by unshare",
    programs: [
      ["sh", "unshare -Ur sh -c 'echo got in'; unshare -n sh -c 'echo got in'; unshare -m sh -c 'echo got in'"],
    ],
    says: /unshare failed/,
  },
  {
    title: "a user namespace by clone and clone3",
    programs: [
      [
        "python",
        "call(56, 220, 0x10000000 | 17, 0, 0, 0, 0)\ncall(435, 435, ctypes.create_string_buffer(b'\\0\\0\\0\\x10' + bytes(84)), 88)",
      ],
    ],
    says: /^ENOSPC\nENOSPC\n$/,
  },
  {
    title: "the namespaces of another process, by setns",
    programs: [
      ["python", "for n in ('user', 'mnt', 'net', 'pid'): call(308, 268, os.open('/proc/1/ns/' + n, os.O_RDONLY), 0)"],
    ],
    says: /EPERM|EACCES/,
  },
  {
    title: "mounts, by the older and the newer calls",
    programs: [
      [
        "python",
        `call(165, 40, b"none", b"/workspace", b"tmpfs", 0, 0)
call(165, 40, b"/", b"/workspace", 0, 4096, 0)
call(166, 39, b"/workspace", 2)
call(428, 428, -100, b"/", 1)
call(430, 430, b"tmpfs", 0)
call(442, 442, -100, b"/usr", 0, 0, 0)`,
      ],
    ],
    says: /^((EPERM|EINVAL)\n){6}$/,
  },
  {
    title: "mounts, by the system's own programs",
    programs: [
      [
        "sh",
        "mount -t tmpfs none /tmp && echo got in; mount --bind / /tmp && echo got in; mount -o remount,rw / && echo got in",
      ],
    ],
    says: /permission denied|must be superuser|not permitted/i,
  },
  {
    title: "another root, by chroot and pivot_root",
    programs: [["python", "trying(lambda: os.chroot('/tmp'))\ncall(155, 41, b'/tmp', b'/tmp')"]],
    says: /EPERM[\s\S]*EPERM/,
  },
  {
    title: "the clock and the name of the machine",
    programs: [["sh", "date -s '2001-01-01' && echo got in; hostname stolen && echo got in; hostname"]],
    says: /loop\n$/,
    after: () =>
      assert.ok(
        new Date().getFullYear() > 2001 && !readFileSync("/proc/sys/kernel/hostname", "utf8").includes("stolen"),
      ),
  },
  {
    title: "the terminal that started it",
    programs: [["sh", "echo x > /dev/tty && echo got in; ps -o sid= -p $$ 2>/dev/null; true"]],
    says: /cannot create|No such device/,
  },
  {
    title: "signals to everyone",
    programs: [["sh", "kill -9 -1; echo unreachable"]],
  },
  {
    title: "signals to its parents",
    programs: [["sh", "kill -9 $PPID; kill -9 1; kill -STOP 1; kill -9 0; echo unreachable"]],
  },
  {
    title: "signals to processes of this machine by their numbers",
    programs: [
      ["sh", ({ neighbor }) => `kill -9 ${neighbor.pid}; kill -9 ${process.pid}; kill -9 ${process.ppid}; echo tried`],
    ],
    says: /No such process[\s\S]*tried/,
  },
  {
    title: "a look at the machine's processes",
    programs: [["sh", ({ neighbor }) => `ls -d /proc/${neighbor.pid} && echo got in; ls /proc | grep -c '^[0-9]'`]],
    says: /\n[1-9]\n$/,
  },
  {
    title: "a daemon that lives on after the job",
    programs: [
      [
        "python",
        `import time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in range(3): os.close(fd)
        while True:
            open("/workspace/alive", "a").write("x"); time.sleep(0.005)
    os._exit(0)
while not os.path.exists("alive"): time.sleep(0.01)
print("left behind")`,
      ],
    ],
    says: /left behind/,
    async after({ workspace }) {
      const size = statSync(join(workspace, "alive")).size;
      await wait(100);
      assert.equal(statSync(join(workspace, "alive")).size, size);
    },
  },
  {
    title: "a background process that holds the output open",
    programs: [["sh", "(trap '' TERM HUP; setsid sleep 30) & echo done"]],
    says: /done/,
    after: (_, { ms }) => assert.ok(ms < 10_000, `${ms}`),
  },
  {
    title: "a process that is stopped and cannot be asked to end",
    programs: [["sh", "(kill -STOP $(exec sh -c 'echo $PPID'); sleep 30) & sleep 0.1; echo done"]],
    says: /done/,
    after: (_, { ms }) => assert.ok(ms < 10_000, `${ms}`),
  },
  {
    title: "files that belong to someone else afterwards",
    programs: [
      [
        "python",
        "open('made', 'w'); os.mkdir('folder')\ntrying(lambda: os.chown('made', 0, 0))\ntrying(lambda: os.chown('made', 4321, 4321))",
      ],
    ],
    says: /E(PERM|INVAL)/,
    after({ workspace }) {
      for (const name of ["made", "folder"]) assert.equal(statSync(join(workspace, name)).uid, process.getuid?.());
    },
  },
];
