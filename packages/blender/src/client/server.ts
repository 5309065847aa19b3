// The servers that a cell can be a client of: ours, in this process and in the sandbox; or another, which has files of the
// user's in reach and is told by code to save and to open them.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InfrastructureError, sha256, UsageError } from "@loopwright/core";
import { makeServer, Session } from "../mcp/server.ts";
import type { BlenderOptions } from "../options.ts";
import { Connection, type OtherServer } from "./connection.ts";

type Ask = (tool: string, given: Record<string, unknown>) => Promise<string>;

export interface Server {
  connection: Connection;
  /** Whether a call that fails leaves the scene as it was. */
  undoesFailures: boolean;
  /** The scene in a format. */
  save(format: "blend" | "glb" | "fbx", ask: Ask): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Our own server, at a scene. */
export async function ownServer(options: BlenderOptions, out: string, scene: string | undefined): Promise<Server> {
  const session = new Session({ ...options, ...(scene !== undefined && { baseline: scene }), out });
  await started(session);
  const connection = await Connection.toOwn(makeServer(session));
  return {
    connection,
    undoesFailures: true,
    save: async (format, ask) => {
      const filename = `scene.${format}`;
      await ask(`export_${format}`, { filename });
      return readFileSync(join(out, filename));
    },
    close: async () => {
      await connection.close();
      await session.close();
    },
  };
}

/** Has a session's Blender running; one that dies while it starts is lost like any other. */
async function started(session: Session): Promise<void> {
  try {
    await session.blender();
  } catch (cause) {
    await session.close();
    if (cause instanceof UsageError) throw cause;
    throw new InfrastructureError("BLENDER_LOST", `Blender did not start: ${(cause as Error).message}`, { cause });
  }
}

/** A server of the user's choice, at a scene. It needs execute_code and get_scene_info. */
export async function otherServer(server: OtherServer, out: string, scene: string | undefined): Promise<Server> {
  mkdirSync(out, { recursive: true });
  const connection = await Connection.toOther(server);
  const run = async (code: string) => {
    const { isError, text } = await connection.call("execute_code", { code }, 120_000);
    if (isError || /^(Error|Traceback)\b/.test(text)) throw new InfrastructureError("MCP_TOOL_FAILED", text);
  };
  await run(
    scene === undefined
      ? "import bpy\nbpy.ops.wm.read_homefile(use_empty=True)"
      : `import bpy\nbpy.ops.wm.open_mainfile(filepath=${JSON.stringify(scene)}, use_scripts=False)`,
  );
  const ways = {
    blend: (path: string) => `import bpy\nbpy.ops.wm.save_as_mainfile(filepath=${path}, copy=True)`,
    glb: (path: string) =>
      `import bpy\nbpy.ops.export_scene.gltf(filepath=${path}, export_format="GLB", export_apply=True)`,
    fbx: (path: string) =>
      `import bpy\nbpy.ops.export_scene.fbx(filepath=${path}, object_types={"MESH"}, bake_anim=False)`,
  };
  return {
    connection,
    undoesFailures: false,
    save: async (format) => {
      const path = join(out, `scene.${format}`);
      await run(ways[format](JSON.stringify(path)));
      return readFileSync(path);
    },
    close: () => connection.close(),
  };
}

/** Scenes that a run may come back to. They outlive the process. A fork takes over those of the run that it comes from: a name
 * is the hash of its bytes. */
export class Files {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Keeps a scene; gives back its name. */
  keep(bytes: Uint8Array): string {
    const name = `${sha256(bytes)}.blend`;
    const unfinished = join(this.#folder, `${name}.${process.pid}`);
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, join(this.#folder, name));
    return name;
  }

  pathOf(name: string): string {
    if (!/^[0-9a-f]{64}\.blend$/.test(name))
      throw new InfrastructureError("BLENDER_SNAPSHOT_GONE", `${name} is no name of a scene`);
    const path = join(this.#folder, name);
    if (existsSync(path)) return path;
    const others = readdirSync(dirname(this.#folder)).map((run) => join(dirname(this.#folder), run, name));
    const found = others.find((other) => existsSync(other));
    if (found === undefined)
      throw new UsageError("BLENDER_SNAPSHOT_GONE", `the scene ${path} is gone, so the run cannot go on from it`);
    this.keep(readFileSync(found));
    return path;
  }

  read(name: string): Buffer {
    return readFileSync(this.pathOf(name));
  }
}
