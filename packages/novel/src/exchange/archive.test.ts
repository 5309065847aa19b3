import { execFileSync } from "node:child_process";
import { deflateRawSync } from "node:zlib";
import { strFromU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { ArchiveFault, packFiles, type UnpackBounds, unpackFiles } from "./archive.ts";

const all: UnpackBounds = { bytes: 1_000_000, entries: 100, wants: () => true };
const hello = [
  { name: "first", content: "bare", isStored: true },
  { name: "folder/second.txt", content: "hello ".repeat(100) },
];

function unpacked(archive: Uint8Array, bounds = all): Record<string, string> {
  return Object.fromEntries([...unpackFiles(archive, bounds)].map(([name, content]) => [name, strFromU8(content)]));
}

describe("an archive that is written", () => {
  it("keeps the order of its files and gives the same bytes in every time zone", () => {
    const inZone = (zone: string) =>
      execFileSync(
        process.execPath,
        [
          "--conditions=loopwright-source",
          "--input-type=module",
          "-e",
          `const { packFiles } = await import(${JSON.stringify(new URL("./archive.ts", import.meta.url).href)});
           process.stdout.write(Buffer.from(packFiles(${JSON.stringify(hello)})).toString("hex"));`,
        ],
        { env: { ...process.env, TZ: zone }, encoding: "utf8" },
      );
    const here = Buffer.from(packFiles(hello)).toString("hex");
    expect(inZone("Pacific/Kiritimati")).toBe(here);
    expect(inZone("America/Los_Angeles")).toBe(here);
    expect([...unpackFiles(packFiles(hello), all).keys()]).toEqual(["first", "folder/second.txt"]);
  });

  it("stores a bare file so that its content stands at a fixed place", () => {
    expect(strFromU8(packFiles(hello).subarray(30, 39))).toBe("firstbare");
  });
});

describe("an archive that is read", () => {
  it("gives the wanted files and no others", () => {
    expect(unpacked(packFiles(hello))).toEqual({ first: "bare", "folder/second.txt": "hello ".repeat(100) });
    expect(unpacked(packFiles(hello), { ...all, wants: (name) => name.endsWith(".txt") })).toEqual({
      "folder/second.txt": "hello ".repeat(100),
    });
  });

  it("may have been written as a stream, with its sizes behind each file", () => {
    const program =
      "import sys,zipfile\nclass W:\n  def write(s,b): return sys.stdout.buffer.write(b)\n  def flush(s): pass\nz=zipfile.ZipFile(W(),'w',zipfile.ZIP_DEFLATED)\nz.writestr('a.xml','x'*1000)\nz.writestr('b.xml','y')\nz.close()";
    const archive = execFileSync("python3", ["-c", program]);
    expect(unpacked(archive)).toEqual({ "a.xml": "x".repeat(1000), "b.xml": "y" });
  });

  it("may be followed by a comment and be a part of a larger buffer", () => {
    const archive = Buffer.from(packFiles(hello));
    archive.writeUInt16LE(3, archive.length - 2);
    const larger = Buffer.concat([Buffer.from("......."), archive, Buffer.from("end")]);
    expect(Object.keys(unpacked(larger.subarray(7)))).toEqual(["first", "folder/second.txt"]);
  });

  it("stops at its bound although it says that it is small", () => {
    const packed = deflateRawSync(Buffer.alloc(50_000_000));
    const archive = Buffer.from(zipSync({ "a.xml": [new Uint8Array(10), { level: 0 }] }));
    // The same headers around other data: ten bytes are declared, fifty million come.
    const local = archive.subarray(0, 35);
    const directory = archive.subarray(45);
    local.writeUInt16LE(8, 8);
    directory.writeUInt16LE(8, 10);
    directory.writeUInt32LE(packed.length, 20);
    directory.writeUInt32LE(35 + packed.length, directory.length - 6);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => unpackFiles(Buffer.concat([local, packed, directory]), all)).toThrow(
      expect.objectContaining({ isTooLarge: true, message: "it unpacks to more than 1 MB" }),
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });

  it("counts all its files against one bound, stored ones and repeated ones too", () => {
    const stored = Object.fromEntries(
      [1, 2, 3].map((index) => [`${index}.xml`, [new Uint8Array(400_000), { level: 0 as const }]]),
    );
    expect(() => unpackFiles(zipSync(stored as never), all)).toThrow(expect.objectContaining({ isTooLarge: true }));
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}`, new Uint8Array(0)]));
    expect(() => unpackFiles(zipSync(many), all)).toThrow(expect.objectContaining({ isTooLarge: true }));
  });

  it("is refused with a reason wherever it is cut off", () => {
    const archive = packFiles(hello);
    for (let length = 0; length < archive.length; length++) {
      expect(() => unpackFiles(archive.subarray(0, length), all), `${length} bytes`).toThrow(ArchiveFault);
    }
  });

  it("never gives changed content, whichever byte is wrong", () => {
    const archive = packFiles(hello);
    const good = JSON.stringify(Object.values(unpacked(archive)));
    for (let at = 0; at < archive.length; at++) {
      const damaged = archive.slice();
      damaged[at]! ^= 0xff;
      let content: string;
      try {
        content = JSON.stringify(Object.values(unpacked(damaged)));
      } catch (error) {
        expect(error, `byte ${at}`).toBeInstanceOf(ArchiveFault);
        continue;
      }
      expect(good.startsWith(content.slice(0, -1)), `byte ${at}`).toBe(true);
    }
  });
});
