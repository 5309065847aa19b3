import { describe, expect, it } from "vitest";
import { absentCalls, architectures, refusedCalls } from "./calls.ts";
import { seccompProgram } from "./seccomp.ts";

type Name = keyof typeof architectures;

/** What the kernel would do with a call: the filter machine, with no more than the filter uses of it. */
function decide(name: Name, number: number, args: number[] = [], audit = architectures[name].audit): string {
  const program = seccompProgram(name)!;
  const view = new DataView(program.buffer);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, audit, true);
  for (const [index, value] of args.entries()) data.setUint32(16 + 8 * index, value, true);
  let accumulator = 0;
  for (let at = 0; at < program.length; ) {
    const [code, ifTrue, ifFalse] = [view.getUint16(at, true), view.getUint8(at + 2), view.getUint8(at + 3)];
    const value = view.getUint32(at + 4, true);
    at += 8;
    if (code === 0x06) return verdictOf(value);
    if (code === 0x20) accumulator = data.getUint32(value, true);
    else if (code === 0x15) at += 8 * (accumulator === value ? ifTrue : ifFalse);
    else if (code === 0x35) at += 8 * (accumulator >= value ? ifTrue : ifFalse);
    else if (code === 0x45) at += 8 * ((accumulator & value) !== 0 ? ifTrue : ifFalse);
    else throw new Error(`instruction ${code}`);
  }
  throw new Error("the filter has no end");
}

function verdictOf(value: number): string {
  if (value === 0x7fff0000) return "allow";
  if (value === 0x80000000) return "kill";
  return { 1: "EPERM", 38: "ENOSYS", 97: "EAFNOSUPPORT" }[value & 0xffff] ?? String(value);
}

const names: Name[] = ["x64", "arm64"];
const numbers = {
  x64: { read: 0, openat: 257, clone: 56, ioctl: 16, socket: 41, fchmod: 91, fchmodat: 268, execve: 59 },
  arm64: { read: 63, openat: 56, clone: 220, ioctl: 29, socket: 198, fchmod: 52, fchmodat: 53, execve: 221 },
};

describe.each(names)("The filter on system calls, on %s", (name) => {
  const call = numbers[name];
  const { column } = architectures[name];

  it("allows what programs do", () => {
    for (const number of [call.read, call.execve]) expect(decide(name, number)).toBe("allow");
  });

  it("refuses every call of its lists", () => {
    for (const [title, pair] of Object.entries(refusedCalls))
      if (pair[column] !== null) expect(decide(name, pair[column]), title).toBe("EPERM");
    for (const [title, pair] of Object.entries(absentCalls)) expect(decide(name, pair[column]!), title).toBe("ENOSYS");
  });

  it("lets processes and threads be made, and no namespace", () => {
    expect(decide(name, call.clone, [17])).toBe("allow");
    expect(decide(name, call.clone, [0x3d0f00])).toBe("allow");
    for (const flag of [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000])
      expect(decide(name, call.clone, [flag | 17])).toBe("EPERM");
  });

  it("lets sockets be of four families only", () => {
    for (const family of [1, 2, 10, 16]) expect(decide(name, call.socket, [family])).toBe("allow");
    for (const family of [0, 3, 17, 31, 38, 40, 44]) expect(decide(name, call.socket, [family])).toBe("EAFNOSUPPORT");
  });

  it("keeps terminals from being typed into, and lets them be asked", () => {
    expect(decide(name, call.ioctl, [0, 0x5412])).toBe("EPERM");
    expect(decide(name, call.ioctl, [0, 0x541c])).toBe("EPERM");
    expect(decide(name, call.ioctl, [0, 0x5401])).toBe("allow");
  });

  it("keeps setuid and setgid bits off files", () => {
    expect(decide(name, call.fchmod, [3, 0o755])).toBe("allow");
    expect(decide(name, call.fchmod, [3, 0o4755])).toBe("EPERM");
    expect(decide(name, call.fchmodat, [3, 0, 0o2755])).toBe("EPERM");
    expect(decide(name, call.openat, [3, 0, 0o101, 0o4755])).toBe("EPERM");
    expect(decide(name, call.openat, [3, 0, 0o101, 0o644])).toBe("allow");
  });

  it("takes no notice of a mode where no file is made", () => {
    expect(decide(name, call.openat, [3, 0, 0, 0o7777])).toBe("allow");
  });

  it("kills a call of another architecture", () => {
    expect(decide(name, call.read, [], 0x40000003)).toBe("kill");
  });

  it("refuses the x32 form", () => {
    expect(decide(name, 0x40000000 + call.read)).toBe("ENOSYS");
  });
});

describe("The filter on system calls", () => {
  it("is not made for an architecture whose calls are unknown", () => {
    expect(seccompProgram("riscv64")).toBeUndefined();
  });
});
