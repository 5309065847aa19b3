// The servers that a cell can be a client of: ours, in this process and in the sandbox; or another, which has files of the
// user's in reach and is told by code to save and to open them.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InfrastructureError, UsageError } from "@loopwright/core";
import { Client, InMemoryTransport, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { makeServer, Session } from "../mcp/server.ts";
import { CALL_LOST } from "../mcp/tool.ts";
import { saveScene } from "../snapshots.ts";
import { type BlenderOptions, FILES } from "../worker/job.ts";

/** How another server is reached, and what it calls the tools that are needed. */
export interface OtherServer {
  command?: readonly string[] | undefined;
  url?: string | undefined;
  tools?: Readonly<Record<string, string>> | undefined;
}

export interface ToolAnswer {
  isError: boolean;
  /** The Blender was lost, not the code at fault. */
  isLost: boolean;
  text: string;
}

class Connection {
  readonly #client: Client;
  readonly #names: Readonly<Record<string, string>>;

  private constructor(client: Client, names: Readonly<Record<string, string>>) {
    this.#client = client;
    this.#names = names;
  }

  /** A connection to a server in this process. */
  static async toOwn(server: { connect(transport: Transport): Promise<void> }): Promise<Connection> {
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(theirs);
    return Connection.#over(mine, {});
  }

  /** A connection to a server of the user's choice. */
  static toOther({ command, url, tools = {} }: OtherServer): Promise<Connection> {
    if (url !== undefined) return Connection.#over(new StreamableHTTPClientTransport(new URL(url)), tools);
    const [program = "", ...rest] = command ?? [];
    return Connection.#over(new StdioClientTransport({ command: program, args: rest, stderr: "ignore" }), tools);
  }

  static async #over(transport: Transport, names: Readonly<Record<string, string>>): Promise<Connection> {
    const client = new Client({ name: "loopwright", version: "1" });
    try {
      await client.connect(transport);
      return new Connection(client, names);
    } catch (cause) {
      await client.close().catch(() => {});
      throw new InfrastructureError(
        "MCP_UNREACHABLE",
        `the MCP server cannot be reached: ${(cause as Error).message}`,
        {
          cause,
        },
      );
    }
  }

  /** Calls a tool; throws where no answer came. */
  async call(tool: string, given: Record<string, unknown>, limitMs: number): Promise<ToolAnswer> {
    const name = this.#names[tool] ?? tool;
    try {
      const answer = await this.#client.callTool({ name, arguments: given }, { timeout: limitMs });
      const text = answer.content.flatMap((each) => (each.type === "text" ? [each.text] : [])).join("\n");
      return { isError: answer.isError === true, isLost: answer._meta?.[CALL_LOST] === true, text };
    } catch (cause) {
      throw new InfrastructureError(
        "MCP_LOST",
        `the MCP server gave no answer to ${name}: ${(cause as Error).message}`,
        {
          cause,
        },
      );
    }
  }

  async close(): Promise<void> {
    await this.#client.close().catch(() => {});
  }
}

type Ask = (tool: string, given: Record<string, unknown>) => Promise<string>;

export interface Server {
  connection: Connection;
  /** Whether a call that fails leaves the scene as it was. */
  undoesFailures: boolean;
  /** Puts a file where code can read it; gives back its path as code sees it. */
  give(name: string, bytes: Uint8Array): string;
  /** The scene in a format. */
  save(format: "blend" | "glb" | "fbx", ask: Ask): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Our own server, at a scene. */
export async function ownServer(options: BlenderOptions, out: string, scene: string | undefined): Promise<Server> {
  const session = new Session({ ...options, ...(scene !== undefined && { baseline: scene }), out, files: out });
  await started(session);
  const connection = await Connection.toOwn(makeServer(session));
  return {
    connection,
    undoesFailures: true,
    give: (name, bytes) => {
      const path = session.write(name, "glb", bytes);
      return options.sandbox?.kind === "none" ? path : `${FILES}/${name}`;
    },
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
    give: (name, bytes) => {
      writeFileSync(join(out, name), bytes);
      return join(out, name);
    },
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
    return saveScene(this.#folder, bytes);
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
}
