import { describe, expect, it } from "vitest";
import { type Policy, refusalOf } from "./policy.ts";

describe("the command policy", () => {
  it.each([
    "grep -r top .",
    "ls -la && cat a.py | head -5",
    "python -m pytest -q",
    "FOO=bar timeout 5 python a.py",
    "git status && git diff && git log --oneline",
    'echo "sudo rm -rf / is dangerous" > notes.txt',
    "grep -rn 'sudo; npx' .",
    "cat <<'EOF' > a.md\npip install x\nsudo make install\nEOF\ncat a.md",
    "npm test",
    "# only a comment",
    "echo 'never closed",
    "",
  ])("lets %j run", (line) => {
    expect(refusalOf(line)).toBeUndefined();
  });

  it.each([
    ["ls && sudo rm x", "sudo: no command gets more rights"],
    ["ls; /usr/bin/sudo rm x", "sudo"],
    ["ls | sudo tee x", "sudo"],
    ["ls\nsudo rm x", "sudo"],
    ["(ls; (sudo rm x))", "sudo"],
    ["echo $(sudo rm x)", "sudo"],
    ["A=1 B=2 sudo x", "sudo"],
    ["git commit -am x", "git commit: the repository is not to be changed"],
    ["git -C . push", "git push"],
    ["git -c a=b config x y", "git config"],
    ["pip install x", "pip: it fetches from the network, and there is none. A person must allow it"],
    ["python3 -m pip install x", "A person must allow it"],
    ["npm --silent ci", "npm ci"],
    ["cat <<EOF > a\nx\nEOF\nnpx x", "npx"],
    ["curl http://x", "A person must allow it"],
  ])("refuses %j", (line, words) => {
    expect(refusalOf(line)).toContain(words);
  });

  it.each<[string, Policy, string | undefined]>([
    ["npm install x", { allow: ["npm install"] }, undefined],
    ["git add x", { allow: ["git add"] }, undefined],
    ["npm install x", { allow: ["npm"], deny: ["npm install"] }, "npm install: the run's policy refuses it"],
    ["make all", { ask: ["make"] }, "make: the run's policy asks for it. A person must allow it"],
    ["make all", { deny: ["make"] }, "make: the run's policy refuses it"],
    ["maker all", { deny: ["make"] }, undefined],
  ])("goes by the user's words first: %s with %j", (line, policy, words) => {
    if (words === undefined) expect(refusalOf(line, policy)).toBeUndefined();
    else expect(refusalOf(line, policy)).toContain(words);
  });

  it("answers hostile lines quickly", () => {
    const started = performance.now();
    for (const piece of ["(", "$(", "`", "'", '"', "<<", "<<a\n", "&", "\\", '"\\', "a="])
      refusalOf(piece.repeat(3_900));
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
