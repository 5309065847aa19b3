// Why no model answered, in words that say what to do.

import { InfrastructureError } from "@loopwright/core";
import { type FailedTry, oneLine } from "../calls.ts";
import type { Endpoint, ModelName } from "../configuration/configuration.ts";
import { nameToText } from "../configuration/resolve.ts";
import type { WireError } from "../wire/wire.ts";

/** What to do about a request that was refused, by HTTP status. */
const remedies: Readonly<Record<number, (name: ModelName) => string>> = {
  401: ({ endpoint }) => `Check the key of the endpoint '${endpoint}': its 'keyEnv' names the environment variable`,
  402: ({ endpoint }) => `The account at '${endpoint}' must be topped up`,
  403: ({ endpoint, model }) => `Check that the key of the endpoint '${endpoint}' may use '${model}'`,
  404: ({ model }) => `Check the model's name '${model}' and the endpoint's address`,
  413: () => "Lower this model's 'context' in the configuration, so that prompts are cut to fit",
};

/** A request that no further try would fix: it is neither retried nor sent elsewhere. */
export function refused(
  role: string,
  name: ModelName,
  error: WireError,
  { tries, isCommand, doctor }: { tries: readonly FailedTry[]; isCommand: boolean; doctor: string },
): InfrastructureError {
  const before = tries.filter((failed) => failed.endpoint !== name.endpoint || failed.model !== name.model);
  const history = before.length > 0 ? ` (it was asked because of: ${lastErrors(before)})` : "";
  const usual = isCommand ? "Install the program or fix the command" : "Fix the request or the configuration";
  const remedy = remedies[error.status ?? 0]?.(name) ?? usual;
  const message = `${nameToText(name)} refused the call for the role '${role}': ${oneLine(error.message)}${history}. ${remedy}, see what is there with \`${doctor}\`, then resume the run.`;
  return new InfrastructureError("MODEL_REFUSED", message, {
    data: { role, ...(error.status !== undefined && { status: error.status }) },
  });
}

/** A model that is asked for nothing without a key, and has none. */
export function keyMissing(role: string, name: ModelName, variable: string): InfrastructureError {
  const message = `${nameToText(name)}, the model of the role '${role}', needs a key, and the environment has no ${variable}; nothing was sent. Put ${variable}=… into .env or the environment, then resume the run.`;
  return new InfrastructureError("MODEL_KEY_MISSING", message, { data: { role } });
}

/** Every model of a role has failed, each after all its tries. */
export function unreachable(
  role: string,
  tries: readonly FailedTry[],
  { kinds, doctor }: { kinds: readonly Endpoint["kind"][]; doctor: string },
): InfrastructureError {
  const remedies = [
    ...(kinds.some((kind) => kind !== "command") ? ["start the server or fix the address"] : []),
    ...(kinds.includes("command") ? ["fix the command, which must exit with 0"] : []),
  ].join(", or ");
  const message = `no model answered for the role '${role}': ${lastErrors(tries)}. ${remedies[0]!.toUpperCase()}${remedies.slice(1)}, check it with \`${doctor}\`, then resume the run.`;
  return new InfrastructureError("MODEL_UNREACHABLE", message, { data: { role, tries: tries.length } });
}

/** Each model with the number of its tries and the last error. */
function lastErrors(tries: readonly FailedTry[]): string {
  const byName = Map.groupBy(tries, nameToText);
  const lines = [...byName].map(([name, failed]) => {
    const times = failed.length === 1 ? "1 try" : `${failed.length} tries`;
    return `${name} after ${times}: ${failed.at(-1)!.error}`;
  });
  return lines.join("; ");
}
