import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "@loopwright/core";
import { maskToPicture, pictureToPng } from "@loopwright/mesh";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HullTask, startOptions } from "./task.ts";
import { demoTask, loadTask } from "./task-file.ts";

const example = join(import.meta.dirname, "../../demo");
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hull-task-"));
  file = join(folder, "task.yaml");
  await cp(example, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const minimal = `task_description: fit
references: { front: references/front.png, side: references/side.png, top: references/top.png }
frame: { center: [0, 0, 0.33], meters: 17.78 }
`;

async function errorOf(text: string | Uint8Array): Promise<UsageError> {
  await writeFile(file, text);
  const error = await loadTask(file).catch((thrown: unknown) => thrown);
  if (error instanceof UsageError) return error;
  throw new Error(`it was taken, or threw something else: ${error}`);
}

describe("a task file", () => {
  it("becomes a task that holds its pictures, so that the files may go", async () => {
    const task = await loadTask(file);
    expect(task.references.side).toBe((await readFile(join(folder, "references/side.png"))).toString("base64"));
    expect(task).toEqual(await demoTask());
    expect(HullTask.parse(JSON.parse(JSON.stringify(task)))).toEqual(task);
  });

  it("needs a description, references and a frame; the rest has defaults", async () => {
    await writeFile(file, minimal);
    expect(await loadTask(file)).toMatchObject({
      workcell: "loft",
      builder: "search",
      evaluator: "measure",
      score_threshold: 0.85,
      max_iterations: 10,
      max_retries: 3,
      stagnation: { window: 3, range: 0.02 },
      history_window: 5,
      render_size: 512,
    });
  });

  it("has ceilings of its own", async () => {
    await writeFile(file, `${minimal}max_iterations: 4\nceilings: { minutes: 20, tokens: 90000 }\n`);
    expect(startOptions(await loadTask(file)).ceilings).toEqual({ iterations: 4, minutes: 20, tokens: 90000 });
    expect((await errorOf(`${minimal}ceilings: { hours: 2 }\n`)).message).toMatch(/:4: ceilings\.hours: /);
  });

  it("finds pictures beside itself, wherever the program runs", async () => {
    await writeFile(file, minimal.replace("references/front.png", join(folder, "references/front.png")));
    await expect(loadTask(file)).resolves.toMatchObject({ task_description: "fit" });
  });

  it("that is not there is named", async () => {
    const missing = join(folder, "none.yaml");
    await expect(loadTask(missing)).rejects.toMatchObject({
      code: "TASK_MISSING",
      message: expect.stringContaining(missing),
    });
  });

  it.each([
    [
      "a reference that is not there",
      minimal.replace("front.png", "bow.png"),
      "REFERENCE_INVALID",
      /:2: references\.front: the picture .*bow\.png cannot be read/,
    ],
    ["a key that is not known", `${minimal}threshold: 0.9\n`, "TASK_INVALID", /:4: threshold: .*[Uu]nrecognized key/],
    [
      "a value of the wrong kind",
      `${minimal}score_threshold: high\n`,
      "TASK_INVALID",
      /:4: score_threshold: .*expected number/,
    ],
    ["a value out of range", `${minimal}score_threshold: 1.5\n`, "TASK_INVALID", /:4: score_threshold: /],
    ["a workcell that is not known", `${minimal}workcell: clay\n`, "TASK_INVALID", /:4: workcell: .*"loft"/],
    ["a key that is missing", minimal.replace("task_description: fit\n", ""), "TASK_INVALID", /:1: task_description: /],
    ["no frame", minimal.split("frame")[0]!, "TASK_INVALID", /:1: frame: /],
    ["a key inside a list", minimal.replace("0.33]", "up]"), "TASK_INVALID", /:3: frame\.center\.2: /],
    ["broken YAML", `${minimal}search: { size: 64\n`, "TASK_INVALID", /task\.yaml:\d: /],
    ["nothing in it", "", "TASK_INVALID", /^\S+task\.yaml is empty: .*init <folder> --loop hull.* writes a task/],
    ["nothing but comments", "# later\n \n", "TASK_INVALID", /^\S+task\.yaml is empty: /],
    ["bytes that are no text", Buffer.from("89504e470d0a1a0a", "hex"), "TASK_INVALID", /^\S+task\.yaml is no text: /],
    ["a NUL", "task_description: a\0b\n", "TASK_INVALID", /^\S+task\.yaml is no text: /],
    ["a list", "- a\n- b\n", "TASK_INVALID", /:1: the task: /],
    [
      "a baseline with a wrong name",
      `${minimal}baseline: { lenght: 9 }\n`,
      "TASK_INVALID",
      /:4: baseline: .*did you mean 'length'/,
    ],
    [
      "a window that outgrows the history",
      `${minimal}stagnation: { window: 9 }\n`,
      "TASK_INVALID",
      /:4: stagnation\.window: must not exceed history_window/,
    ],
  ])("with %s is refused, with the line and the key", async (_, text, code, message) => {
    const error = await errorOf(text);
    expect(error.code).toBe(code);
    expect(error.message).toContain(file);
    expect(error.message).toMatch(message);
  });

  it.each([
    ["empty", "", /top\.png is empty: /],
    ["no picture", "some words", /top\.png is no PNG/],
  ])("whose picture is %s is refused, with the file", async (_, bytes, message) => {
    await writeFile(join(folder, "references/top.png"), bytes);
    const error = await errorOf(minimal);
    expect(error).toMatchObject({ code: "REFERENCE_INVALID", message: expect.stringMatching(message) });
  });

  it.each([
    ["empty", "", /:6: baseline: \S+begin\.blend is empty: save the scene from Blender/],
    ["no scene", "\x89PNG", /:6: baseline: \S+begin\.blend is no \.blend: save the scene from Blender/],
  ])("whose baseline is %s is refused, with the file", async (_, bytes, message) => {
    await writeFile(join(folder, "begin.blend"), bytes);
    const error = await errorOf(`${minimal}workcell: blender\nbuilder: model\nbaseline: begin.blend\n`);
    expect(error).toMatchObject({ code: "TASK_INVALID", message: expect.stringMatching(message) });
  });

  it("whose picture is truncated is refused, with the file", async () => {
    const picture = join(folder, "references/top.png");
    await writeFile(picture, (await readFile(picture)).subarray(0, 100));
    const error = await errorOf(minimal);
    expect(error).toMatchObject({ code: "REFERENCE_INVALID" });
    expect(error.message).toMatch(/:2: references\.top: .*top\.png: /);
  });

  it("whose picture shows nothing is refused, with what to draw", async () => {
    const blank = { width: 8, height: 8, data: new Uint8Array(64) };
    await writeFile(join(folder, "references/side.png"), pictureToPng(maskToPicture(blank)));
    const error = await errorOf(minimal);
    expect(error.message).toMatch(/references\.side: .*side\.png shows nothing: draw the object opaque/);
  });
});
