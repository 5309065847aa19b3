import { expect, it } from "vitest";
import type { Mask } from "./picture.ts";
import { strayRegions } from "./silhouettes.ts";

/** A mask drawn in text: # is the object. */
function mask(...rows: string[]): Mask {
  return {
    width: rows[0]!.length,
    height: rows.length,
    data: Uint8Array.from(rows.join(""), (sign) => (sign === "#" ? 1 : 0)),
  };
}

it("what stands out is found however thin it is, with its reach and its place; what is a little larger is not", () => {
  const wanted = mask("....#...", "....#...", "....#...", "########", "########");
  const made = mask("........", "........", "........", ".#######", "########");
  expect(strayRegions(wanted, made, 1)).toEqual([
    { reach: 3, extent: { left: 4, right: 4, top: 0, bottom: 1, width: 1, height: 2, area: 2 } },
  ]);
  expect(strayRegions(made, wanted, 1)).toEqual([]);
  expect(strayRegions(wanted, mask("...", "..."), 1)).toEqual([]);
});
