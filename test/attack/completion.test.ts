// Completion in a folder that came from elsewhere: what its journal calls its runs is only words to a shell.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Folder } from "../fakes/cli.ts";

it.each(["`./mark.sh`", "$(./mark.sh)", "a;./mark.sh", "$[$(./mark.sh)]", "<(./mark.sh)"])(
  "bash runs nothing for a run that is called %s",
  async (name) => {
    using at = new Folder();
    const script = (await at.cli("completion bash")).stdout;
    const bin = mkdtempSync(join(tmpdir(), "loopwright-bin-"));
    try {
      mkdirSync(join(at.dir, "x"));
      await at.write("mark.sh", "#!/bin/sh\ntouch ran\n");
      chmodSync(join(at.dir, "mark.sh"), 0o755);
      writeFileSync(join(bin, "loopwright"), `#!/bin/sh\necho '${name}'\necho 20260102-030405_boat\n`, { mode: 0o755 });
      const asked = `${script}\nCOMP_WORDS=(loopwright show 2); COMP_CWORD=2; _loopwright; echo "\${COMPREPLY[@]}"\nCOMP_WORDS=(loopwright show ''); _loopwright`;
      const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
      const output = execFileSync("bash", ["-c", asked], { cwd: at.dir, env, encoding: "utf8" });
      expect(output).toContain("20260102-030405_boat");
      expect(at.has("ran")).toBe(false);
    } finally {
      rmSync(bin, { recursive: true });
    }
  },
);
