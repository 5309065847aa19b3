// What npm shows of a package, and what every package must say of itself.

import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const license = read("LICENSE");
const { version } = JSON.parse(read("package.json"));
const packages = globSync("packages/*/package.json", { cwd: root }).map((path) => dirname(path));

describe.each(packages)("%s", (folder) => {
  const manifest = JSON.parse(read(join(folder, "package.json")));

  it("has the license of the project, by name and by text", () => {
    expect(manifest.license).toBe("MIT");
    expect(read(join(folder, "LICENSE"))).toBe(license);
  });

  it("has a description and keywords to be found by", () => {
    expect(manifest.description).toMatch(/^[A-Z].{20,}\.$/);
    expect(manifest.keywords).toContain("loopwright");
    expect(manifest.keywords.length).toBeGreaterThan(2);
  });

  it("has a page that npm can show", () => {
    expect(read(join(folder, "README.md"))).toMatch(/^# .+\n\n.{80}/);
  });

  it("has the version of all packages, and needs its siblings at just that", () => {
    const siblings = Object.entries(manifest.dependencies ?? {}).filter(([name]) => /^@?loopwright/.test(name));
    expect([manifest.version, ...siblings.map(([, needed]) => needed)]).toEqual(
      Array(siblings.length + 1).fill(version),
    );
  });
});
