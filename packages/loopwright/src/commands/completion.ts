// `loopwright completion`: a script that completes commands, flags, run ids and loops. Made from the table of commands.

import type { Command } from "@loopwright/core";
import { flagsOf } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import { allCommands } from "../loops/find-command.ts";
import { loopNames } from "../loops/find-package.ts";

type Completed = Omit<Command<never>, "run">;

export async function run(cli: Cli): Promise<number> {
  // What the scripts themselves ask for.
  if (cli.arguments[0] === "loops") {
    const { loops } = await cli.look();
    for (const name of await loopNames(loops)) cli.terminal.print(name);
    return 0;
  }
  const commands = await allCommands();
  const scripts: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  };
  cli.terminal.print(scripts[cli.arguments[0]!]!(commands));
  return 0;
}

const RUNS = "loopwright runs --quiet 2>/dev/null";
const LOOPS = "loopwright completion loops 2>/dev/null";

/** What fits at a command's argument, as a shell expression that prints it. */
function offersOf({ arguments: taken = [] }: Completed): string {
  const offers = taken[0]?.offers;
  if (offers === "runs") return `$(${RUNS})`;
  if (offers === "loops") return `$(${LOOPS})`;
  return offers?.join(" ") ?? "";
}

function bashScript(commands: readonly Completed[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const cases = commands.map((command) => {
    const flags = flagsOf(command).map(({ name }) => `--${name}`);
    return `    ${command.name}) flags="${flags.join(" ")}"; words="${offersOf(command)}" ;;`;
  });
  return `# loopwright: completion for bash
_loopwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" flags="" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    @*) COMPREPLY=($(compgen -P @ -f -- "\${current#@}")) ;;
    *) if [ "$COMP_CWORD" -eq 2 ] && [ -n "$words" ]; then COMPREPLY=($(compgen -W '$words' -- "$current"))
       else COMPREPLY=($(compgen -f -- "$current")); fi ;;
  esac
}
complete -F _loopwright loopwright`;
}

function zshScript(commands: readonly Completed[]): string {
  const names = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary.replaceAll(":", "\\:")}`)}`);
  const cases = commands.map((command) => {
    const flags = flagsOf(command).map(({ name, help }) => quote(`--${name}:${help.replaceAll(":", "\\:")}`));
    return `    ${command.name}) flags=(${flags.join(" ")}); offered=(${offersOf(command)}) ;;`;
  });
  return `#compdef loopwright
# loopwright: completion for zsh
_loopwright() {
  local -a names flags offered
  names=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command names; return; fi
  case "\${words[2]}" in
${cases.join("\n")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then _describe flag flags; elif (( \${#offered} )); then compadd -a offered; else _files; fi
}
_loopwright "$@"`;
}

function fishScript(commands: readonly Completed[]): string {
  const lines = ["# loopwright: completion for fish", "complete -c loopwright -f"];
  for (const command of commands) {
    const seen = `__fish_seen_subcommand_from ${command.name}`;
    lines.push(`complete -c loopwright -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`);
    const offers = offersOf(command).replace("$(", "(");
    if (offers !== "") lines.push(`complete -c loopwright -n ${quote(seen)} -a ${quote(offers)}`);
    for (const { name, short, value, help } of flagsOf(command)) {
      const needs = value ? " -r" : "";
      lines.push(
        `complete -c loopwright -n ${quote(seen)} -l ${name}${short ? ` -s ${short}` : ""}${needs} -d ${quote(help)}`,
      );
    }
  }
  return lines.join("\n");
}

/** Text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
