// A real headless Chromium, where one is installed.

import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const args = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Where Chromium is; undefined where there is none, and tests that need it are skipped. */
export const chromiumPath: string | undefined = names.map(whereIs).find((path) => path !== undefined);

function whereIs(name: string): string | undefined {
  try {
    return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Starts Chromium. */
export async function launchBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(`none of ${names.join(", ")} is installed`);
  return chromium.launch({ executablePath: chromiumPath, args });
}
