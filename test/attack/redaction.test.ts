// Secrets in the forms that everyday programs print them in, and in every place that words of a person or a program go to.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SECRET_MARK } from "@loopwright/core";
import { redactor, secretsOf } from "@loopwright/models";
import { describe, expect, it } from "vitest";
import { redactEvent } from "../../packages/core/src/record/redact.ts";
import { type Folder, fixtureProject, runIn } from "../fakes/cli.ts";

/** Letters that programs write in different ways. */
const tricky = "kéy/with (odd)! 'quoted' \"twice\" & <more>";
const long =
  "sk-live-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789-kingfisher-heron-0987654321";

/** What a program prints that is given a secret as its input. */
const printed = (program: string[], secret: string) =>
  execFileSync(program[0]!, program.slice(1), { input: secret, encoding: "utf8" });

const python = (expression: string) => [
  "python3",
  "-c",
  `import sys, json, html, base64, binascii, urllib.parse, textwrap\ns = sys.stdin.buffer.read().decode()\nprint(${expression})`,
];

describe("a secret is taken out of what a program prints", () => {
  it.each([
    ["as it is", tricky, python("s")],
    ["in JSON that keeps to ASCII", tricky, python("json.dumps({'key': s})")],
    ["in JSON in JSON", tricky, python("json.dumps(json.dumps({'key': s}))")],
    ["in a page", tricky, python("html.escape(s)")],
    ["in a page, quotes as they are", tricky, python("html.escape(s, quote=False)")],
    ["in an address", tricky, python("urllib.parse.quote(s)")],
    ["in an address, slashes too", tricky, python("urllib.parse.quote(s, safe='')")],
    ["in a form", tricky, python("urllib.parse.urlencode({'key': s})")],
    ["in base64", tricky, python("base64.b64encode(s.encode()).decode()")],
    ["in base64 with a name before it", tricky, python("base64.b64encode(b'user:' + s.encode()).decode()")],
    ["in hex", tricky, python("s.encode().hex()")],
    ["in lines of base64, by coreutils", long, ["base64"]],
    ["in short lines of base64", long, ["base64", "-w", "20"]],
    [
      "in lines of base64 as mail has them",
      long,
      python("base64.encodebytes(b'Authorization: ' + s.encode()).decode().replace('\\n', '\\r\\n')"),
    ],
    [
      "in indented lines of hex",
      long,
      python("textwrap.indent('\\n'.join(textwrap.wrap(s.encode().hex(), 60)), '    ')"),
    ],
  ])("%s", (_, secret, program) => {
    const output = printed(program, secret);
    const left = redactor([secret])(`before\n${output}after\n`);
    expect(left).toContain(SECRET_MARK);
    expect(left.startsWith("before\n") && left.endsWith("after\n")).toBe(true);
    for (let at = 0; at + 12 <= output.trim().length; at += 4) {
      const piece = output.trim().slice(at, at + 12);
      if (at >= 24 && !/authoriz|user|key/i.test(piece) && /\w{12}/.test(piece)) expect(left).not.toContain(piece);
    }
  });

  it("once for each time, with what stands around it unharmed, in many lines", () => {
    const secret = long;
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n${printed(["base64"], secret)}`).join("");
    const left = redactor([secret, "another-secret-1"])(lines);
    expect(left.split(SECRET_MARK)).toHaveLength(31);
    expect(left.match(/^line \d+$/gm)).toHaveLength(30);
  });

  it("in a second, where there are hundreds of secrets and the text is long", () => {
    const secrets = Array.from({ length: 200 }, (_, index) => `${long}-${index}`);
    const redact = redactor(secrets);
    const text = `${"a line of quite ordinary words that a program prints\n".repeat(20_000)}${secrets[7]}`;
    const begun = performance.now();
    expect(redact(text).endsWith(SECRET_MARK)).toBe(true);
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
});

describe("a secret of the environment", () => {
  const key = [
    "-----BEGIN PRIVATE KEY-----",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
    "-----END PRIVATE KEY-----",
  ];

  it.each(["\n", "\r\n", "\\n"])("of several lines is known by each of them, and whole (%j)", (end) => {
    const redact = redactor(secretsOf({}, { TLS_PRIVATE_KEY: key.join(end.replace("\\n", "\n")) }));
    expect(redact(`E   ${key[1]}\nE   ${key[2]}`)).not.toMatch(/MIIE|BKcw/);
    expect(redact(JSON.stringify({ key: key.join("\n") }))).not.toMatch(/MIIE|BKcw/);
  });

  it("is taken out of names and values of an event however deep, and a run still finds its way", () => {
    const redact = redactor(["canary-value-1"]);
    const event = {
      type: "loop-noted",
      key: "k",
      name: "n",
      data: { "canary-value-1": [["x canary-value-1"], { a: { b: "canary-value-1" } }] },
    };
    expect(JSON.stringify(redactEvent(event, redact))).not.toContain("canary-value-1");
  });
});

/** Every byte below a folder, as text. */
function everything(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), "latin1"))
    .join("\n");
}

describe("a secret that a person types", { timeout: 120_000 }, () => {
  it("into the note of an answer is in no byte of the project, before or after the run has taken it up", async () => {
    using at: Folder = fixtureProject();
    const secret = "sk-canary-a-b-c-0123456789";
    const env = { SERVICE_API_KEY: secret };
    const run = runIn(await at.cli(["run", "ask", "--input", "{}"], { env }));
    const answered = await at.cli(["answer", run, "yes", "--note", `use ${secret} for it`], { env });
    expect(answered.code, answered.stderr).toBe(0);
    expect(everything(join(at.dir, ".loopwright"))).not.toContain(secret);
    await at.cli(`resume ${run}`, { env });
    expect(everything(join(at.dir, ".loopwright")) + everything(join(at.dir, "runs"))).not.toContain(secret);
  });
});
