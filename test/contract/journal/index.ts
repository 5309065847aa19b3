// The contract of every journal: one suite, run against each implementation (L1, L3, L4).
//
// A holder that must be alive, dead or a zombie is a real process; one elsewhere is a process of another boot.

import { afterEach, beforeEach, describe } from "vitest";
import type { Journal } from "../../../packages/core/src/ports.ts";
import { keepingBlobs } from "./blobs.ts";
import { keepingFolds } from "./folds.ts";
import { lending } from "./leases.ts";
import { posting } from "./outbox.ts";
import { appending } from "./rows.ts";
import { creating } from "./runs.ts";
import { type Opened, SILENCE } from "./sample.ts";
import { signaling } from "./signals.ts";
import { takingOver } from "./takeover.ts";

type Open = (options?: { silence?: number }) => Promise<Opened>;

/** The suite. `open` gives a journal with nothing in it yet. */
export function journalContract(name: string, open: Open): void {
  describe(`the journal ${name}`, () => {
    let opened: Opened;
    let journal: Journal;
    beforeEach(async () => {
      opened = await open({ silence: SILENCE });
      journal = opened.journal;
    });
    afterEach(() => journal.close());
    const current = () => opened;

    describe("as it creates runs", () => creating(current));
    describe("as it appends and reads", () => appending(current));
    describe("as it keeps blobs", () => keepingBlobs(current));
    describe("as it keeps folds", () => keepingFolds(current));
    describe("as it lends leases", () => lending(current));
    describe("as it takes over from dead and silent holders", () => takingOver(current));
    describe("as it passes signals on", () => signaling(current));
    describe("as it keeps messages", () => posting(current));
  });
}
