// A program's output, kept within bounds while it is read: its beginning and its end, and a note of what lies between.

import { StringDecoder } from "node:string_decoder";

/** Collects output; however much comes, no more than about twice the limit is held. */
export class Output {
  readonly #decoder = new StringDecoder("utf8");
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head = "";
  #tail: string[] = [];
  #tailLength = 0;
  #total = 0;

  constructor(limit: number) {
    this.#headLimit = Math.ceil(limit / 2);
    this.#tailLimit = Math.floor(limit / 2);
  }

  write(chunk: Uint8Array): void {
    this.#add(this.#decoder.write(chunk));
  }

  /** What was kept, once everything has come. */
  end(): string {
    this.#add(this.#decoder.end());
    const rest = this.#tail.join("");
    const tail = this.#tailLimit > 0 ? rest.slice(-this.#tailLimit) : "";
    const left = this.#total - this.#head.length - tail.length;
    const text = left > 0 ? `${this.#head}\n… ${left} characters left out …\n${tail}` : this.#head + tail;
    return text.toWellFormed();
  }

  #add(text: string): void {
    this.#total += text.length;
    const room = this.#headLimit - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === "") return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    while (this.#tail.length > 1 && this.#tailLength - this.#tail[0]!.length >= this.#tailLimit)
      this.#tailLength -= this.#tail.shift()!.length;
  }
}
