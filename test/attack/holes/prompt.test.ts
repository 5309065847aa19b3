// A prompt that is too long for its model is cut, with the real binary: whatever stands in the files, no fence is left open, so
// that nothing of them is read as ours.

import { expect, it } from "vitest";
import { Folder } from "../../fakes/cli.ts";
import { bwrap } from "../../sandbox/bwrap-works.ts";
import { file, scriptedModel } from "./model.ts";

/** The mark of a fence that a text leaves open. */
function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const [, mark, rest = ""] = /^ {0,3}(`{3,})(.*)$/.exec(line) ?? [];
    if (mark === undefined) continue;
    if (open === undefined) open = rest.includes("`") ? undefined : mark;
    else if (mark.startsWith(open) && rest.trim() === "") open = undefined;
  }
  return open;
}

it.skipIf(!bwrap)(
  "No prompt has an open fence (skipped where bwrap does not work).",
  { timeout: 120_000 },
  async () => {
    using at = new Folder();
    const lines = (name: string) =>
      Array.from({ length: 500 }, (_, n) => `${name}_${n} = "some words of line ${n}"\n`).join("");
    await at.write("task.md", "# Task\n\nWrite `calc.py` with `add(a, b)`.\n");
    await at.write("test_calc.py", "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n");
    const answers = [
      file(
        "calc.py",
        `import aaa, zzz\nWORDS = """\n\`\`\`\`\`\n"""\n${lines("calc")}\n\ndef add(a, b):\n    return 7\n`,
      ) +
        file("aaa.py", `WORDS = """\n\`\`\`\`\`\`\`\n"""\n${lines("aaa")}`) +
        file("zzz.py", lines("zzz")),
      file("calc.py", "def add(a, b):\n    return a + b\n"),
    ];
    await using server = await scriptedModel({ program: "calc.py", more: ["aaa.py", "zzz.py"], answers });
    const model = "models: { default: { endpoint: desk, model: desk, context: 9000, maxTokens: 2000 } }";
    await at.write("loopwright.yaml", `endpoints: { desk: { url: "${server.url}" } }\n${model}\n`);
    const ended = await at.cli("code --tests test_calc.py --max-iterations 2 --seed 1 --json");
    const prompts = server.requests.map(({ body }) => body.messages.map(({ content }) => String(content)).join("\n"));
    expect(prompts.filter((text) => text.includes("tokens left out")).length, ended.stderr).toBeGreaterThan(0);
    expect(prompts.map(openFence)).toEqual(prompts.map(() => undefined));
  },
);
