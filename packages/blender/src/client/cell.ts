// A Blender behind an MCP server, as a workcell. Only tools that any such server has are needed: code to execute, and what the
// scene holds. What is judged is made here, of the exported GLB, whoever the server is.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExecutionError, InfrastructureError, type Json, type Workcell, type WorkcellStart } from "@loopwright/core";
import { type Frame, glbToMesh, type Mesh, pictureToPng, shade, type ViewName, viewNames } from "@loopwright/mesh";
import { openSandbox } from "@loopwright/sandbox";
import { Files, type OtherServer, otherServer, ownServer, type Server, type ToolAnswer } from "./server.ts";

const LIMIT_MS = 120_000;

/** A Blender behind MCP as a workcell: ours or another server's. */
export class McpBlender implements Workcell {
  readonly #files: Files;
  readonly #open: (scene: string | undefined) => Promise<Server>;
  #server: Server;
  #at: string | undefined;
  #glb: { bytes: Uint8Array; mesh: Mesh } | undefined;

  private constructor(files: Files, open: (scene: string | undefined) => Promise<Server>, server: Server) {
    this.#files = files;
    this.#open = open;
    this.#server = server;
  }

  /** Starts at a scene, or with an empty one. */
  static async start(
    files: Files,
    open: (scene: string | undefined) => Promise<Server>,
    snapshot: string | undefined,
  ): Promise<McpBlender> {
    const cell = new McpBlender(files, open, await open(snapshot && files.pathOf(snapshot)));
    cell.#at = snapshot;
    return cell;
  }

  get at(): string | undefined {
    return this.#at;
  }

  /** Runs code; throws ExecutionError where it is at fault. */
  async execute(code: string): Promise<Json> {
    const before = this.#at;
    try {
      const output = await this.#ask("execute_code", { code });
      this.#at = undefined;
      this.#glb = undefined;
      return { output };
    } catch (error) {
      const isUndone = this.#server.undoesFailures || !(error instanceof ExecutionError);
      if (!isUndone && before !== undefined) await this.restore(before);
      throw error;
    }
  }

  /** Imports a GLB into the scene; throws ExecutionError where Blender does not take it. */
  async importGlb(glb: Uint8Array): Promise<void> {
    const path = JSON.stringify(this.#server.give("given.glb", glb));
    await this.execute(`import bpy\nbpy.ops.import_scene.gltf(filepath=${path})\n`);
  }

  /** What Blender says that the scene holds. */
  async scene(): Promise<Json> {
    const text = await this.#ask("get_scene_info", {});
    try {
      return JSON.parse(text) as Json;
    } catch {
      return text;
    }
  }

  async exportGlb(): Promise<Uint8Array> {
    return (await this.#exported()).bytes;
  }

  /** A PNG of each view, transparent where the object is not. */
  async render(frame: Frame, size: number): Promise<Record<ViewName, Uint8Array>> {
    const { mesh } = await this.#exported();
    const pictures = viewNames.map((view) => [view, pictureToPng(shade(mesh, view, frame, size))]);
    return Object.fromEntries(pictures) as Record<ViewName, Uint8Array>;
  }

  /** The scene's meshes as an FBX. */
  exportFbx(): Promise<Uint8Array> {
    return this.#server.save("fbx", (tool, given) => this.#ask(tool, given));
  }

  /** The scene as a .blend. */
  async exportBlend(): Promise<Uint8Array> {
    return readFileSync(this.#files.pathOf(await this.snapshot()));
  }

  async check(): Promise<void> {
    const answer = await this.#server.connection.call("get_scene_info", {}, LIMIT_MS);
    if (failed(answer)) throw new InfrastructureError("BLENDER_LOST", answer.text);
  }

  async snapshot(): Promise<string> {
    this.#at ??= this.#files.keep(await this.#server.save("blend", (tool, given) => this.#ask(tool, given)));
    return this.#at;
  }

  async restore(snapshot: string): Promise<void> {
    const path = this.#files.pathOf(snapshot);
    await this.#server.close();
    this.#server = await this.#open(path);
    this.#at = snapshot;
    this.#glb = undefined;
  }

  /** Opens a .blend of somebody's; its scripts do not run. One that no Blender opens is at fault itself. */
  async open(blend: Uint8Array): Promise<void> {
    const before = this.#at;
    const scene = this.#files.keep(blend);
    try {
      await this.restore(scene).catch(() => this.restore(scene));
    } catch (cause) {
      if (before !== undefined) await this.restore(before);
      throw new ExecutionError("BLEND_UNREADABLE", `Blender does not open the scene: ${(cause as Error).message}`, {
        cause,
      });
    }
  }

  async stop(): Promise<void> {
    await this.#server.close();
  }

  async #exported(): Promise<{ bytes: Uint8Array; mesh: Mesh }> {
    if (!this.#glb) {
      const bytes = await this.#server.save("glb", (tool, given) => this.#ask(tool, given));
      this.#glb = { bytes, mesh: await glbToMesh(bytes) };
    }
    return this.#glb;
  }

  /** Calls a tool, once more where its Blender was lost. Where that loses the next one too, and doing nothing does not, the code or
   * the scene is at fault itself. */
  async #ask(tool: string, given: Record<string, unknown>): Promise<string> {
    const { connection } = this.#server;
    const call = () => connection.call(tool, given, LIMIT_MS);
    let answer = await call();
    if (answer.isLost) answer = await call();
    if (!failed(answer)) return answer.text;
    const words = `${tool === "execute_code" ? "" : `${tool}: `}${answer.text.trim() || "it failed, and does not say how"}`;
    const isLost = answer.isLost && (await connection.call("execute_code", { code: "pass" }, LIMIT_MS)).isLost;
    if (isLost) throw new InfrastructureError("BLENDER_LOST", words);
    throw new ExecutionError("BLENDER_CODE", words);
  }
}

/** Some servers tell a failure in words alone. */
function failed({ isError, text }: ToolAnswer): boolean {
  return isError || /^(Error|Traceback)\b/.test(text);
}

/** What workcells behind MCP are made with. */
export interface McpCellOptions {
  sandbox?: "bwrap" | "none";
  /** Another server in place of ours. */
  server?: OtherServer | undefined;
  /** The .blend that a run begins with, as bytes. */
  baseline?: Uint8Array | undefined;
}

/** Starts Blenders: each at a snapshot of its run, or at the baseline. */
export function mcpCells({ sandbox = "bwrap", server, baseline }: McpCellOptions = {}): WorkcellStart<McpBlender> {
  return async ({ snapshot, folder, scenes }) => {
    const place = folder ?? mkdtempSync(join(tmpdir(), "loopwright-mcp-"));
    const files = new Files(scenes ?? join(place, "scenes"));
    const out = join(place, "out");
    mkdirSync(out, { recursive: true });
    const kind = await openSandbox(sandbox);
    const open = (scene: string | undefined) =>
      server
        ? otherServer(server, out, scene)
        : ownServer({ sandbox: kind, folder: join(place, "blender"), hasSpare: false }, out, scene);
    const cell = await McpBlender.start(files, open, snapshot ?? (baseline && files.keep(baseline)));
    const stop = cell.stop.bind(cell);
    cell.stop = async () => {
      await stop();
      rmSync(place, { recursive: true, force: true });
    };
    return cell;
  };
}
