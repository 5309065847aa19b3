import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openYaml } from "./yaml-file.ts";

const Boat = z.strictObject({ name: z.string(), sails: z.array(z.strictObject({ area: z.number() })).optional() });
const names = { file: "boat.yaml", code: "BOAT_INVALID" };

function read(text: string) {
  const yaml = openYaml(text, names);
  return yaml.fit(Boat, yaml.value);
}

describe("YAML held to a schema", () => {
  it("is what it says", () => {
    expect(read("name: Swan\nsails: [{ area: 12 }]\n")).toEqual({ name: "Swan", sails: [{ area: 12 }] });
    expect(openYaml("", names).value).toEqual({});
  });

  it.each([
    ["a value of another kind", "name: Swan\nsails:\n  - area: large\n", "boat.yaml:3: sails.0.area: "],
    ["a key that is not known", "name: Swan\n\nmasts: 2\n", "boat.yaml:3: masts: "],
    ["a key that is missing", "sails: []\n", "boat.yaml:1: name: "],
    ["another kind of thing", "- a\n", "boat.yaml:1: the file: "],
    ["no YAML", "name: Swan\nsails: [\n", "boat.yaml:3: "],
    ["aliases that multiply", bomb(), "boat.yaml:1: this cannot be read: Excessive alias count"],
  ])("with %s is refused at its line", (_, text, message) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: "BOAT_INVALID", message: expect.stringContaining(message) }),
    );
  });

  it("says a line for what stands in no file, and takes parts under their own keys", () => {
    const { place, fit } = openYaml("name: Swan\nsails:\n  - area: 1\n", names);
    expect([place(["sails", 0, "area"]), place(["sails", 9]), place(["rudder"])]).toEqual([
      ...["boat.yaml:3", "boat.yaml:3", "boat.yaml:1"],
    ]);
    expect(() => fit(z.number(), "x", ["sails", "0", "area"])).toThrow("boat.yaml:3: sails.0.area: ");
  });
});

/** A few lines that would come to a hundred million values. */
function bomb(): string {
  const rows = Array.from({ length: 8 }, (_, at) => `a${at}: &a${at} [${Array(10).fill(at ? `*a${at - 1}` : "x")}]`);
  return rows.join("\n");
}
