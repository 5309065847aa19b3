// The outbox of the journal in memory.

import type { Message, Outbox, Posted, ProcessId } from "../ports.ts";

export class MemoryOutbox implements Outbox {
  readonly #posted = new Map<string, Posted>();

  put(messages: readonly Message[]): void {
    for (const message of messages)
      this.#posted.set(message.id, { ...message, state: "waiting", tries: 0, due: 0, heldUntil: 0 });
  }

  async list(state?: Posted["state"]): Promise<Posted[]> {
    return [...this.#posted.values()].filter((posted) => state === undefined || posted.state === state);
  }

  async claim(id: string, tries: number, holder: ProcessId, heldUntil: number): Promise<boolean> {
    const posted = this.#posted.get(id);
    if (posted?.tries !== tries) return false;
    this.#posted.set(id, { ...posted, state: "waiting", tries: tries + 1, holder, heldUntil });
    return true;
  }

  async settle(id: string, tries: number, end: Pick<Posted, "state" | "due" | "error">): Promise<void> {
    const { holder: _, error: __, ...posted } = this.#posted.get(id) ?? ({} as Partial<Posted>);
    if (posted.tries === tries) this.#posted.set(id, { ...(posted as Posted), ...end, heldUntil: 0 });
  }

  async forget(before: number): Promise<void> {
    for (const { id, at } of [...this.#posted.values()]) if (at < before) this.#posted.delete(id);
  }
}
