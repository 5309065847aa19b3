// A workcell that writes down what is done to it, and can be lost on demand.

import { InfrastructureError, type Workcell, type WorkcellStart } from "@loopwright/core";

/** One workcell: a text that work adds to. A snapshot is the text itself. */
export class FakeWorkcell implements Workcell {
  readonly id: number;
  text: string;
  at: string | undefined;
  isDead = false;
  readonly #log: (word: string) => void;

  constructor(id: number, text: string, log: (word: string) => void) {
    this.id = id;
    this.text = text;
    this.at = text;
    this.#log = log;
  }

  /** Carries work out. */
  write(more: string): string {
    this.#answer("write");
    this.at = undefined;
    this.text += more;
    return this.text;
  }

  async check(): Promise<void> {
    this.#answer("check");
  }

  async snapshot(): Promise<string> {
    this.#answer("snapshot");
    this.at = this.text;
    return this.text;
  }

  async restore(snapshot: string): Promise<void> {
    this.#answer("restore");
    this.text = snapshot;
    this.at = snapshot;
  }

  async stop(): Promise<void> {
    this.#log(`stop ${this.id}`);
    this.isDead = true;
  }

  #answer(word: string): void {
    this.#log(`${word} ${this.id}`);
    if (this.isDead) throw lost(this.id);
  }
}

/** Workcells of the kind `bench`, all that was done to them, and which are still alive. */
export function fakeBench(): { bench: WorkcellStart<FakeWorkcell>; log: string[]; cells: FakeWorkcell[] } {
  const log: string[] = [];
  const cells: FakeWorkcell[] = [];
  const bench: WorkcellStart<FakeWorkcell> = async ({ snapshot }) => {
    const cell = new FakeWorkcell(cells.length + 1, snapshot ?? "", (word) => log.push(word));
    log.push(`start ${cell.id}`);
    cells.push(cell);
    return cell;
  };
  return { bench, log, cells };
}

/** E0: the workcell does not answer. */
export function lost(id: number): InfrastructureError {
  return new InfrastructureError("WORKCELL_LOST", `workcell ${id} does not answer`);
}
