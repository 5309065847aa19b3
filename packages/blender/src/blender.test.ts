import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox } from "@loopwright/sandbox";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasBlender } from "../../../test/fakes/blender.ts";
import { Blender } from "./blender.ts";

const CUBE = "bpy.ops.mesh.primitive_cube_add(size=2)";

/** The names of the objects that it says it holds. */
const names = async (blender: Blender) =>
  ((await blender.scene()).objects as { name: string }[]).map(({ name }) => name).sort();

describe.skipIf(!hasBlender)("A scene in a sandboxed Blender", () => {
  let blender: Blender;
  beforeAll(async () => {
    blender = await Blender.start();
  });
  afterAll(() => blender?.stop());

  it("begins empty, and holds what code puts into it", async () => {
    await blender.reset();
    expect(await names(blender)).toEqual([]);
    expect(await blender.execute(`${CUBE}\nprint("made", bpy.context.object.name)`)).toEqual({ output: "made Cube\n" });
    const { objects } = (await blender.scene()) as { objects: unknown };
    expect(objects).toEqual([expect.objectContaining({ name: "Cube", type: "MESH", vertices: 8, triangles: 12 })]);
  });

  it("is exported as a GLB, whose triangles are read here", async () => {
    await blender.reset();
    await blender.execute(`${CUBE}\nbpy.context.object.modifiers.new("s", "SUBSURF").levels = 1`);
    const { bytes, mesh } = await blender.exported();
    expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe("glTF");
    expect(mesh.triangles.length / 3).toBe(48);
  });

  it("is exported as a .blend", async () => {
    expect(Buffer.from((await blender.exportBlend()).subarray(0, 7)).toString()).toBe("BLENDER");
  });

  it("is as it was where code raises: kind, line, way and a hint are told", async () => {
    await blender.reset();
    await blender.execute(CUBE);
    const failing = `bpy.data.objects.remove(bpy.data.objects["Cube"])
def make():
    return bpy.data.node_groups.new("g", "GeometryNodeTree").interface
print("so far")
make()`;
    const error = await blender.execute(failing).catch((error) => error);
    expect(error).toMatchObject({ code: "BLENDER_RAISED", data: { kind: "AttributeError", line: 3 } });
    expect(error.message).toContain("line 5, in <module>; line 3, in make");
    expect(error.message).toMatch(/In Blender 3\.4\.1: .*group\.inputs\.new/);
    expect(error.message).toContain("printed before: so far");
    expect(await names(blender)).toEqual(["Cube"]);
  });

  const PRINCIPLED = "m = bpy.data.materials.new('m'); m.use_nodes = True; b = m.node_tree.nodes['Principled BSDF']";

  it.each([
    [`${PRINCIPLED}\nb.inputs['Specular IOR Level'].default_value = 1`, /'Specular'/],
    [`${PRINCIPLED}\nb.inputs['Emission Color'].default_value = (1, 1, 1, 1)`, /'Emission'/],
    [`${PRINCIPLED}\nb.inputs['Coat Weight'].default_value = 1`, /'Clearcoat'/],
    [`${PRINCIPLED}\nb.inputs['Transmission Weight'].default_value = 1`, /'Transmission'/],
    ["bpy.context.scene.render.engine = 'BLENDER_EEVEE_NEXT'", /'BLENDER_EEVEE'/],
    ["bpy.ops.object.shade_auto_smooth()", /use_auto_smooth/],
    ["bpy.ops.wm.ply_import(filepath='x.ply')", /import_mesh\.ply/],
    ["bpy.ops.ed.undo()", /undo_last_step/],
    ["bpy.ops.render.opengl()", /get_viewport_screenshot/],
    ["bpy.ops.object.editmode_toggle()", /no window here/],
    [
      "g = bpy.data.node_groups.new('g', 'GeometryNodeTree'); g.nodes.new('GeometryNodeForEachGeometryElementInput')",
      /no such node/,
    ],
  ])("hints at what is meant by names of other versions: %s", async (code, hint) => {
    await blender.reset();
    const error = await blender.execute(code).catch((error) => error);
    expect(error.code).toBe("BLENDER_RAISED");
    expect(error.message).toMatch(/In Blender 3\.4\.1: /);
    expect(error.data.hint).toMatch(hint);
  });

  it("takes steps back, as far as they go", async () => {
    await blender.reset();
    const before = await names(blender);
    await blender.execute(CUBE);
    await blender.execute("bpy.ops.mesh.primitive_monkey_add()");
    expect(await blender.undo()).toBe(true);
    expect(await names(blender)).toEqual(["Cube"]);
    expect(await blender.undo()).toBe(true);
    expect(await names(blender)).toEqual(before);
  });

  it("stands in another Blender after the first hangs, with the last step that went well", async () => {
    await blender.reset();
    await blender.execute(CUBE);
    const hanging = blender.execute("bpy.ops.mesh.primitive_monkey_add()\nwhile True: pass", { limitMs: 1_000 });
    await expect(hanging).rejects.toMatchObject({ name: "InfrastructureError", code: "BLENDER_LOST" });
    expect(await names(blender)).toEqual(["Cube"]);
  });

  it("is let go of by a signal, and goes on with the next call", async () => {
    await blender.reset();
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 300);
    await expect(blender.execute("while True: pass", { signal: abort.signal })).rejects.toThrow();
    expect(await names(blender)).toEqual([]);
  });
});

describe.skipIf(!hasBlender)("Without a sandbox, where the user says so", () => {
  let blender: Blender;
  beforeAll(async () => {
    blender = await Blender.start({ sandbox: await openSandbox("none"), hasSpare: false });
  });
  afterAll(() => blender?.stop());

  it("everything works as inside one", async () => {
    await blender.execute(CUBE);
    expect(await blender.execute("import os; os._exit(1)").catch(({ code }) => code)).toBe("BLENDER_LOST");
    expect((await blender.exported()).mesh.triangles.length / 3).toBe(12);
    expect(await blender.undo()).toBe(true);
    expect(await names(blender)).toEqual([]);
  });

  it("code answers for the processes that it leaves, and for nobody else's", async () => {
    const executed = blender.execute("import time; time.sleep(1)");
    const others = setInterval(() => execFile("sleep", ["2"]), 100);
    await executed.finally(() => clearInterval(others));
    const leaves = "import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True)";
    await expect(blender.execute(leaves)).rejects.toThrow("left 1 process running");
  });
});

describe.skipIf(!hasBlender)("Two Blenders", () => {
  it("give the same GLB for the same scene, never meet, and leave nothing behind", async () => {
    const base = mkdtempSync(join(tmpdir(), "loopwright-two-"));
    onTestFinished(() => rmSync(base, { recursive: true }));
    const start = (name: string) => Blender.start({ hasSpare: false, folder: join(base, name) });
    const both = await Promise.all([start("one"), start("other")]);
    const code = `bpy.ops.mesh.primitive_monkey_add()
bpy.context.object.modifiers.new("s", "SUBSURF").levels = 2
m = bpy.data.materials.new("red"); m.diffuse_color = (1, 0, 0, 1); bpy.context.object.data.materials.append(m)
open("note.txt", "w").write("mine")`;
    const [one, other] = await Promise.all(
      both.map(async (blender) => {
        await blender.execute(code);
        return Buffer.from((await blender.exported()).bytes);
      }),
    );
    expect(one!.length).toBeGreaterThan(100_000);
    expect(one!.equals(other!)).toBe(true);
    await both[0]!.execute('open("note.txt", "w").write("changed")');
    expect((await both[1]!.execute('print(open("note.txt").read())')).output).toBe("mine\n");
    await Promise.all(both.map((blender) => blender.stop()));
    expect(readdirSync(base)).toEqual([]);
  });
});
