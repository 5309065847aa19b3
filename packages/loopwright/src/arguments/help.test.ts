// Help texts, made from the table of commands.

import { outcomes } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { allCommands, defaultPackages } from "../loops/find-command.ts";
import { commandHelp, exitCodes, mainHelp } from "./help.ts";
import { flagsOf } from "./read-arguments.ts";

const [commands, packages] = [await allCommands(), await defaultPackages()];

describe("the help of a command", () => {
  it.each(commands.map((command) => [command.name, command] as const))("%s has all that it takes", (name, command) => {
    const help = commandHelp(command);
    expect(help).toMatch(new RegExp(`^Usage: loopwright ${name}\\b`));
    for (const { name: flag, short, value } of flagsOf(command)) {
      expect(help).toContain(`--${flag}${value ? ` ${value}` : ""}`);
      if (short) expect(help).toContain(`-${short}, --${flag}`);
    }
    for (const { name: word, isOptional } of command.arguments ?? [])
      expect(help.split("\n")[0]).toContain(isOptional ? `[${word}]` : `<${word}>`);
    for (const example of command.examples ?? []) expect(help).toContain(`  ${example}`);
  });

  it("says which flags may be given more than once", () => {
    expect(commandHelp(commands.find(({ name }) => name === "run")!)).toMatch(/--answer GATE=CHOICE.*\(repeatable\)/);
  });

  it.each([
    ["issue", "drain", "every issue that is ready"],
    ["issue", "update ID", "whatever a flag names"],
  ])("lists the actions of %s line by line", (name, action, what) => {
    const lines = commandHelp(commands.find((command) => command.name === name)!).split("\n");
    expect(lines.find((line) => line.startsWith(`  ${action} `))).toContain(what);
  });

  it("leaves the flags of a run out where none is driven", () => {
    expect(commandHelp(commands.find(({ name }) => name === "verify")!)).not.toContain("--max-usd");
  });

  it("keeps every line within 100 columns", () => {
    for (const text of [
      mainHelp(packages, [{ name: "tidy", isPackage: true }]),
      ...commands.map((command) => commandHelp(command, packages)),
    ]) {
      const lines = text.split("\n").filter((line) => !line.startsWith("  loopwright "));
      expect(lines.filter((line) => line.length > 100)).toEqual([]);
    }
  });
});

describe("the main help", () => {
  it("lists loops apart from what else the packages add", () => {
    const text = mainHelp(packages);
    const section = (title: string) =>
      [
        ...text
          .split(`\n${title}:\n`)[1]!
          .split("\n\n")[0]!
          .matchAll(/^ {2}(\w+)/gm),
      ].map(([, name]) => name);
    expect(section("Loops")).toEqual(["hull", "code", "novel", "fab"]);
    expect(section("From the packages").toSorted()).toEqual(["amendments", "apply", "issue", "mcp", "prove", "undo"]);
  });

  it("names every command with its summary", () => {
    const text = mainHelp(packages).replaceAll(/\s+/g, " ");
    for (const { name, summary } of commands) {
      expect(text).toContain(` ${name} `);
      expect(text).toContain(summary);
    }
  });
});

describe("the exit codes", () => {
  it("are those of the outcomes, of errors and of waiting, in order", () => {
    const codes = exitCodes().map(({ code }) => Number(code));
    expect(codes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 130, 143]);
    for (const { outcome, code } of exitCodes())
      if (outcome in outcomes) expect(outcomes[outcome as keyof typeof outcomes].exit).toBe(Number(code));
  });

  it("leave out the outcome that no command ends with", () => {
    expect(exitCodes().map(({ outcome }) => outcome)).not.toContain("superseded");
  });
});
