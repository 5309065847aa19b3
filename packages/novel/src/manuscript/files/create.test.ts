import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { novelFolder, sampleProject } from "../../../../../test/fixtures/novel/manuscript.ts";
import { changeProjectFile, createManuscript, ignoreText, openManuscript } from "./open.ts";

describe("a new project", () => {
  it("is empty, has its settings, and leaves the engine's files to itself", async () => {
    const folder = join(novelFolder(), "deep", "my-novel");
    const manuscript = await createManuscript(folder, {
      title: 'Öl & Licht: a "novel" 🕯️',
      genre: "fantasy",
      chapters: 15,
    });
    expect(manuscript).toMatchObject({ name: "my-novel", project: { title: 'Öl & Licht: a "novel" 🕯️', chapters: 15 } });
    expect(manuscript.taxonomy).toMatchObject({ genre: "fantasy", tropes: [] });
    expect(manuscript.target()).toBeUndefined();
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe(".loopwright/\nruns/\n.agentic/\n.env\n");
  });

  it("is refused where there is one, which stays as it is", async () => {
    const folder = sampleProject();
    const before = readFileSync(join(folder, "project.yaml"), "utf8");
    await expect(createManuscript(folder, { title: "B" })).rejects.toMatchObject({ code: "NOVEL_EXISTS" });
    expect(readFileSync(join(folder, "project.yaml"), "utf8")).toBe(before);
  });

  it("is refused before anything is written where its settings are wrong", async () => {
    const folder = join(novelFolder(), "x");
    await expect(createManuscript(folder, { title: "A", chapters: 0 })).rejects.toThrow("'chapters'");
    expect(existsSync(folder)).toBe(false);
  });

  it("leaves what a folder has", async () => {
    const folder = novelFolder();
    writeFileSync(join(folder, ".gitignore"), "*.bak\n/runs\nruns");
    writeFileSync(join(folder, "notes.md"), "mine");
    await createManuscript(folder, { title: "A" });
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe(
      "*.bak\n/runs\nruns\n.loopwright/\n.agentic/\n.env\n",
    );
    expect(readFileSync(join(folder, "notes.md"), "utf8")).toBe("mine");
    expect(ignoreText(".loopwright/\nruns/\n.agentic/\n.env\n")).toBe(".loopwright/\nruns/\n.agentic/\n.env\n");
  });
});

describe("a project's settings", () => {
  it("are changed with comments and order kept", async () => {
    const project = "# my book\ntitle: A # working title\nmodels:\n  writer: local:big\ngenre: horror\n";
    const folder = sampleProject({ project });
    const { path, content } = await changeProjectFile(folder, { models: { writer: "local:small" }, max_retries: 2 });
    expect(path).toBe("project.yaml");
    expect(content).toBe(
      "# my book\ntitle: A # working title\nmodels:\n  writer: local:small\ngenre: horror\nmax_retries: 2\n",
    );
    expect((await changeProjectFile(folder, { models: undefined })).content).not.toContain("writer");
    expect((await openManuscript(folder)).project.models).toEqual({ writer: "local:big" });
  });

  it("are not changed to what would not be read again", async () => {
    const folder = sampleProject();
    await expect(changeProjectFile(folder, { chapters: -1 })).rejects.toThrow("'chapters'");
    await expect(changeProjectFile(novelFolder(), {})).rejects.toMatchObject({ code: "NOVEL_MISSING" });
  });
});
