// The models of a configuration. What calls one is loaded when one is first called.

import type { Model, Redact } from "@loopwright/core";
import type { ModelsConfiguration } from "./configuration/configuration.ts";
import { profileOf } from "./configuration/resolve.ts";
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
): (role: string, attempt?: number) => Model {
  const redact = redactor([...secretsOf(given.endpoints, {}), ...secrets]);
  const isReplay = given.cassette?.mode === "replay";
  // A recorded failure needs no time to pass.
  const retry = isReplay ? { ...given.retry, waits: given.retry.waits.map(() => 0) } : given.retry;
  const configuration = { ...given, retry };
  const safeWire = redactWire(wire ?? lazyWire(() => openWire(configuration, redact)), redact);
  const enqueue = openQueues();
  const models = new Map<string, Model>();
  return (role, attempt) => {
    const key = attempt === undefined ? role : `${role}-${attempt}`;
    const model = models.get(key) ?? new RoleModel(role, inAttempt(role), safeWire, { ...options, enqueue });
    models.set(key, model);
    return model;

    /** The configuration in which the role is as this attempt has it. */
    function inAttempt(role: string): ModelsConfiguration {
      if (attempt === undefined) return configuration;
      const { profiles } = configuration;
      const own = Object.hasOwn(profiles, key) ? profiles[key] : undefined;
      const usual = profileOf(configuration, role);
      const profile =
        own ?? (usual && attempt > 1 ? { ...usual, temperature: Math.max(usual.temperature ?? 0, OTHERS) } : usual);
      return profile ? { ...configuration, profiles: { ...profiles, [role]: profile } } : configuration;
    }
  };
}

/** The temperature of attempts after the first, which would else say the same: at least that. */
const OTHERS = 0.8;

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
