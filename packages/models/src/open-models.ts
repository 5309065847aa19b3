// The models of a configuration. What calls one is loaded when one is first called.

import type { Model, Redact } from "@loopwright/core";
import type { ModelsConfiguration } from "./configuration/configuration.ts";
import { redactor, secretsOf } from "./configuration/secrets.ts";
import { type ModelOptions, openQueues, RoleModel } from "./model/model.ts";
import { redactWire, type Wire } from "./wire/wire.ts";

/** What models are opened with. */
export interface OpenModelsOptions extends Pick<ModelOptions, "served" | "now"> {
  /** What requests are sent over; the AI SDK, behind the configuration's cassette, where it is left out. */
  wire?: Wire;
  /** What must never be written down, beside the keys, headers and addresses of the endpoints. */
  secrets?: readonly string[];
}

/** Opens the models of a configuration: each role's own, over one wire and one queue for each server. */
export function openModels(
  given: ModelsConfiguration,
  { wire, secrets = [], ...options }: OpenModelsOptions = {},
): (role: string) => Model {
  const redact = redactor([...secretsOf(given.endpoints, {}), ...secrets]);
  const isReplay = given.cassette?.mode === "replay";
  // A recorded failure needs no time to pass.
  const retry = isReplay ? { ...given.retry, waits: given.retry.waits.map(() => 0) } : given.retry;
  const configuration = { ...given, retry };
  const safeWire = redactWire(wire ?? lazyWire(() => openWire(configuration, redact)), redact);
  const enqueue = openQueues();
  const models = new Map<string, Model>();
  return (role) => {
    const model = models.get(role) ?? new RoleModel(role, configuration, safeWire, { ...options, enqueue });
    models.set(role, model);
    return model;
  };
}

/** A wire that is opened by the first request. */
function lazyWire(open: () => Promise<Wire>): Wire {
  let opened: Promise<Wire> | undefined;
  return async (request, call) => {
    opened ??= open();
    return (await opened)(request, call);
  };
}

async function openWire({ endpoints, retry, cassette }: ModelsConfiguration, redact: Redact): Promise<Wire> {
  const live = lazyWire(async () => {
    const { sdkWire } = await import("./wire/sdk-wire.ts");
    return sdkWire(endpoints, { timeout: retry.timeout * 1000, redact });
  });
  if (cassette === undefined) return live;
  const { cassetteWire } = await import("./cassette/cassette.ts");
  return cassetteWire(cassette.file, cassette.mode, cassette.mode === "replay" ? undefined : live, redact);
}
