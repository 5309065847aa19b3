// The MCP server: its tools, and what one holds: a Blender, started when it is first needed, the camera, and where files go.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { UsageError } from "@loopwright/core";
import { McpServer } from "@modelcontextprotocol/server";
import { Blender } from "../blender.ts";
import type { BlenderOptions } from "../worker/job.ts";
import { register, type Tool } from "./tool.ts";
import { fileTools } from "./tools/files.ts";
import { nodeTools } from "./tools/nodes.ts";
import { sceneTools } from "./tools/scene.ts";
import { type Camera, views, viewTools } from "./tools/views.ts";

export const tools: readonly Tool[] = [...sceneTools, ...viewTools, ...nodeTools, ...fileTools];

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
  version: string;
};

const INSTRUCTIONS =
  "A headless Blender with one scene. Build it with execute_code or the geonode tools, look with get_diagnostic_renders, measure with " +
  "mesh_report, hand it on with export_glb. A call that fails leaves the scene as it was; undo_last_step takes back one that went well.";

/** A server on a session; several may share one. */
export function makeServer(session: Session): McpServer {
  const server = new McpServer(
    { name: "loopwright-blender", title: "Blender", version },
    { instructions: INSTRUCTIONS },
  );
  for (const tool of tools) register(server, session, tool);
  return server;
}

export interface SessionOptions extends BlenderOptions {
  /** Where exported files are written. */
  out: string;
}

export class Session {
  camera: Camera = views.iso;
  readonly #options: SessionOptions;
  #blender: Promise<Blender> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  blender(): Promise<Blender> {
    if (!this.#blender) {
      const { out, ...options } = this.#options;
      this.#blender = Blender.start(options);
      // What was missing may be there next time.
      this.#blender.catch(() => {
        this.#blender = undefined;
      });
    }
    return this.#blender;
  }

  /** Writes a file where the user wants them; gives back its path. */
  write(name: string, ending: string, bytes: Uint8Array): string {
    if (!/^[A-Za-z0-9_][A-Za-z0-9_ .-]{0,99}$/.test(name) || !name.endsWith(`.${ending}`))
      throw new UsageError(
        "FILE_NAME",
        `'${name}' is no name for this file: use letters, digits, - and _, and the ending .${ending}`,
      );
    const folder = resolve(this.#options.out);
    const path = join(folder, name);
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, bytes);
      return path;
    } catch (error) {
      const why = (error as Error).message;
      throw new UsageError(
        "OUT_FOLDER",
        `nothing can be written to ${folder} (${why}): start the server with --out FOLDER`,
        { cause: error },
      );
    }
  }

  async close(): Promise<void> {
    const blender = await this.#blender?.catch(() => undefined);
    this.#blender = undefined;
    await blender?.stop();
  }
}
