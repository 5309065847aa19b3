// `loopwright fab`, as data, and which of its words is meant.

import { type Command, type CommandContext, usage } from "@loopwright/core";

const actions = ["judge", "review", "lineage"] as const;

export const commands: readonly Command[] = [
  {
    name: "fab",
    summary: "produce 3D assets for issues, judge them at gates, and repair them until they pass",
    details:
      "  ISSUE  builds the asset of an issue, judges it, and repairs it as issues of their own, until it passes or a person must look; a chain that was cut off goes on\n" +
      "  judge FILE  one asset from anywhere at one gate: scores, findings, and what to repair\n" +
      "  review [ISSUE]  what waits for a person; with accept, reject, retry or template behind it: the answer\n" +
      "  lineage ISSUE  the chain of an issue, with scores and codes\n\n" +
      "`loopwright issue drain` works on every issue that is ready. Checks are measured and ask no model; a gate may have models look\n" +
      "too. A passed asset stands in library/. Exit 0 for a pass, 5 where a person must look, 7 for a fail. docs/producing-assets.md and\n" +
      "docs/judging-assets.md have the rest.",
    arguments: [
      { name: "action", isOptional: true, help: `an issue's id, or ${actions.join(", ")}` },
      { name: "what", isOptional: true, help: "the asset, a binary glTF (.glb); for review and lineage an issue's id" },
      { name: "answer", isOptional: true, help: "for review", offers: ["accept", "reject", "retry", "template"] },
    ],
    flags: [
      {
        name: "gate",
        value: "ID",
        help: "the gate: one that is shipped, one in gates/ of the project, or a .yaml file",
      },
      { name: "prompt", value: "TEXT", help: "for judge: what was asked for; without it alignment is left out" },
      {
        name: "profile",
        value: "P",
        kind: ["draft", "standard", "final"],
        help: "how good the pictures by Blender are (standard)",
      },
      {
        name: "builder",
        value: "B",
        kind: ["search", "model"],
        help: "who builds: a search by templates and repairs, or a model (search, where a template builds the kind)",
      },
      { name: "from", value: "FILE", help: "begin with this asset (.glb) instead of building one" },
      { name: "note", value: "TEXT", help: "for review: what the next repair is told" },
    ],
    examples: [
      "loopwright fab lw-3f9a",
      'loopwright fab review lw-3f9a retry --note "the roof is too low"',
      'loopwright fab judge car.glb --gate car_realism_v001 --prompt "a red sedan" --profile draft',
    ],
    drivesRuns: true,
    run,
  },
];

async function run(context: CommandContext): Promise<number> {
  const [action, what] = context.arguments;
  if (action === undefined)
    throw usage(
      "which issue?",
      "`loopwright issue ready` lists them, and `loopwright issue drain` works on all of them",
    );
  if (action === "judge") {
    if (what === undefined)
      throw usage("which file? name a binary glTF (.glb)", "`loopwright fab judge FILE.glb --gate ID`");
    return (await import("./judge.ts")).runJudge(context);
  }
  if (action === "review") return (await import("./review.ts")).review(context);
  if (action === "lineage") {
    if (what === undefined)
      throw usage("which issue?", `\`loopwright fab lineage ISSUE\` (words: ${actions.join(", ")})`);
    return (await import("./review.ts")).lineage(context, what);
  }
  return (await import("./produce.ts")).produce(context, action);
}
