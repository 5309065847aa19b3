// Says what to do on a Node that is too old. It is evaluated before everything else of the package, and nothing that the
// package imports is missing in older versions: else Node would stop with a message of its own before this one.

const NEEDED = 24;

/** Why Loopwright cannot run on a version of Node; undefined where it can. */
export function nodeError(version: string): string | undefined {
  if (Number(version.split(".")[0]) >= NEEDED) return undefined;
  return `Loopwright needs Node ${NEEDED} or newer, and this is ${version}: install a newer one, or run \`npm install node@26\` here and start your program with \`npx node\`.`;
}

const message = nodeError(process.versions.node);
if (message) throw Object.assign(new Error(message), { code: "NODE_TOO_OLD" });
