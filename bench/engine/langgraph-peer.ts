// LangGraph in a process of its own, if the private package in bench/peers is installed.

import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { say } from "./figures.ts";

/** How the saver's database is set: as durable as ours, or as it comes. */
export type Durability = "full" | "as-shipped";

const peers = join(import.meta.dirname, "..", "peers");

export class LangGraphPeer {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts the process; undefined, with a word on stderr, where it cannot be. */
  static async start(folder: string): Promise<LangGraphPeer | undefined> {
    const how = "install them with: sh bench/peers/install.sh";
    if (!existsSync(join(peers, "node_modules"))) {
      say(`the peers are not installed, so nothing is compared with LangGraph; ${how}`);
      return undefined;
    }
    const child = fork(join(peers, "langgraph.ts"), [folder], { execArgv: [] });
    const peer = new LangGraphPeer(child);
    try {
      await peer.#answer();
      return peer;
    } catch (error) {
      say(`LangGraph does not start (${(error as Error).message}); ${how}`);
      return undefined;
    }
  }

  /** One run over these texts; milliseconds of each iteration. */
  async round(durability: Durability, seed: string, count: number): Promise<number[]> {
    const answer = this.#answer();
    this.#child.send({ durability, seed, count });
    return ((await answer) as { times: number[] }).times;
  }

  stop(): void {
    this.#child.disconnect();
  }

  #answer(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`it exited with ${code}`));
      this.#child.once("exit", onExit);
      this.#child.once("message", (message) => {
        this.#child.off("exit", onExit);
        resolve(message);
      });
    });
  }
}
