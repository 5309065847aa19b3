// Which commands of a model's run at once: all but those that begin as a rule says. The sandbox holds what runs; the rules only
// spare a model the try, and tell it why.

/** Beginnings of commands: `git push` is about `git push origin` too. The user's deny goes first, then the user's allow. */
export interface Policy {
  allow?: readonly string[];
  ask?: readonly string[];
  deny?: readonly string[];
}

type Rule = readonly [reason: string, ...commands: string[]];

const MORE_RIGHTS: Rule = ["no command gets more rights than it has", "sudo", "su", "doas", "pkexec"];
const NO_REPOSITORY: Rule = [
  "the repository is not to be changed",
  ..."push commit config checkout reset clean stash rebase merge branch add rm mv switch restore tag init clone fetch pull remote worktree submodule apply"
    .split(" ")
    .map((word) => `git ${word}`),
];
const NO_NETWORK: Rule = [
  "it fetches from the network, and there is none",
  ...["curl", "wget", "ssh", "scp", "rsync", "apt", "apt-get", "dnf", "yum", "apk", "brew"],
  ...[
    "pip",
    "pip3",
    "python -m pip",
    "python3 -m pip",
    "pipx",
    "uv",
    "poetry",
    "conda",
    "gem",
    "cargo install",
    "go get",
  ],
  ...["npm install", "npm i", "npm ci", "npm add", "npm exec", "npx", "yarn", "pnpm", "bun"],
];
const BY_HAND = "A person must allow it in the run's policy first";

/** Why a command line may not be run; undefined where it may. */
export function refusalOf(line: string, policy: Policy = {}): string | undefined {
  for (const words of commandsIn(line)) {
    const reason = refusalOfOne(words, policy);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function refusalOfOne(words: readonly string[], { allow = [], ask = [], deny = [] }: Policy): string | undefined {
  const find = (commands: readonly string[]) => commands.find((command) => startsWith(words, command));
  const denied = find(deny);
  if (denied !== undefined) return `${denied}: the run's policy refuses it`;
  if (find(allow) !== undefined) return undefined;
  for (const [reason, ...commands] of [MORE_RIGHTS, NO_REPOSITORY]) {
    const refused = find(commands);
    if (refused !== undefined) return `${refused}: ${reason}`;
  }
  for (const [reason, ...commands] of [["the run's policy asks for it", ...ask], NO_NETWORK] as Rule[]) {
    const asked = find(commands);
    if (asked !== undefined) return `${asked}: ${reason}. ${BY_HAND}`;
  }
  return undefined;
}

/** The simple commands of a line, word by word; what stands in quotes and here-documents is none. */
function commandsIn(line: string): string[][] {
  const bare = line
    .replace(/<<-?\s*(['"]?)(\w+)\1(.*)\n(?:[\s\S]*?\n)?\s*\2[ \t]*(?=\n|$)/g, " $3")
    .replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, "''");
  return bare
    .split(/&&|\|\||[;|&\n(){}`]/)
    .map((part) => part.split(/\s+/).filter((word) => word !== ""))
    .map((words) => words.slice(words.findIndex((word) => !/^\w+=/.test(word) && word !== "$")))
    .filter(({ length }) => length > 0);
}

/** Whether a command begins with a rule's words; options between them do not hide them. */
function startsWith(words: readonly string[], rule: string): boolean {
  const [program, ...wanted] = rule.split(" ");
  if (words[0]?.split("/").at(-1) !== program) return false;
  const rest = words.slice(1).filter((word, at) => wanted.includes(word) || !isOption(word, words[at]!));
  return wanted.every((word, at) => rest[at] === word);
}

/** `-C folder` and `-c key=value` of git's have a word of their own. */
function isOption(word: string, before: string): boolean {
  return word.startsWith("-") || /^-[Cc]$/.test(before);
}
