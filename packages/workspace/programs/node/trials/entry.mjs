// The file that node:test is given in a thread: it loads the test file, and tells whether that worked.

import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

const say = parentPort.postMessage.bind(parentPort);
// Tests are queued as soon as their file is loaded; one that has queued none by then has none that are wanted.
const SETTLE_MS = 100;
try {
  await import(pathToFileURL(workerData.file).href);
  say(["loaded"]);
  setTimeout(say, SETTLE_MS, ["settled"]);
} catch {
  say(["unloadable"]);
}
