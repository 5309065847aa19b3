// Shell words: a command that is shown is one that can be typed, whatever stands in a choice or a run's name.

/** A text as one word of a POSIX shell; one with control characters is written so that it stays on its line. */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_./=:@%+,-]+$/.test(text)) return text;
  if (!/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const hex = (sign: string) => sign.codePointAt(0)!.toString(16).padStart(8, "0");
  return `$'${text.replace(/['\\]/g, "\\$&").replace(/[^ -~]/gu, (sign) => `\\U${hex(sign)}`)}'`;
}

/** A command of ours as it is typed for a folder; the same where none was named. */
export function inFolder(command: string, dir: string | undefined): string {
  if (!dir || !command.startsWith("loopwright ") || /^loopwright init | --(dir|project|help)\b/.test(command))
    return command;
  const [before, ...rest] = command.split(" -- ");
  return [`${before} --dir ${shellWord(dir)}`, ...rest].join(" -- ");
}

/** A text whose commands of ours, which stand between backticks, are written as they are typed. */
export function withCommands(text: string, typed: (command: string) => string): string {
  return text.replace(/`(loopwright [^`\n]+)`/g, (_, command: string) => `\`${typed(command)}\``);
}

/** A command from its words. One that begins with a dash but is no flag is set apart by `--`, which stands before it. */
export function commandLine(words: readonly string[], last?: string): string {
  const tail = last === undefined ? [] : last.startsWith("-") ? ["--", shellWord(last)] : [shellWord(last)];
  return ["loopwright", ...words.map(shellWord), ...tail].join(" ");
}
