// A program that keeps exchanging a folder for a link to a folder outside, while the host works in the workspace.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "@loopwright/git";
import { describe, expect, it } from "vitest";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { Snapshots } from "../snapshots/snapshots.ts";
import { readPlain, removePath } from "./files.ts";
import { listFiles, readFiles, writeBlocks } from "./folder.ts";
import { ProtectedFiles } from "./protected.ts";

const SWAPPER = `
import os, sys, time
workspace, outside, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
os.chdir(workspace)
swaps, until = 0, time.time() + seconds
while time.time() < until:
    try:
        os.makedirs("src", exist_ok=True)
        os.rename("src", ".src-aside")
        os.symlink(outside, "src")
        os.stat("src/secret.txt")
        os.unlink("src")
        os.rename(".src-aside", "src")
        swaps += 1
    except OSError:
        for name in ["src", ".src-aside"]:
            if os.path.islink(name): os.unlink(name)
print(swaps)
`;

describe.skipIf(process.platform !== "linux")(
  "While a folder is exchanged for a link, thousands of times (on Linux)",
  () => {
    it("nothing outside is read, written or removed", { timeout: 180_000 }, async () => {
      const base = temporaryFolder();
      const [workspace, outside, gitDir] = [join(base, "workspace"), join(base, "outside"), join(base, "own.git")];
      const secret = "what nobody may read";
      fill(outside, { "secret.txt": secret, "a.py": secret, "deep/er/x.txt": secret });
      mkdirSync(workspace);
      fill(workspace, { "src/a.py": "1", "src/deep/er/x.txt": "2", "b.py": "3" });
      const snapshots = new Snapshots({ folder: workspace, gitDir });
      const id = await snapshots.take(null);
      const place = { folder: workspace, protected: new ProtectedFiles(workspace, []), hidden: [], ignore: [] };
      const swapper = spawn("python3", ["-c", SWAPPER, workspace, outside, "15"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let [told, rounds, isOver] = ["", 0, false];
      swapper.stdout.on("data", (chunk) => {
        told += chunk;
      });
      const ended = once(swapper, "close").then(() => {
        isOver = true;
      });
      const seen: string[] = [];
      const work: (() => unknown)[] = [
        () => snapshots.take(null),
        () => snapshots.restore(id),
        async () => seen.push(JSON.stringify(await readFiles(place))),
        () => seen.push(String(readPlain(workspace, "src/secret.txt") ?? "")),
        () => seen.push(String(readPlain(workspace, "src/deep/er/x.txt") ?? "")),
        async () => seen.push(JSON.stringify(await listFiles(place))),
        () => writeBlocks(place, [{ path: "src/a.py", content: "new" }]),
        () => writeBlocks(place, [{ path: "src/deep/er/new.py", content: "new" }]),
        async () => snapshots.place(["src/a.py", "src/deep/er/x.txt", "src/secret.txt"], await snapshots.tree(id)),
        () => removePath(workspace, "src/secret.txt"),
        () => removePath(workspace, "src/deep"),
        () => place.protected.write("src/test_a.py", "pass"),
        () => place.protected.putBack(),
      ];
      for (; !isOver; rounds++) {
        try {
          await work[rounds % work.length]!();
        } catch {
          // What is exchanged under one's hands may fail: the question is what was reached.
        }
        await new Promise(setImmediate);
      }
      await ended;
      expect(seen.join("\n")).not.toContain(secret);
      expect(seen.join("\n")).not.toContain("secret.txt");
      expect(readdirSync(outside, { recursive: true }).sort()).toEqual(
        ["a.py", "deep", "deep/er", "deep/er/x.txt", "secret.txt"].sort(),
      );
      for (const path of ["secret.txt", "a.py", "deep/er/x.txt"]) {
        expect(readFileSync(join(outside, path), "utf8")).toBe(secret);
      }
      const blob = createHash("sha1").update(`blob ${secret.length}\0${secret}`).digest("hex");
      await expect(runGit(["cat-file", "-e", blob], { gitDir })).rejects.toThrow();
      expect(existsSync(join(outside, "new.py"))).toBe(false);
      expect(Number(told)).toBeGreaterThan(2_000);
      expect(rounds).toBeGreaterThan(100);
    });
  },
);
