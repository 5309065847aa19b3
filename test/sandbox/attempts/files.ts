// Attempts to read or change what lies outside the workspace.

import { strict as assert } from "node:assert";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Attempt } from "../attempt.ts";

const READ_ONLY = /Read-only file system|No such file|Permission denied|not permitted/;

export const fileAttempts: Attempt[] = [
  {
    title: "a file beside the workspace, read by its absolute path",
    programs: [["sh", ({ outside }) => `cat ${outside}/secret`]],
    says: /No such file/,
    worksOutside: true,
  },
  {
    title: "a file beside the workspace, read by ..",
    programs: [["sh", "cat ../outside/secret ../../outside/secret ../../../../../../outside/secret"]],
    says: /No such file/,
    worksOutside: true,
  },
  {
    title: "a file beside the workspace, read through a symlink",
    programs: [["sh", ({ outside }) => `ln -s ${outside} link && cat link/secret`]],
    says: /No such file/,
    worksOutside: true,
  },
  {
    title: "a file outside, read through the root of the first process",
    programs: [["sh", ({ outside }) => `cat /proc/1/root${outside}/secret /proc/self/root${outside}/secret`]],
    says: /No such file|denied/,
  },
  {
    title: "a file outside, read by walking up from the working folder's descriptor",
    programs: [
      [
        "python",
        ({ outside }) => `
d = os.open(".", os.O_RDONLY)
for _ in range(20): d = os.open("..", os.O_RDONLY, dir_fd=d)
trying(lambda: print(os.read(os.open("${outside}/secret"[1:], os.O_RDONLY, dir_fd=d), 99)))`,
      ],
    ],
    says: /ENOENT/,
    worksOutside: true,
  },
  {
    title: "a file outside, opened by its handle",
    programs: [
      [
        "python",
        "call(304, 265, -100, ctypes.create_string_buffer(b'\\x08\\0\\0\\0\\x01\\0\\0\\0\\x02\\0\\0\\0\\0\\0\\0\\0'), 0)",
      ],
    ],
    says: /EPERM/,
  },
  {
    title: "the home folder of root",
    programs: [["sh", "ls -A /root; cat /root/.ssh/* /root/.bashrc /root/.netrc"]],
    says: /No such file/,
    after(_, { output }) {
      const seen = new Set(output.split("\n"));
      const names = process.getuid?.() === 0 ? readdirSync("/root").filter((name) => name !== ".pyenv") : [];
      assert.deepEqual(
        names.filter((name) => seen.has(name)),
        [],
      );
    },
  },
  {
    title: "home folders, logs, sockets and mounts of the machine",
    programs: [["sh", "for d in /home /var /run /srv /mnt /media /boot /opt /sys; do ls -d $d && echo got in; done"]],
    says: /No such file/,
  },
  {
    title: "passwords and keys in /etc",
    programs: [
      ["sh", "cat /etc/shadow /etc/gshadow /etc/sudoers /etc/ssl/private/* /etc/ssh/*; grep -c : /etc/passwd"],
    ],
    says: /No such file[\s\S]*\n2\n$/,
  },
  {
    title: "the environment of whoever started it",
    programs: [["sh", "env; cat /proc/*/environ | tr '\\0' '\\n'; tr '\\0' '\\n' < /proc/$PPID/environ"]],
    says: /HOME=\/tmp/,
    before({ secret }) {
      process.env.LOOPWRIGHT_TEST_SECRET = secret;
    },
    after: () => void delete process.env.LOOPWRIGHT_TEST_SECRET,
  },
  {
    title: "the path of the workspace on this machine, in arguments and links of processes",
    programs: [
      [
        "sh",
        ({
          workspace,
        }) => `pwd -P; a=$(printf %s '${workspace}' | sed 's/.*host-//'); cat /proc/1/cmdline | tr '\\0' ' ' | cut -c1-40
          readlink /proc/1/cwd /proc/self/cwd`,
      ],
    ],
    says: /^\/workspace\n/,
    after: ({ workspace }, { output }) => assert.ok(!output.includes(workspace)),
  },
  {
    title: "a file outside, written by its absolute path",
    programs: [["sh", ({ outside }) => `echo x > ${outside}/made`]],
    says: /nonexistent|No such|cannot create/,
    worksOutside: true,
  },
  {
    title: "a file outside, written by ..",
    programs: [["sh", "echo x > ../made; echo x > ../outside/made"]],
    says: READ_ONLY,
    worksOutside: true,
  },
  {
    title: "a file outside, written through a symlink",
    programs: [["sh", ({ outside }) => `ln -s ${outside}/made link && echo x > link`]],
    says: /cannot create/,
    worksOutside: true,
  },
  {
    title: "a symlink that one job plants and the next one writes through",
    programs: [
      ["sh", ({ outside }) => `ln -s ${outside} next`],
      ["sh", "echo x > next/made"],
    ],
    says: /cannot create/,
    worksOutside: true,
  },
  {
    title: "a symlink to a folder outside that was in the workspace before",
    before: ({ workspace, outside }) => symlinkSync(outside, join(workspace, "before")),
    programs: [["sh", "echo x > before/made; cat before/secret; rm -rf before/"]],
    says: /cannot create/,
    worksOutside: true,
  },
  {
    title: "a hard link to a file outside",
    programs: [["sh", ({ outside }) => `ln ${outside}/secret stolen && cat stolen`]],
    says: /failed to access|No such/,
    worksOutside: true,
  },
  {
    title: "a hard link to a program of the system, to change it",
    programs: [["sh", "ln /usr/bin/env stolen && echo got in"]],
    says: /cross-device|not permitted/i,
  },
  {
    title: "a file moved out of the workspace",
    programs: [["sh", ({ outside }) => `echo x > made; mv made ${outside}/made`]],
    says: /cannot|No such/,
    worksOutside: true,
  },
  {
    title: "programs and settings of the system",
    programs: [
      [
        "sh",
        "for f in /usr/bin/zz /usr/lib/zz /bin/zz /etc/zz /etc/passwd /toolchain/bin/zz /zz /dev/zz; do echo x > $f && echo got in; done",
      ],
    ],
    says: READ_ONLY,
    after: () => assert.ok(!existsSync("/usr/bin/zz") && !existsSync("/toolchain") && !existsSync("/zz")),
  },
  {
    title: "the toolchain's own library",
    programs: [["python", "import sysconfig\ntrying(lambda: open(sysconfig.get_paths()['purelib'] + '/zz.pth', 'w'))"]],
    says: /EROFS|EACCES/,
  },
  {
    title: "/dev/null closed to everyone",
    programs: [
      [
        "sh",
        "chmod 000 /dev/null && echo got in; chmod 000 /dev/zero && echo got in; echo x > /dev/null && echo works",
      ],
    ],
    says: /works/,
    after() {
      const mode = statSync("/dev/null").mode & 0o777;
      // Nobody else should suffer where this is not held.
      if (mode !== 0o666) chmodSync("/dev/null", 0o666);
      assert.equal(mode, 0o666);
    },
  },
  {
    title: "files of the kernel's, changed for the whole machine",
    programs: [["sh", "chmod 000 /proc/meminfo && echo got in; chmod 000 /proc/self/maps && echo got in; true"]],
    says: READ_ONLY,
    after: () => assert.equal(statSync("/proc/meminfo").mode & 0o777, 0o444),
  },
  {
    title: "the kernel's settings",
    programs: [
      [
        "sh",
        "echo '|/workspace/x' > /proc/sys/kernel/core_pattern && echo got in; echo h > /proc/sysrq-trigger && echo got in",
      ],
    ],
    says: READ_ONLY,
    after: () => assert.ok(!readFileSync("/proc/sys/kernel/core_pattern", "utf8").includes("/workspace/x")),
  },
  {
    title: "the machine's memory and disks",
    programs: [
      [
        "sh",
        "for f in /dev/mem /dev/kmem /dev/port /dev/sda /dev/vda /dev/kmsg /proc/kcore /proc/kmsg; do head -c1 $f && echo got in; done",
      ],
    ],
    says: READ_ONLY,
  },
  {
    title: "device nodes made in the workspace",
    programs: [["sh", "mknod disk b 254 0 && echo got in; mknod mem c 1 1 && echo got in; ls"]],
    says: /not permitted/,
    after: ({ workspace }) => assert.ok(!existsSync(join(workspace, "disk")) && !existsSync(join(workspace, "mem"))),
  },
  {
    title: "things kept in /tmp and the home folder for the next job",
    programs: [
      [
        "sh",
        "mkdir -p ~/bin ~/.local/lib; echo 'echo got in' | tee ~/bin/ls ~/.profile ~/.bashrc /tmp/x /dev/shm/x /var/tmp/x",
      ],
      ["sh", "ls -A /tmp /dev/shm; . ~/.profile; ~/bin/ls; true"],
    ],
    says: /^\/dev\/shm:\n\n\/tmp:\n/,
    after: () => assert.ok(!existsSync("/tmp/x") && !existsSync("/dev/shm/x")),
  },
  {
    title: "a search path that carries over to the next job",
    programs: [
      ["sh", "printf '#!/bin/sh\\necho got in\\n' > ls; chmod +x ls; export PATH=/workspace:$PATH; hash -r"],
      ["sh", "ls > /dev/null; ls; echo $PATH"],
    ],
    says: /^host\.sock\nls\n\/toolchain/,
  },
];
