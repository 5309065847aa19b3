// `--dry-run` shows the first prompt, with the real binary: beside a server that must see no request, in a folder that must not change.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder } from "../fakes/cli.ts";
import { createIssue, fabProject } from "../fakes/fab-project.ts";
import { type FaultServer, startFaultServer } from "../fakes/fault-server.ts";
import { NovelFolder } from "../fakes/novel-folder.ts";
import { chapterText } from "../fakes/novel-texts.ts";

const MINUTE = 60_000;

/** The plan as printed and as a document; nothing was sent, and the folder is as it was. */
async function dryRun(at: Folder, server: FaultServer, words: readonly string[]) {
  const before = at.listing();
  const args = [...words, "--url", server.url, "--model", "m", "--seed", "1", "--dry-run"];
  const [text, json] = [await at.cli(args), await at.cli([...args, "--json"])];
  for (const { code, stderr } of [text, json]) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(server.requests).toEqual([]);
  expect(at.listing()).toEqual(before);
  const { input, prompt, promptReason } = JSON.parse(json.stdout);
  return { text: text.stdout, input, prompt, promptReason };
}

async function folderOf(files: Readonly<Record<string, string>>): Promise<Folder> {
  const at = new Folder();
  for (const [path, text] of Object.entries(files)) await at.write(path, text);
  return at;
}

describe.concurrent("--dry-run", () => {
  it(
    "shows what the planner of an empty workspace would be asked",
    async () => {
      await using server = await startFaultServer();
      using at = await folderOf({ "task.md": "# Task\n\nA function that counts zebras.\n" });
      const { text, prompt } = await dryRun(at, server, ["code"]);
      expect(prompt).toMatchObject({ role: "consultant", model: "default:m", images: 0 });
      expect(prompt.user).toContain("counts zebras");
      expect(prompt.tokens).toBeGreaterThan(200);
      expect(text).toContain(prompt.user.trim());
      expect(text).toContain(prompt.system.trim());
      expect(text).toContain("No model was called");
    },
    MINUTE,
  );

  it(
    "shows a repository's planner the files that its task is about, after its tests have run",
    async () => {
      await using server = await startFaultServer();
      using at = await folderOf({
        "loopwright.yaml": "models:\n  consultant: { model: m, context: 122880 }\n",
        "shop/price.py": "def rounded(value):\n    return int(value)\n",
        "shop/test_price.py": "from price import rounded\n\ndef test_down():\n    assert rounded(2.2) == 3\n",
      });
      execFileSync("git", ["init", "-q"], { cwd: `${at.dir}/shop` });
      const words = ["code", "round to the nearest", "--workspace", "shop"];
      const { text, input, prompt } = await dryRun(at, server, words);
      expect(input.windows).toEqual({ implementer: 16_000, reviewer: 16_000, consultant: 122_880 });
      expect(prompt.user).toContain("return int(value)");
      expect(prompt.user).toContain("test_down");
      expect(text).toContain("ran its tests twice in the sandbox");
    },
    2 * MINUTE,
  );

  it(
    "shows the prompt where no model is configured, and runs nothing without a sandbox",
    async () => {
      using at = await folderOf({ "task.md": "# Task\n\nA function that counts zebras.\n" });
      expect(await at.document("code --dry-run")).toMatchObject({ prompt: { model: null } });
      expect(await at.document("code --dry-run --sandbox none")).toMatchObject({
        prompt: null,
        promptReason: expect.stringContaining("with your rights"),
      });
      expect(at.listing()).toEqual({ "task.md": expect.anything() });
    },
    MINUTE,
  );

  it(
    "shows what a model that builds a hull would be asked, with its pictures",
    async () => {
      await using server = await startFaultServer();
      using at = new Folder();
      await at.cli("init . --loop hull");
      const { text, prompt } = await dryRun(at, server, ["hull", "--builder", "model"]);
      expect(prompt).toMatchObject({ role: "builder", does: "built and measured the start in a sandboxed Blender" });
      expect(prompt.images).toBeGreaterThan(2);
      expect(text).toContain(`${prompt.images} pictures`);
      const search = await dryRun(at, server, ["hull", "--builder", "search"]);
      expect(search).toMatchObject({ prompt: null, promptReason: "no model takes part" });
    },
    2 * MINUTE,
  );

  it(
    "shows what feedback on a book asks first, and leaves the book, its hand edits and its history alone",
    async () => {
      await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 3, prose: 3 });
      writeFileSync(join(novel.novel, "chapters/chapter-02.md"), chapterText(2, "By hand."));
      const before = novel.folder.listing();
      const piped = async (input: string, flags = "") =>
        (await novel.folder.cli(`novel my-novel --dry-run ${flags}`, { input })).stdout;
      const { prompt } = JSON.parse(await piped("Make chapter 2 darker\n", "--json"));
      expect(prompt).toMatchObject({ role: "writer", model: "fake:fake", id: expect.stringContaining("read@") });
      expect(prompt.user).toContain("Make chapter 2 darker");
      expect(prompt.user).toContain("By hand.");
      expect(await piped("Make chapter 2 darker\n")).toContain(prompt.user.trim());
      expect(JSON.parse(await piped("More rain\n", "--json")).prompt.id).toContain("read@");
      expect(await piped("")).toContain("not shown: nothing is missing");
      expect(novel.server.requests).toEqual([]);
      expect(novel.folder.listing()).toEqual(before);
    },
    MINUTE,
  );

  it(
    "shows what a model that builds an asset would be asked, and leaves the issue alone",
    async () => {
      await using server = await startFaultServer();
      using at = await fabProject();
      const issue = await createIssue(at, { prompt: "a car with zebra stripes" });
      const { prompt } = await dryRun(at, server, ["fab", issue, "--builder", "model"]);
      expect(prompt).toMatchObject({ role: "builder", model: "default:m" });
      expect(prompt.user).toContain("zebra stripes");
      expect(await at.document(`issue show ${issue}`)).toMatchObject({ issue: { status: "open", runs: [] } });
    },
    MINUTE,
  );
});
