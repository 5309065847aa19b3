// Finds a gate configuration: by a path, by its id among the project's own, or among those that are shipped.

import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { leadsOut, suggestOrList, UsageError, usage } from "@loopwright/core";
import { gatesFolder } from "../folders.ts";
import { GateConfig } from "./schema.ts";
import { readYaml } from "./yaml-file.ts";

/** Where a project keeps gates of its own. */
const OWN = "gates";

/** The gate of that id, or in that file. */
export async function loadGate(name: string, project: string): Promise<GateConfig> {
  if (/\.ya?ml$/.test(name)) return readGate(resolve(name));
  const file = [join(project, OWN), gatesFolder].map((folder) => join(folder, `${name}.yaml`)).find(existsSync);
  if (file === undefined || basename(name) !== name)
    throw usage(
      `there is no gate '${name}'${suggestOrList(name, gateIds(project))}`,
      `write your own as ${OWN}/<id>.yaml, or name a file: --gate FILE.yaml`,
    );
  if (!file.startsWith(gatesFolder) && leadsOut(project, file))
    throw new UsageError(
      "GATE_OUTSIDE",
      `${file} is a link that leads out of the project: copy the gate there, or name its file`,
    );
  const gate = readGate(file);
  if (gate.gate_config_id !== name)
    throw new UsageError(
      "GATE_MISNAMED",
      `${file} calls itself '${gate.gate_config_id}': give file and gate_config_id one name`,
    );
  return gate;
}

/** The ids of all gates that a project can use, its own first. */
export function gateIds(project: string): string[] {
  const folders = [join(project, OWN), gatesFolder].filter(existsSync);
  const names = folders.flatMap((folder) => readdirSync(folder).filter((file) => file.endsWith(".yaml")));
  return [...new Set(names.map((file) => basename(file, ".yaml")))];
}

function readGate(file: string): GateConfig {
  return readYaml(file, GateConfig);
}
