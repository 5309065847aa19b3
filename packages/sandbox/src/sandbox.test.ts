import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openSandbox } from "./sandbox.ts";
import type { Limits, SandboxJob } from "./types.ts";

const limits: Limits = {
  wallMs: 10_000,
  cpuMs: 10_000,
  memoryBytes: 2 ** 29,
  processes: 100,
  fileBytes: 2 ** 24,
  outputChars: 5_000,
};

const path = process.env.PATH;
const folder = mkdtempSync(join(tmpdir(), "loopwright-sandbox-"));
const newFolder = () => mkdtempSync(join(folder, "f-"));
afterEach(() => {
  process.env.PATH = path;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Puts a program called bwrap first on the PATH, in place of the real one. */
function installBwrap(script: string): void {
  process.env.PATH = newFolder();
  writeFileSync(join(process.env.PATH, "bwrap"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

describe.skipIf(process.platform !== "linux")("Opening the sandbox (on Linux)", () => {
  it("says what to install where bubblewrap is missing, and that there is another way", async () => {
    process.env.PATH = newFolder();
    await expect(openSandbox("bwrap")).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: expect.stringMatching(/not installed.*package 'bubblewrap'.*--sandbox none/),
    });
  });

  it("says what must be allowed where no namespaces can be made", async () => {
    installBwrap("echo 'bwrap: No permissions to create new namespace' >&2; exit 1");
    await expect(openSandbox("bwrap")).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: expect.stringMatching(
        /No permissions to create new namespace.*unprivileged_userns_clone.*apparmor_restrict_unprivileged_userns.*--sandbox none/,
      ),
    });
  });

  it("is not taken in by a bubblewrap that runs nothing", async () => {
    installBwrap("exit 0");
    await expect(openSandbox("bwrap")).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
  });

  it("tries again when what was missing has come", async () => {
    installBwrap("exit 1");
    await expect(openSandbox("bwrap")).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
    writeFileSync(join(process.env.PATH!, "bwrap"), "#!/bin/sh\necho other >&2; exit 1\n");
    await expect(openSandbox("bwrap")).rejects.toThrow(/other/);
  });
});

describe.skipIf(process.platform === "win32")("No sandbox, where the user says so", () => {
  const run = async (script: string, more: Partial<SandboxJob> = {}) => {
    const sandbox = await openSandbox("none");
    const signal = AbortSignal.timeout(30_000);
    return sandbox.run({
      command: ["sh", "-c", script],
      workspace: newFolder(),
      readOnly: [],
      limits,
      signal,
      ...more,
    });
  };

  it("runs a program with a clean environment", async () => {
    process.env.LOOPWRIGHT_TEST_SECRET = "do not tell";
    const { output, code } = await run("env; echo to stderr >&2; exit 4");
    delete process.env.LOOPWRIGHT_TEST_SECRET;
    expect(code).toBe(4);
    expect(output).toContain("to stderr");
    expect(output).not.toContain("do not tell");
  });

  it("knows the paths that a job would have inside, and tells no others", async () => {
    const [workspace, reports] = [newFolder(), newFolder()];
    writeFileSync(join(workspace, "a.txt"), "in the workspace\n");
    const script = "cat /workspace/a.txt; pwd -P; echo x > /reports/x; echo $PLACE; echo /workspaces /reports2";
    const more = { workspace, writable: { "/reports": reports }, env: { PLACE: "/reports/x" } };
    expect((await run(script, more)).output).toBe("in the workspace\n/workspace\n/reports/x\n/workspaces /reports2\n");
    expect(readFileSync(join(reports, "x"), "utf8")).toBe("x\n");
  });

  it("holds the limits", async () => {
    expect(await run("sleep 30", { limits: { ...limits, wallMs: 200 } })).toMatchObject({
      code: null,
      stopped: /longer/,
    });
    expect(await run("while :; do :; done", { limits: { ...limits, cpuMs: 200 } })).toMatchObject({ stopped: /CPU/ });
    const { output } = await run("yes | head -c 100000");
    expect(output).toMatch(/characters left out/);
  });

  it("leaves no process behind, not even one that has left its session", async () => {
    const workspace = newFolder();
    const beat = "while :; do echo x >> alive; sleep 0.01; done";
    await run(`setsid sh -c '${beat}' < /dev/null > /dev/null 2>&1 & while ! test -e alive; do sleep 0.01; done`, {
      workspace,
    });
    const { size } = statSync(join(workspace, "alive"));
    await wait(150);
    expect(statSync(join(workspace, "alive")).size).toBe(size);
  });

  it("rejects with the reason when it is aborted", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error("enough")), 100);
    await expect(run("trap '' TERM; sleep 30 & sleep 30", { signal: abort.signal })).rejects.toThrow("enough");
  });

  it("removes protected files that had not been there", async () => {
    const outcome = await run("touch conftest.py own.py", { readOnly: ["conftest.py"] });
    expect(outcome.removed).toEqual(["conftest.py"]);
  });
});
