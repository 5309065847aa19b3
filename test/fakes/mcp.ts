// An MCP client as the SDK has it, and what a tool answered it.

import { Client, InMemoryTransport, type Transport } from "@modelcontextprotocol/client";

export interface ToolAnswer {
  isError: boolean;
  /** All text of the answer. */
  text: string;
  /** The PNGs of the answer. */
  images: Buffer[];
}

export interface McpClient {
  client: Client;
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** A client of a server that is reached by a transport. */
export async function connectClient(transport: Transport): Promise<McpClient> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given }, { timeout: 120_000 });
    const text = content.flatMap((each) => (each.type === "text" ? [each.text] : [])).join("\n");
    const images = content.flatMap((each) => (each.type === "image" ? [Buffer.from(each.data, "base64")] : []));
    return { isError: isError === true, text, images };
  };
  return { client, call, close: () => client.close() };
}

/** A client of a server in this process. */
export async function connectTo(server: { connect(transport: Transport): Promise<void> }): Promise<McpClient> {
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  return connectClient(mine);
}
