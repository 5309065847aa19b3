// The filter on system calls: a second wall behind the namespaces, and the only one before what namespaces do not hold,
// such as keyrings, virtual machine sockets, setuid bits on files, and memory that belongs to no process.
//
// It is a program for the kernel's filter machine: eight bytes an instruction, jumps forward only.

import { type Architecture, absentCalls, architectures, type Condition, conditions, refusedCalls } from "./calls.ts";

const [LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_BITS, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06];
const [ALLOW, KILL_PROCESS, ERRNO] = [0x7fff0000, 0x80000000, 0x00050000];
const [EPERM, ENOSYS] = [1, 38];
const [CALL_OFFSET, ARCHITECTURE_OFFSET, ARGUMENTS_OFFSET] = [0, 4, 16];
/** System calls of the x32 form, which would get past the numbers. */
const X32_BIT = 0x40000000;

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

/** The filter for an architecture as bwrap reads it; undefined where its system calls are not known here. */
export function seccompProgram(name: string): Uint8Array | undefined {
  if (name !== "x64" && name !== "arm64") return undefined;
  const architecture = architectures[name];
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_OFFSET],
    [JUMP_EQUAL, 1, 0, architecture.audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, CALL_OFFSET],
    [JUMP_AT_LEAST, 0, 1, X32_BIT],
    [RETURN, 0, 0, ERRNO | ENOSYS],
    ...Object.values(refusedCalls).flatMap((call) => refuse(call[architecture.column], EPERM)),
    ...Object.values(absentCalls).flatMap((call) => refuse(call[architecture.column], ENOSYS)),
    ...conditions.flatMap((condition) => refuseWhere(condition, architecture)),
    [RETURN, 0, 0, ALLOW],
  ];
  return assemble(program);
}

function refuse(call: number | null, errno: number): Instruction[] {
  if (call === null) return [];
  return [
    [JUMP_EQUAL, 0, 1, call],
    [RETURN, 0, 0, ERRNO | errno],
  ];
}

/** Refuses a call where all of its tests hold. */
function refuseWhere({ call, errno, tests }: Condition, { column }: Architecture): Instruction[] {
  if (call[column] === null) return [];
  let body: Instruction[] = [[RETURN, 0, 0, ERRNO | errno]];
  for (const test of tests.toReversed()) {
    const load: Instruction = [LOAD, 0, 0, ARGUMENTS_OFFSET + 8 * test.argument];
    body = [load, ...jumpsPast(body.length, test), ...body];
  }
  return [[JUMP_EQUAL, 0, body.length + 1, call[column]], ...body, [LOAD, 0, 0, CALL_OFFSET]];
}

/** Goes on where a test holds, and past the rest where it does not. */
function jumpsPast(rest: number, test: Condition["tests"][number]): Instruction[] {
  if ("hasBits" in test) return [[JUMP_BITS, 0, rest, test.hasBits]];
  if ("is" in test) return [[JUMP_EQUAL, 0, rest, test.is]];
  const last = test.isNoneOf.length - 1;
  return test.isNoneOf.map((value, index) => [JUMP_EQUAL, last - index + rest, 0, value]);
}

function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, ifTrue);
    bytes.setUint8(index * 8 + 3, ifFalse);
    bytes.setUint32(index * 8 + 4, value >>> 0, true);
  }
  return new Uint8Array(bytes.buffer);
}
