// The packages of OpenTelemetry: optional peers, named with their versions in package.json and nowhere else.

import { readFileSync } from "node:fs";

/** Whether an import failed because a package of OpenTelemetry is not there. */
export function isNotInstalled(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND" &&
    error.message.includes("'@opentelemetry/")
  );
}

/** What to type to have them. */
export function installCommand(): string {
  const file = new URL("../../package.json", import.meta.url);
  const { peerDependencies } = JSON.parse(readFileSync(file, "utf8")) as { peerDependencies: Record<string, string> };
  const named = Object.entries(peerDependencies).filter(([name]) => name.startsWith("@opentelemetry/"));
  // Some shells take the caret of a range for their own.
  return `npm install ${named.map(([name, range]) => `${name}@${range.replace("^", "")}`).join(" ")}`;
}
