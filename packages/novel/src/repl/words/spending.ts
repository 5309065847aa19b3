// What the models of an iteration took so far, counted from the events of its run.

import { addUsage, type LoopEvent, noUsage } from "@loopwright/core";
import { type EffectStarted, modelCallOf, placeOf } from "@loopwright/models/calls";
import { showCount, showDollars, showNumber } from "@loopwright/terminal";

export class Spending {
  readonly #underWay = new Map<string, EffectStarted>();
  #requests = 0;
  #sent = 0;
  #written = 0;
  #usage = noUsage;

  /** Counts an event; those that are no call of a model change nothing. */
  take(event: LoopEvent): void {
    if (event.type === "effect-started") {
      if (modelCallOf(event)) this.#underWay.set(`${event.run} ${placeOf(event)}`, event);
      return;
    }
    if (event.type !== "effect-charged" && event.type !== "effect-finished" && event.type !== "effect-failed") return;
    const place = `${event.run} ${placeOf(event)}`;
    const started = this.#underWay.get(place);
    if (!started) return;
    if (event.usage) this.#usage = addUsage(this.#usage, event.usage);
    if (event.type === "effect-charged") return;
    this.#underWay.delete(place);
    const { inputTokens = 0, outputTokens = 0 } = modelCallOf(started, event)?.details ?? {};
    this.#requests += 1;
    this.#sent += inputTokens;
    this.#written += outputTokens;
  }

  /** `4 requests, 36,102 tokens sent, 2,410 written, $0.12`; undefined where no model was asked. */
  toText(): string | undefined {
    if (this.#requests === 0) return undefined;
    const { tokens, usd } = this.#usage;
    // A model of another making may not say which of its tokens are which.
    const both = [showCount(this.#sent, "token").concat(" sent"), `${showNumber(this.#written)} written`];
    const each = this.#sent + this.#written > 0 ? both : [showCount(tokens, "token")];
    return [showCount(this.#requests, "request"), ...each, ...(usd > 0 ? [showDollars(usd)] : [])].join(", ");
  }
}
