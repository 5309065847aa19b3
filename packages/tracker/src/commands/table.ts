// `loopwright issue`, as data.

import type { Command } from "@loopwright/core";
import { edgeKinds, priorities, statuses } from "../words.ts";

export const actions = [
  "create",
  "list",
  "show",
  "ready",
  "start",
  "drain",
  "update",
  "close",
  "reopen",
  "link",
  "unlink",
  "export",
  "import",
] as const;
export type Action = (typeof actions)[number];

const issue: Command = {
  name: "issue",
  summary: "what is to be done, what waits for what, and what is ready",
  details:
    "  create  --title T, the loop that is to work on it, and what it asks for; prints the id\n" +
    "  list, ready  those that are not closed, or that can be worked on now: the most urgent first, then the oldest\n" +
    "  show ID  all of one, with its history\n" +
    "  start ID  has its loop work on it, or go on; a good end closes it, any other leaves it to a person (escalated)\n" +
    "  drain  every issue that is ready, --workers N at a time\n" +
    "  update ID  whatever a flag names\n" +
    "  close ID, reopen ID  --reason TEXT; what is opened again begins with a new run\n" +
    "  link A blocks B  B waits for A; A fix-for B: A repairs it; A parent B: A is a part of B. unlink takes it away\n" +
    "  export [FILE]  every issue as a line of JSON in the shape of beads\n" +
    "  import FILE  takes such lines in, all or none\n\n" +
    "An id may be cut short while it is unique. docs/issues.md has the rest.",
  arguments: [
    { name: "action", help: "what to do", offers: actions },
    { name: "issue", isOptional: true, help: "the issue's id; for export and import a file" },
    { name: "relation", isOptional: true, help: "for link and unlink", offers: edgeKinds },
    { name: "other", isOptional: true, help: "the other issue's id" },
  ],
  flags: [
    { name: "title", value: "TEXT", help: "what it is called" },
    { name: "description", value: "TEXT", help: "what is to be done" },
    {
      name: "loop",
      value: "NAME",
      help: "the loop that works on it: code, novel, hull, fab, or one of loopwright.yaml",
    },
    {
      name: "set",
      value: "KEY=VALUE",
      isRepeatable: true,
      help: "what else it asks for: a flag of the loop's command without its dashes, or a part of the loop's input",
    },
    { name: "kind", value: "KIND", help: "what kind of asset it asks for, such as car" },
    { name: "prompt", value: "TEXT", help: "what is wanted, in words; else title and description say it" },
    { name: "gate", value: "ID", help: "the gate that the asset must pass; the loop is then fab" },
    { name: "template", value: "ID", help: "what to begin with where nothing else helps" },
    { name: "priority", value: "P", kind: priorities, help: "how urgent it is (P2)" },
    { name: "status", value: "STATUS", kind: statuses, help: "its status; for list, those with this one" },
    { name: "tag", value: "TAG", isRepeatable: true, help: "a tag; for list and ready, those with it" },
    { name: "remove-tag", value: "TAG", isRepeatable: true, help: "take a tag away" },
    { name: "reason", value: "TEXT", help: "why, for its history" },
    { name: "all", help: "list the closed ones too" },
    { name: "workers", value: "N", kind: "count", help: "for drain: so many at a time (1)" },
    { name: "limit", short: "n", value: "N", kind: "count", help: "list no more than N" },
  ],
  examples: [
    'loopwright issue create --title "red hatchback" --kind car --gate car_realism_v001 --prompt "a red hatchback"',
    'loopwright issue create --title "the last batch is lost" --loop code --set workspace=shop',
    "loopwright issue drain --workers 2",
    "loopwright issue link lw-3f9a blocks lw-07bc",
    "loopwright issue export issues.jsonl",
  ],
  drivesRuns: true,
  run: async (context) => (await import("./issue.ts")).runIssue(context),
};

export const commands = [issue];
