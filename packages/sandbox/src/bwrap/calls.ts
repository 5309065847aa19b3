// The system calls that the filter refuses, by their numbers on x64 and arm64.

/** A call's numbers on x64 and arm64; null where an architecture has none. */
type Call = readonly [x64: number, arm64: number | null];

export interface Architecture {
  column: 0 | 1;
  /** As the kernel names it to filters. */
  audit: number;
}

export const architectures: Record<"x64" | "arm64", Architecture> = {
  x64: { column: 0, audit: 0xc000003e },
  arm64: { column: 1, audit: 0xc00000b7 },
};

/** Calls that a job has no business with: refused as not permitted. */
export const refusedCalls: Readonly<Record<string, Call>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // A job would have its user's session keyring.
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  move_mount: [429, 429],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  fanotify_init: [300, 262],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  syslog: [103, 116],
  vhangup: [153, 58],
  iopl: [172, null],
  ioperm: [173, null],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  // Memory that belongs to no process.
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
};

/** Calls that are said not to exist, so that programs fall back on others. */
export const absentCalls: Readonly<Record<string, Call>> = {
  // Their arguments are hidden from a filter.
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  openat2: [437, 437],
  // Memory that belongs to no process.
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
};

/** Calls that are refused for some arguments only. */
const calls = {
  clone: [56, 220],
  ioctl: [16, 29],
  socket: [41, 198],
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  open: [2, null],
  openat: [257, 56],
  creat: [85, null],
  mknod: [133, null],
  mknodat: [259, 33],
} satisfies Record<string, Call>;

/** Holds where an argument has any of the bits, is the value, or is none of the values. */
type Test = { argument: number } & ({ hasBits: number } | { is: number } | { isNoneOf: readonly number[] });

/** A call that is refused where all of its tests hold. */
export interface Condition {
  call: Call;
  errno: number;
  tests: readonly Test[];
}

const [EPERM, EAFNOSUPPORT] = [1, 97];
const NEW_NAMESPACES = 0x7e020000;
const SETUID_OR_SETGID = 0o6000;
const CREATES = 0o100 | 0o20000000;
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];
const [UNIX, INET, INET6, NETLINK] = [1, 2, 10, 16];

/** What is refused for its arguments: namespaces, typing into a terminal, other kinds of sockets, setuid bits. */
export const conditions: readonly Condition[] = [
  { call: calls.clone, errno: EPERM, tests: [{ argument: 0, hasBits: NEW_NAMESPACES }] },
  { call: calls.ioctl, errno: EPERM, tests: [{ argument: 1, is: TIOCSTI }] },
  { call: calls.ioctl, errno: EPERM, tests: [{ argument: 1, is: TIOCLINUX }] },
  { call: calls.socket, errno: EAFNOSUPPORT, tests: [{ argument: 0, isNoneOf: [UNIX, INET, INET6, NETLINK] }] },
  setsMode(calls.chmod, 1),
  setsMode(calls.fchmod, 1),
  setsMode(calls.fchmodat, 2),
  setsMode(calls.fchmodat2, 2),
  setsMode(calls.creat, 1),
  setsMode(calls.mknod, 1),
  setsMode(calls.mknodat, 2),
  createsFile(calls.open, 1),
  createsFile(calls.openat, 2),
];

/** chmod and what is like it. */
function setsMode(call: Call, argument: number): Condition {
  return { call, errno: EPERM, tests: [{ argument, hasBits: SETUID_OR_SETGID }] };
}

/** open and openat: the mode follows the flags, and means something only where a file is made. */
function createsFile(call: Call, flags: number): Condition {
  const tests = [
    { argument: flags, hasBits: CREATES },
    { argument: flags + 1, hasBits: SETUID_OR_SETGID },
  ];
  return { call, errno: EPERM, tests };
}
