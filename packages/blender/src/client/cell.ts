// A Blender behind an MCP server, as a workcell. Only tools that any such server has are needed: code to execute, and what the
// scene holds. What is judged is made here, of the exported GLB, whoever the server is.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExecutionError, InfrastructureError, type Json, type Workcell, type WorkcellStart } from "@loopwright/core";
import { type Frame, glbToMesh, type Mesh, pictureToPng, shade, type ViewName, viewNames } from "@loopwright/mesh";
import { openSandbox } from "@loopwright/sandbox";
import { Files, type OtherServer, otherServer, ownServer, type Server, type ToolAnswer } from "./server.ts";

const EXECUTION_MS = 120_000;
const ANSWER_MS = 120_000;

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

  /** Runs code. A Blender that was lost is given the same code once more; code that loses two is at fault itself. */
  async execute(code: string): Promise<Json> {
    const before = this.#at;
    const run = () => this.#server.connection.call("execute_code", { code }, EXECUTION_MS);
    let answer = await run();
    if (answer.isLost) answer = await run();
    if (failed(answer)) {
      if (!this.#server.undoesFailures && before !== undefined) await this.restore(before);
      throw new ExecutionError(
        "BLENDER_CODE",
        answer.text.trim() || "the code raised, and the server does not say what",
      );
    }
    this.#at = undefined;
    this.#glb = undefined;
    return { output: answer.text };
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
    await this.#ask("get_scene_info", {});
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

  /** Asks what does not depend on a builder's code: a failure is the server's. */
  async #ask(tool: string, given: Record<string, unknown>): Promise<string> {
    const answer = await this.#server.connection.call(tool, given, ANSWER_MS);
    if (failed(answer)) throw new InfrastructureError("MCP_TOOL_FAILED", `${tool} failed: ${answer.text}`);
    return answer.text;
  }
}

/** Some servers tell a failure in words alone. */
function failed({ isError, text }: ToolAnswer): boolean {
  return isError || /^(Error|Traceback)\b/.test(text);
}

/** What workcells behind MCP are made with. */
export interface McpCellOptions {
  /** Where runs keep the scenes that they may come back to: each run in a folder of its own. */
  state: string;
  sandbox?: "bwrap" | "none";
  /** Another server in place of ours. */
  server?: OtherServer | undefined;
  /** The .blend that a run begins with, as bytes. */
  baseline?: Uint8Array | undefined;
}

/** Starts Blenders: each at a snapshot of its run, or at the baseline. */
export function mcpCells({ state, sandbox = "bwrap", server, baseline }: McpCellOptions): WorkcellStart<McpBlender> {
  return async ({ snapshot, run, folder }) => {
    const files = new Files(join(state, run));
    const place = folder ?? mkdtempSync(join(tmpdir(), "loopwright-mcp-"));
    const out = join(place, "out");
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
