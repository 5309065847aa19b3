// `loopwright doctor --models`: each endpoint that the configuration uses, asked what it serves and how.

import type { ModelsConfiguration } from "@loopwright/models/configuration";
import type { Probe } from "@loopwright/models/probe";
import { plainLine } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { isSame } from "../drive/notices.ts";
import { lackOf } from "./doctor.ts";

/** Probes the endpoints of every profile and fallback; 1 where one cannot be reached. */
export async function probeModels(cli: Cli): Promise<number> {
  const { models, secrets } = await cli.configuration();
  const { terminal } = cli;
  const [{ probeEndpoint }, { sdkWire }, { redactor, redactWire }] = await Promise.all([
    import("@loopwright/models/probe"),
    import("@loopwright/models/sdk-wire"),
    import("@loopwright/models/configuration"),
  ]);
  const redact = redactor(secrets);
  const wire = redactWire(sdkWire(models.endpoints, { timeout: models.retry.timeout * 1000, redact }), redact);
  const probes: Probe[] = [];
  for (const { endpoint, model } of used(models)) {
    const lacks = lackOf(models, { endpoint, model });
    const probe = lacks
      ? { endpoint, isReachable: false, fault: `${lacks.what}; nothing was sent: ${lacks.remedy}`, models: [] }
      : withSwap(await probeEndpoint({ ...models.endpoints[endpoint]!, name: endpoint }, model, wire));
    const served = probe.models.map(redact);
    probes.push({ ...probe, models: served, ...(probe.fault !== undefined && { fault: redact(probe.fault) }) });
    if (!terminal.isJson) {
      const state = probe.fault === undefined ? "ok" : probe.isReachable || lacks ? "fault" : "dead";
      printProbe(cli, state, probes.at(-1)!, contextOf(models, endpoint, model));
    }
  }
  if (terminal.isJson) terminal.document("models", { probes });
  else if (probes.length === 0)
    terminal.print(
      `No model is configured. Name one: ${cli.typed("loopwright doctor --models --model lmstudio:NAME")}`,
    );
  return probes.every(({ fault }) => fault === undefined) ? 0 : 1;
}

/** Every model that a role may reach, once. */
function used({ profiles }: ModelsConfiguration): { endpoint: string; model: string }[] {
  const all = Object.values(profiles).flatMap((profile) => [profile, ...profile.fallback]);
  const names = new Map(all.map(({ endpoint, model }) => [`${endpoint}:${model}`, { endpoint, model }]));
  return [...names.values()];
}

/** A server that lists other models, and has answered with one of them, does not have the one that was asked for. */
function withSwap(probe: Probe): Probe {
  const { models, tried, fault } = probe;
  if (fault !== undefined || !tried || models.length === 0 || isSame(tried.model, tried.answeredBy)) return probe;
  if (models.some((served) => isSame(tried.model, served))) return probe;
  return { ...probe, fault: `it does not serve ${tried.model}; ${tried.answeredBy} has answered in its place` };
}

function contextOf({ profiles }: ModelsConfiguration, endpoint: string, model: string): number | undefined {
  return Object.values(profiles).find((profile) => profile.endpoint === endpoint && profile.model === model)?.context;
}

function printProbe(
  { terminal }: Cli,
  state: "ok" | "fault" | "dead",
  { endpoint, fault, models, tried }: Probe,
  context?: number,
): void {
  const color = state === "ok" ? "green" : "red";
  terminal.print(`${terminal.style(color, state)}  ${endpoint}${fault === undefined ? "" : `  ${plainLine(fault)}`}`);
  if (models.length > 0)
    terminal.print(`    serves ${plainLine(models.slice(0, 8).join(", "))}${models.length > 8 ? ", …" : ""}`);
  if (!tried) return;
  const swapped = isSame(tried.model, tried.answeredBy)
    ? ""
    : terminal.style("yellow", `, answered by ${plainLine(tried.answeredBy)}`);
  terminal.print(`    asked ${plainLine(tried.model)}${swapped}`);
  const small = tried.served !== undefined && context !== undefined && tried.served < context;
  terminal.print(
    `    context ${tried.served ?? "not told"}${small ? terminal.style("yellow", ` (the configuration says ${context}: lower it, or serve more)`) : ""}`,
  );
  const speed = tried.tokensPerSecond === undefined ? "" : `, ${tried.tokensPerSecond} tokens per second`;
  terminal.print(`    structured output by ${tried.structured ?? "prompt"}${speed}`);
}
