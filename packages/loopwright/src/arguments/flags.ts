// The flags that commands share.

import type { Flag } from "@loopwright/core";

/** Flags that every command takes. */
export const commonFlags: readonly Flag[] = [
  { name: "help", short: "h", help: "show this help" },
  { name: "json", help: "print JSON on stdout (one event per line, or one document); diagnostics go to stderr" },
  { name: "quiet", short: "q", help: "print only what was asked for, and errors" },
  { name: "no-color", help: "print without colors (NO_COLOR does the same)" },
  { name: "dir", value: "DIR", help: "the project's folder; else this one, or its nearest parent with a .loopwright" },
  { name: "config", short: "c", value: "KEY=VALUE", isRepeatable: true, help: "set a key of the configuration" },
  { name: "trust", help: "trust what this folder's files ask for, as they are now" },
  { name: "dry-run", help: "say what would be done, and do nothing" },
];

/** Flags that name models. */
export const modelFlags: readonly Flag[] = [
  { name: "url", value: "URL", help: "the default endpoint for models, such as http://127.0.0.1:1234/v1" },
  {
    name: "model",
    value: "[ROLE=][ENDPOINT:]NAME",
    isRepeatable: true,
    help: "the model of a role, or of all roles where none is named",
  },
];

/** Flags of the commands that drive a run. */
export const runFlags: readonly Flag[] = [
  { name: "yes", short: "y", help: "take each gate's default, which is the choice that loses nothing" },
  {
    name: "answer",
    value: "GATE=CHOICE",
    isRepeatable: true,
    help: "answer a gate by its name when it comes",
  },
  { name: "seed", value: "N", kind: "whole", help: "the seed of everything random in a new run" },
  { name: "max-iterations", value: "N", kind: "count", help: "the ceiling on iterations" },
  { name: "max-minutes", value: "N", kind: "amount", help: "the ceiling on active wall clock" },
  { name: "max-tokens", value: "N", kind: "whole", help: "the ceiling on tokens" },
  { name: "max-usd", value: "N", kind: "amount", help: "the ceiling on dollars" },
  ...modelFlags,
  { name: "cassette", value: "FILE", help: "record model answers to a file, or replay them from it" },
  {
    name: "cassette-mode",
    value: "MODE",
    kind: ["record", "replay", "auto"],
    help: "record, replay, or auto: replay what is recorded, record the rest (auto)",
  },
];
