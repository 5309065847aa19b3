import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { templateCode, templateNames } from "./templates.ts";

const outside = mkdtempSync(join(tmpdir(), "loopwright-templates-"));
const folder = join(outside, "templates");
afterAll(() => rmSync(outside, { recursive: true, force: true }));

mkdirSync(folder);
writeFileSync(join(outside, "secret.py"), "# what is none of a template's\n");
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
write("parts.py", "SIDE = 1\n");
write("crate.py", "# needs: parts.py\ndef build(seed): pass\n");
write("above.py", "# needs: ../secret.py\n");
write("rooted.py", `# needs: ${join(outside, "secret.py")}\n`);
write("by_link.py", "# needs: link.py\n");
symlinkSync("../secret.py", join(folder, "link.py"));
symlinkSync("../secret.py", join(folder, "linked.py"));
execFileSync("mkfifo", [join(folder, "pipe.py")]);

describe("a template of one's own", () => {
  it("comes after what it needs, and before its call", () => {
    const code = templateCode("crate", { seed: 7, folder });
    expect(code.split("\n").filter(Boolean)).toEqual([
      ...["SIDE = 1", "# needs: parts.py", "def build(seed): pass", "build(7)"],
    ]);
  });

  it.each(["above", "rooted", "by_link", "linked", "pipe", "none", "../secret"])(
    "called %s takes nothing from outside of its folder",
    (name) => {
      expect(() => templateCode(name, { folder })).toThrow(expect.objectContaining({ code: "TEMPLATE_UNKNOWN" }));
    },
  );
});

it("every template that is shipped is there", () => {
  for (const name of templateNames) expect(templateCode(name)).toMatch(/\ndef build\([\s\S]*\nbuild\(1\)\n$/);
});
