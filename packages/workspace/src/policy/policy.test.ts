import { describe, expect, it } from "vitest";
import { judgeCommand, type Policy } from "./policy.ts";
import { ASKED, DENIED } from "./rules.ts";

const place = {
  workspace: "/workspace",
  refusal: (path: string) => (/^tests\b|conftest\.py$/.test(path) ? "is a test file" : undefined),
};
const judge = (line: string, policy?: Policy) => judgeCommand(line, place, policy);

describe("the command policy", () => {
  it.each([
    "grep -r top .",
    "ls -la && cat a.py | head -5",
    "python -m pytest -q",
    "python3 -c 'print(1 > 0)'",
    "node --test",
    "npm test",
    "make build",
    "./run.sh --fast",
    "mkdir -p src/deep && touch src/deep/a.py",
    "cd src && touch a.py && cd .. && ls",
    "(cd src; touch b.py); touch c.py",
    "echo hello > out.txt",
    "echo hello >> ./src/../out.txt",
    "python a.py > /dev/null 2>&1",
    "python a.py 2>/tmp/errors.txt",
    "cat < /etc/hosts",
    "sed -n 1,5p /etc/hosts",
    "sed -i 's/a/b/' src/a.py",
    "rm -rf build *.pyc",
    "find . -name '*.py' -exec grep -l x {} \\;",
    "env X=1 python a.py",
    "FOO=bar timeout 5 python a.py",
    'bash -c "ls && pwd"',
    "git status && git diff && git log --oneline",
    "cp /usr/share/dict/words words.txt",
    'echo "sudo rm -rf / is dangerous" > notes.txt',
    "grep -rn 'sudo' .",
    "cat <<'EOF' > a.py\nimport os\nos.system('sudo x > /etc/y')\nEOF",
    "if test -f a.py; then python a.py; fi",
    "for f in a b; do echo $f; done",
    "echo $(cat a.txt) | wc -l",
    "# only a comment",
    "topology-tool --stop",
    "kill %1",
    "chmod +x run.sh",
    "cd /workspace/src && ls",
    "cd /tmp && touch x",
  ])("allows %j", (line) => {
    expect(judge(line)).toEqual({ verdict: "allow" });
  });

  it.each([
    ["cd / && touch a", "leaves the workspace"],
    ["cd ..", "leaves the workspace"],
    ["cd src/../.. && rm x", "leaves the workspace"],
    ["cd", "not named plainly"],
    ["cd ~ && ls", "not named plainly"],
    ["cd $HOME", "not named plainly"],
    ["echo x > ../other/x", "writes outside"],
    ["echo x > /etc/hosts", "writes outside"],
    ["> /etc/hosts", "writes outside"],
    ["echo x 2>> ../err", "writes outside"],
    ["echo x &> ../err", "writes outside"],
    ["echo x >| ../err", "writes outside"],
    ["echo x >'../a b'", "writes outside"],
    ["sed -i s/a/b/ /etc/hosts", "writes outside"],
    ["sed --in-place=.bak s/a/b/ /etc/hosts", "writes outside"],
    ["perl -pi -e s/a/b/ ../x", "writes outside"],
    ["ls && sudo rm x", "sudo"],
    ["ls; sudo rm x", "sudo"],
    ["ls | sudo tee x", "sudo"],
    ["ls & sudo rm x", "sudo"],
    ["ls\nsudo rm x", "sudo"],
    ["(ls; (sudo rm x))", "sudo"],
    ["echo $(sudo rm x)", "sudo"],
    ["echo `sudo rm x`", "sudo"],
    ["cat <(sudo cat x)", "sudo"],
    ['echo "$(sudo rm x)"', "sudo"],
    ["/usr/bin/sudo rm x", "sudo"],
    ["su'd'o rm x", "sudo"],
    ["s\\udo rm x", "sudo"],
    ['"sudo" rm x', "sudo"],
    ["env A=1 sudo rm x", "sudo"],
    ["nohup sudo rm x", "sudo"],
    ["timeout 5 sudo rm x", "sudo"],
    ["xargs -n 1 sudo rm", "sudo"],
    ["exec sudo rm x", "sudo"],
    ["! sudo rm x", "sudo"],
    ["if true; then sudo rm x; fi", "sudo"],
    ["bash -c 'sudo rm x'", "sudo"],
    ["sh -ec 'bash -c \"sudo rm x\"'", "sudo"],
    ["eval sudo rm x", "sudo"],
    ["find . -exec sudo rm {} +", "sudo"],
    ["true || sudo rm x", "sudo"],
    ["A=1 B=2 sudo x", "sudo"],
    ["$CMD x", "not named plainly"],
    ["$(echo sudo) x", "not named plainly"],
    ['bash -c "$X"', "not written plainly"],
    ["rm -rf /", "writes outside"],
    ["rm -rf /*", "writes outside"],
    ["rm -rf ../*", "writes outside"],
    ["rm -rf ~", "not named plainly"],
    ["rm -rf $X", "not named plainly"],
    ["touch ../a", "writes outside"],
    ["cp a.py ../b.py", "writes outside"],
    ["mv ../a.py .", "writes outside"],
    ["ln -s a ../b", "writes outside"],
    ["cp -t /etc a.py", "writes outside"],
    ["tee -a ../x", "writes outside"],
    ["dd if=/dev/zero of=/dev/sda", "writes outside"],
    ["chmod 777 /etc", "writes outside"],
    ["find / -delete", "writes outside"],
    ["echo x > tests/test_a.py", "is a test file"],
    ["rm -rf tests", "is a test file"],
    ["sed -i s/a/b/ ./tests/test_a.py", "is a test file"],
    ["cd src && echo x > ../tests/t.py", "is a test file"],
    ["touch conftest.py", "is a test file"],
    ["echo x > .git/hooks/pre-commit", "git directory"],
    ["cp evil .GIT/config", "git directory"],
    ["git commit -am x", "repository"],
    ["git -C . push", "repository"],
    ["git -c a=b config x y", "repository"],
    ["ssh host", "network"],
    ["LD_PRELOAD=./x.so ls", "LD_PRELOAD"],
    ["PATH=.:$PATH ls", "PATH"],
    ["PYTHONPATH=. python a.py", "PYTHONPATH"],
    ["echo 'never closed", "quote"],
    ["echo $(ls", "never closed"],
    ["(ls", "never closed"],
    ["ls)", "too many"],
    ["cat <<EOF\nx", "here-document"],
    ["ls \u0007", "control characters"],
    [`echo ${"x".repeat(5_000)}`, "longer than"],
    [`${"$(echo ".repeat(30)}x${")".repeat(30)}`, "nested"],
    [`${"bash -c '".repeat(1)}${"eval ".repeat(12)}ls'`, "nested"],
  ])("refuses %j", (line, words) => {
    const judged = judge(line);
    expect(judged.verdict).toBe("deny");
    expect(judged.reason).toContain(words);
  });

  it.each([
    "pip install x",
    "python -m pip install x",
    "python3 -m pip install x",
    "npm install",
    "npm --silent ci",
    "npx x",
    "curl http://x",
  ])("says that a person must allow %j", (line) => {
    const judged = judge(line);
    expect(judged.verdict).toBe("ask");
    expect(judged.reason).toContain("A person must allow it");
  });

  it("refuses rather than asks where a line does both", () => {
    expect(judge("npm install && sudo x").verdict).toBe("deny");
  });

  it("lets the user's words go before its own, and the user's refusals before those", () => {
    expect(judge("npm install x", { allow: ["npm install"] }).verdict).toBe("allow");
    expect(judge("npm install x", { allow: ["npm"], deny: ["npm install"] }).verdict).toBe("deny");
    expect(judge("make all", { ask: ["make"] }).verdict).toBe("ask");
    expect(judge("make all", { deny: ["make"] })).toEqual({
      verdict: "deny",
      reason: "make: the run's policy refuses it",
    });
    expect(judge("maker all", { deny: ["make"] }).verdict).toBe("allow");
  });

  it("still refuses to write outside what is allowed by name", () => {
    expect(judge("touch ../x", { allow: ["touch"] }).verdict).toBe("deny");
  });

  it("has a reason for every rule, and no command twice", () => {
    const all = [...DENIED, ...ASKED];
    expect(all.every(({ reason }) => reason.length > 10)).toBe(true);
    expect(new Set(all.map(({ command }) => command)).size).toBe(all.length);
  });

  it("refuses what each of its own rules names", () => {
    for (const { command } of DENIED) expect([command, judge(`${command} x`).verdict]).toEqual([command, "deny"]);
    for (const { command } of ASKED) expect([command, judge(`${command} x`).verdict]).toEqual([command, "ask"]);
  });

  it("answers hostile lines quickly", () => {
    const started = performance.now();
    for (const piece of ["(", "$(", "`", "'", '"', "<<", "${", "&", ">", "\\", "((", "{"]) judge(piece.repeat(3_900));
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
