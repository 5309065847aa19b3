import { describe, expect, it } from "vitest";
import { hullPicture } from "../../../../test/fakes/boat-loop.ts";
import { isPictureName, readPicture, readSvg } from "./pictures.ts";

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

describe("a picture", () => {
  it("is known by its first bytes, with its size where they tell", () => {
    expect(readPicture(hullPicture(0.5, "side", 40))).toEqual({ type: "image/png", width: 40, height: 40 });
    expect(readPicture(bytes("GIF89a\x05\x00\x07\x01"))).toEqual({ type: "image/gif", width: 5, height: 263 });
    expect(readPicture(bytes("GIF87a"))).toEqual({ type: "image/gif" });
    expect(readPicture(bytes("\xff\xd8\xff\xe0rest"))).toEqual({ type: "image/jpeg" });
    expect(readPicture(bytes("RIFF\x10\0\0\0WEBPVP8 "))).toEqual({ type: "image/webp" });
  });

  it("is read from the middle of a larger buffer too", () => {
    const whole = Buffer.concat([Buffer.from("before"), hullPicture(0.5, "side", 24)]);
    expect(readPicture(whole.subarray(6))).toEqual({ type: "image/png", width: 24, height: 24 });
  });

  it.each([
    ["an SVG under another name", '<svg xmlns="http://www.w3.org/2000/svg" onload="x"/>'],
    ["a page", "<!doctype html><script>x</script>"],
    ["a RIFF file that is no WebP", "RIFF\x10\0\0\0WAVEfmt "],
    ["a PNG that is cut in its first bytes", "\x89PNG"],
    ["nothing", ""],
  ])("is not %s", (_, text) => {
    expect(readPicture(bytes(text))).toBeUndefined();
  });

  it("is looked for only where the name says so", () => {
    expect(["a.png", "b.JPG", "c.jpeg", "d.gif", "e.webp", "f.svg"].filter(isPictureName)).toHaveLength(6);
    expect(["svg", "a.svgz", "png", "a.png.txt", "a.html"].filter(isPictureName)).toEqual([]);
  });
});

describe("an SVG", () => {
  it("is known by its first element, behind a declaration and remarks, with its size in pixels", () => {
    const head = '<?xml version="1.0"?>\n<!-- made > by hand -->\n<!DOCTYPE svg PUBLIC "x">\n';
    expect(readSvg(bytes(`${head}<svg width="40px" height='20.4' xmlns="y">`))).toEqual({
      type: "image/svg+xml",
      width: 40,
      height: 20,
    });
    expect(readSvg(bytes('<svg viewBox="0 0 1 1" width="100%"/>'))).toEqual({ type: "image/svg+xml" });
  });

  it.each(["", "<html><svg/></html>", "svg", "<svgx>", " ".repeat(1_000_001)])("is not %j", (text) => {
    expect(readSvg(bytes(text))).toBeUndefined();
  });
});
