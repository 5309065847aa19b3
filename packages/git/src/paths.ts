// Which paths a file block may name. A path that could mean another place on any file system is refused with the reason.

const LONGEST_PATH = 400;
const LONGEST_PART_BYTES = 200;
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** A path that may be used, or why it may not. */
export type PathResult = { path: string; refused?: undefined } | { path?: undefined; refused: string };

/** A path in its plain form, from the workspace's folder, or why it is refused. */
export function plainPath(given: string): PathResult {
  const refused = problemOf(given);
  if (refused) return { refused };
  const parts = given
    .normalize("NFC")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) return { refused: "names no file" };
  const fault = parts.map(problemOfPart).find((each) => each !== undefined);
  return fault ? { refused: fault } : { path: parts.join("/") };
}

/** A path as a file system that ignores case and composition would compare it. */
export function foldPath(path: string): string {
  return path.normalize("NFKC").toLowerCase().normalize("NFKC");
}

/** A refused path in a message: one line, no control characters, not endless. */
export function shownPath(path: string): string {
  const line = path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

function problemOf(given: string): string | undefined {
  if (given.trim() === "") return "names no file";
  if (given.length > LONGEST_PATH) return `is longer than ${LONGEST_PATH} characters`;
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(given)) return "holds a control character or an invisible one";
  if (given.includes("\\")) return "holds a backslash: write paths with /";
  if (given.startsWith("/") || /^[a-z]:/i.test(given)) return "is absolute: name files from the workspace's folder";
  if (given.startsWith("~")) return "begins with ~: name files from the workspace's folder";
  if (given.endsWith("/")) return "names a folder";
  if (given.split("/").includes("..")) return "leaves the workspace with ..";
  return undefined;
}

function problemOfPart(part: string): string | undefined {
  if (Buffer.byteLength(part) > LONGEST_PART_BYTES) return `has a name longer than ${LONGEST_PART_BYTES} bytes`;
  if (DEVICES.test(part)) return `names a device (${part})`;
  if (/[. ]$/.test(part) || part.startsWith(" "))
    return "has a name that begins or ends with a space, or ends with a dot";
  if (/[<>:"|?*]/.test(part)) return "holds a character that file names cannot have everywhere";
  return undefined;
}
