// Everything that fab brings along. The loop itself is loaded when a run needs it.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineLoopPackage, type SetUpFirstPrompt, type Template } from "@loopwright/core";
import { commands } from "./commands/table.ts";
import { gatesFolder, projectFolder, promptsFolder } from "./folders.ts";
import type { FabConfiguration } from "./gate/load.ts";
import type { FabInput } from "./task.ts";

const GATE = "cars_v001";

/** What `loopwright init FOLDER --loop fab` writes: a gate for cars of the project's own, and how to begin. */
const template: Template = {
  summary: "a project for 3D assets: a gate of its own, and how to begin",
  files: async () => {
    const own = (file: string) => readFile(join(projectFolder, file), "utf8");
    const gate = await readFile(join(gatesFolder, "car_realism_v001.yaml"), "utf8");
    return {
      "README.md": await own("README.md"),
      "loopwright.yaml": await own("loopwright.yaml"),
      // npm packs no file of the name .gitignore.
      ".gitignore": await own("gitignore.template"),
      [`gates/${GATE}.yaml`]: gate.replace("car_realism_v001", GATE),
    };
  },
  next: [
    `loopwright issue create --title "red sedan" --kind car --gate ${GATE} --prompt "a red sedan"`,
    "loopwright issue drain -c fab.profile=draft",
  ],
};

/** How `--dry-run` reaches the builder's prompt: without the phase that tells the issue of the run. */
const firstPrompt: SetUpFirstPrompt = ({ input, settings }) => {
  const { file, work } = input as unknown as Partial<FabInput>;
  if (file !== undefined || work?.builder !== "model")
    return { reason: "no model builds; those who judge are asked once the asset is there" };
  return { settings: settings ?? null, start: "generate" };
};

type Escalation = { issue_id: string; reason: string };
const escalationToWords = ({ issue_id, reason }: Escalation) =>
  `a person must look: ${reason} (\`loopwright fab review ${issue_id}\`)`;

export default defineLoopPackage<typeof FabConfiguration>({
  loop: async () => (await import("./index.ts")).fab,
  attempts: null,
  configuration: async () => (await import("./gate/load.ts")).FabConfiguration,
  workcells: () => ({ blender: async (options) => (await import("@loopwright/blender")).mcpCells()(options) }),
  prompts: promptsFolder,
  roles: { builder: {}, critic: {}, tiebreaker: {} },
  commands,
  templates: { fab: template },
  fromIssue: async (issue, context) => (await import("./commands/produce.ts")).fromIssue(issue, context),
  firstPrompt,
  documents: async () => (await import("./commands/documents.ts")).documents,
  passesAt: ({ gate }) => gate.pass,
  notes: { "gate-verdict": () => undefined, "fab-escalated": escalationToWords },
  webhooks: {
    "fab-escalated": (data: Escalation, { gate }: FabInput) => {
      const url = gate.iteration.escalation.notify_webhook;
      return url === undefined ? undefined : { url, body: { text: escalationToWords(data), ...data } };
    },
  },
});
