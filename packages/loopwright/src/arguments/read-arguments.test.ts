// Reading a command line by its command's table.

import { tmpdir } from "node:os";
import { UsageError, usage } from "@loopwright/core";
import { Terminal } from "@loopwright/terminal";
import { describe, expect, it } from "vitest";
import { Cli } from "../cli.ts";
import { allCommands, findCommand } from "../loops/find-command.ts";
import { type CommandTable, flagsOf, readArguments } from "./read-arguments.ts";

const commands = await allCommands();

const command: CommandTable = {
  name: "sail",
  arguments: [
    { name: "boat", help: "which boat" },
    { name: "port", help: "where to", isOptional: true, offers: ["home", "away"] },
  ],
  flags: [
    { name: "crew", short: "r", value: "N", kind: "count", help: "how many" },
    { name: "wind", value: "W", kind: ["north", "south"], help: "from where" },
    { name: "load", value: "TONS", kind: "amount", help: "how much" },
    { name: "since", value: "AGE", kind: "days", help: "how long" },
    { name: "flag", value: "NAME", isRepeatable: true, help: "what to fly" },
    { name: "fast", short: "f", help: "hurry" },
  ],
};

function faultOf(...args: string[]): string {
  try {
    readArguments(command, args);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  return "no fault";
}

describe("words and flags", () => {
  it("are refused where a word is empty, as from a variable that is not set", () => {
    expect(faultOf("")).toContain("'loopwright sail' was given an empty <boat>");
    expect(faultOf("heron", " ")).toContain("an empty <port>");
  });

  it("that begin a flag's name, whatever its dashes, are told the whole of it", () => {
    const driving = { ...command, drivesRuns: true };
    expect(() => readArguments(driving, ["heron", "--maxiter"])).toThrow("did you mean --max-iterations?");
  });

  it("are read in any order, in every way that a flag can be written", () => {
    const args = ["--crew=3", "heron", "-f", "--wind", "north", "home", "--load", "2.5", "--flag=a", "--flag", "b=c"];
    expect(readArguments(command, args)).toEqual({
      arguments: ["heron", "home"],
      flags: { crew: 3, fast: true, wind: "north", load: 2.5, flag: ["a", "b=c"] },
    });
  });

  it("take a short name, and the last of a flag that is given twice", () => {
    expect(readArguments(command, ["heron", "-r", "3", "-r", "4"]).flags).toEqual({ crew: 4 });
  });

  it("take the flags of a run where the command drives one, and refuse them elsewhere", () => {
    const args = ["heron", "--yes", "--max-iterations", "3", "--seed", "0"];
    expect(readArguments({ ...command, drivesRuns: true }, args).flags).toEqual({
      yes: true,
      "max-iterations": 3,
      seed: 0,
    });
    for (const given of ["--yes", "-y", "--max-iterations", "--model"])
      expect(faultOf("heron", given)).toBe(
        `'loopwright sail' has no flag ${given} (loopwright sail --help shows what it takes)`,
      );
  });

  it("take everything after -- as words", () => {
    expect(faultOf("heron", "--", "--fast")).toContain("<port> is home or away, not '--fast'");
  });

  it("are not held to their number where help is asked for", () => {
    expect(readArguments(command, ["--help", "a", "b", "c"]).flags).toEqual({ help: true });
    expect(readArguments(command, ["-h"]).flags).toEqual({ help: true });
  });
});

describe("a wrong word", () => {
  it.each([
    [[], "'loopwright sail' needs <boat>: which boat"],
    [["a", "home", "c"], "does not know what 'c' is"],
    [["a", "hone"], "<port> is home or away, not 'hone'; did you mean 'home'?"],
    [["a", "--fats"], "has no flag --fats; did you mean --fast?"],
    [["a", "--utterly-else"], "has no flag --utterly-else (loopwright sail --help shows what it takes)"],
    [["a", "-x"], "has no flag -x"],
    [["a", "--fast=yes"], "--fast takes no value, and was given 'yes'"],
    [["a", "--crew"], "--crew needs a value: N"],
    [["a", "--crew="], "--crew needs a value: N"],
    [["a", "--wind", "east"], "--wind is north, south, not 'east'"],
    [["a", "--no-fast"], "has no flag --no-fast"],
    [["a", "--constructor"], "has no flag --constructor"],
    [["a", "--__proto__=1"], "has no flag --__proto__"],
  ])("%j is refused with what is wrong", (args, message) => {
    expect(faultOf(...args)).toContain(message);
  });

  it("after a text that takes any is refused with how several are typed", () => {
    const words = { name: "do", arguments: [{ name: "task", help: "what" }] };
    expect(() => readArguments(words, ["fix", "it"])).toThrow("<task> of several words stands in quotes");
  });
});

describe("a number", () => {
  it.each(["0", "-1", "+1", "1.5", "1e3", "three", " 1", "0x1", "NaN", "Infinity"])("'%s' is no count", (value) => {
    expect(faultOf("a", `--crew=${value}`)).toContain(`--crew must be a whole number of 1 or more, not '${value}'`);
  });

  it("of more than 15 digits is too large, and is told the largest", () => {
    expect(faultOf("a", `--crew=${"1".repeat(16)}`)).toContain(
      "--crew is too large: 999999999999999 at most, not '1111111111111111'",
    );
    expect(readArguments(command, ["a", "--crew=999999999999999"]).flags.crew).toBe(999_999_999_999_999);
  });

  it.each(["-1", "1e3", ".5", "1.", "one", "Infinity", "9".repeat(400)])("'%s' is no amount", (value) => {
    expect(faultOf("a", `--load=${value}`)).toContain("--load must be a number of 0 or more");
  });

  it.each(["5", "d", "-5d", "5m", "5 d", "1e2d"])("'%s' is no time", (value) => {
    expect(faultOf("a", `--since=${value}`)).toContain("--since must be a time such as 12h, 30d or 8w");
  });

  it.each(["0h", "12h", "1.5d", "8w"])("'%s' is a time", (value) => {
    expect(readArguments(command, ["a", `--since=${value}`]).flags.since).toBe(value);
  });
});

describe("the table of commands", () => {
  it("finds a command by its name, and names the nearest one to a wrong name", async () => {
    const terminal = new Terminal({ isQuiet: false, isJson: false, hasColor: false });
    const find = (name: string) => findCommand(name, new Cli(terminal, { arguments: [], flags: { dir: tmpdir() } }));
    expect(await find("run")).toMatchObject({ own: { name: "run" } });
    expect(await find("novel")).toMatchObject({ command: { name: "novel" }, found: { name: "novel" } });
    await expect(find("rum")).rejects.toThrow("there is no command 'rum'; did you mean 'run'?");
    await expect(find("toString")).rejects.toThrow("there is no command 'toString'");
  });

  it("gives every command its own flags first, and no name or letter twice", () => {
    for (const known of commands) {
      const flags = flagsOf(known);
      expect(flags.slice(0, known.flags?.length ?? 0)).toEqual(known.flags ?? []);
      const names = flags.flatMap(({ name, short }) => [`--${name}`, ...(short ? [`-${short}`] : [])]);
      expect(new Set(names).size, known.name).toBe(names.length);
    }
  });

  it("names every command once, with a summary and an example that its own table accepts", () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
    for (const known of commands) {
      expect(known.summary).not.toMatch(/\.$/);
      expect(known.examples?.length, known.name).toBeGreaterThan(0);
      for (const example of known.examples ?? []) expect(example).toMatch(new RegExp(`^loopwright ${known.name}\\b`));
    }
  });

  it("puts the optional arguments after the others", () => {
    for (const { name, arguments: words = [] } of commands) {
      const first = words.findIndex(({ isOptional }) => isOptional);
      expect(first < 0 || words.slice(first).every(({ isOptional }) => isOptional), name).toBe(true);
    }
  });
});

it("a hint stands in brackets behind the message", () => {
  expect(usage("it is wrong", "look there").message).toBe("it is wrong (look there)");
  expect(usage("it is wrong")).toMatchObject({ message: "it is wrong", code: "USAGE" });
});
