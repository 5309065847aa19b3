// A client of an MCP server that drives a Blender: ours in this process, or another one by a command or an address.

import { InfrastructureError } from "@loopwright/core";
import { Client, InMemoryTransport, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { CALL_LOST } from "../mcp/tool.ts";

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

export class Connection {
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
