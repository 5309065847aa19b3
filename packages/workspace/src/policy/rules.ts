// The command policy as data: which programs are refused, which need a person's word, and why. Everything else may run:
// the sandbox holds it. A rule is the beginning of a command: `git push` is about `git push origin` too.

export interface PolicyRule {
  command: string;
  reason: string;
}

const rules = (reason: string, ...commands: string[]): PolicyRule[] => commands.map((command) => ({ command, reason }));

/** Never run. */
export const DENIED: readonly PolicyRule[] = [
  ...rules("no command gets more rights than it has", "sudo", "su", "doas", "pkexec", "runuser", "setpriv", "newgrp"),
  ...rules("the sandbox is not to be left", "chroot", "unshare", "nsenter", "bwrap", "firejail", "docker", "podman"),
  ...rules("the machine is not to be changed", "mount", "umount", "mknod", "losetup", "swapon", "sysctl", "modprobe"),
  ...rules("the machine is not to be changed", "insmod", "iptables", "nft", "ip", "ifconfig", "passwd", "useradd"),
  ...rules("the machine is not to be changed", "usermod", "groupadd", "chpasswd", "visudo", "crontab", "at", "batch"),
  ...rules(
    "the machine is not to be changed",
    "systemctl",
    "service",
    "shutdown",
    "reboot",
    "halt",
    "poweroff",
    "init",
  ),
  ...rules("disks are not to be touched", "mkfs", "fdisk", "parted", "wipefs", "shred", "fsck"),
  ...rules("there is no network", "ssh", "scp", "sftp", "rsync", "telnet", "nc", "ncat", "netcat", "socat", "ftp"),
  ...rules("other processes are not to be stopped", "killall", "pkill", "kill -9 -1", "kill -1"),
  ...rules("other programs are not to be watched", "strace", "ltrace", "gdb", "ptrace"),
  ...rules("the repository is not to be changed", "git push", "git commit", "git config", "git checkout", "git reset"),
  ...rules("the repository is not to be changed", "git clean", "git stash", "git rebase", "git merge", "git branch"),
  ...rules(
    "the repository is not to be changed",
    "git add",
    "git rm",
    "git mv",
    "git switch",
    "git restore",
    "git tag",
  ),
  ...rules("the repository is not to be changed", "git init", "git clone", "git fetch", "git pull", "git remote"),
  ...rules("the repository is not to be changed", "git worktree", "git submodule", "git filter-branch", "git apply"),
];

/** Needs a person's word: put it under the policy's `allow`. */
export const ASKED: readonly PolicyRule[] = [
  ...rules(
    "it fetches from the network, and there is none",
    "curl",
    "wget",
    "pip",
    "pip3",
    "pipx",
    "uv",
    "poetry",
    "conda",
  ),
  ...rules("it fetches from the network, and there is none", "python -m pip", "python3 -m pip", "npm install", "npm i"),
  ...rules(
    "it fetches from the network, and there is none",
    "npm ci",
    "npm add",
    "npm exec",
    "npx",
    "yarn",
    "pnpm",
    "bun",
  ),
  ...rules(
    "it fetches from the network, and there is none",
    "apt",
    "apt-get",
    "dnf",
    "yum",
    "apk",
    "brew",
    "pacman",
    "snap",
  ),
  ...rules("it fetches from the network, and there is none", "cargo install", "go get", "go install", "gem", "deno"),
  ...rules("it makes packages known to others", "npm publish", "npm login", "twine", "cargo publish"),
];

/** Programs that write what their arguments name. */
export const WRITERS: readonly string[] = [
  "touch",
  "rm",
  "rmdir",
  "unlink",
  "mv",
  "cp",
  "ln",
  "link",
  "mkdir",
  "mkfifo",
  "install",
  "tee",
  "truncate",
  "chmod",
  "chown",
  "chgrp",
  "chattr",
  "setfacl",
  "patch",
  "dd",
  "split",
  "fallocate",
];

/** Programs that write what their arguments name when one of these flags is there. */
export const WRITERS_BY_FLAG: Readonly<Record<string, RegExp>> = {
  sed: /^(?:-[a-zA-Z]*i.*|--in-place.*)$/,
  perl: /^-[a-zA-Z]*i.*$/,
  sort: /^(?:-o.*|--output.*)$/,
  tar: /^(?:-?[a-zA-Z]*[xcruA][a-zA-Z]*|--extract|--create|--append)$/,
  unzip: /^-d.*$/,
  find: /^(?:-delete|-fprint.*)$/,
  awk: /^inplace$/,
};

/** Programs that run the command in their arguments, and how many words of their own come before it. */
export const WRAPPERS: Readonly<Record<string, number>> = {
  env: 0,
  command: 0,
  exec: 0,
  nohup: 0,
  nice: 0,
  ionice: 0,
  setsid: 0,
  stdbuf: 0,
  time: 0,
  builtin: 0,
  xargs: 0,
  busybox: 0,
  timeout: 1,
  prlimit: 0,
  taskset: 1,
  flock: 1,
};

export const SHELLS: readonly string[] = ["sh", "bash", "dash", "zsh", "ksh", "ash"];
