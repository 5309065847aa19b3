// The block `code` of loopwright.yaml, over which a flag holds, and what the package's commands print with --json.

import { MaxRetries } from "@loopwright/core";
import { z } from "zod";

/** Rounds of looking: where nothing is said, and at most. */
export const DEFAULT_LOOKS = 4;
export const MOST_LOOKS = 20;

/** The time that a proof may take, as a multiple of the tests'. */
export const DEFAULT_PROOF = 3;

const most = (limit: number) => z.int().positive().max(limit);
const commands = (what: string) => z.array(z.string().min(1)).describe(`commands that ${what}`);

export const CodeConfiguration = z
  .strictObject({
    task: z.string().describe("the task's file (task.md)"),
    philosophy: z.string().describe("what stands before every prompt (philosophy.md)"),
    workspace: z.string().describe("where the program is written (workspace)"),
    minIterations: z
      .int()
      .positive()
      .describe("the least number of iterations before it may be done (2; 1 where tests are given or held out)"),
    looks: z
      .int()
      .min(0)
      .max(MOST_LOOKS)
      .describe(
        "how often the planner, and in each iteration the implementer, may ask to see more first (4; 0: never)",
      ),
    tests: z.array(z.string()).describe("given tests; no model writes any"),
    heldOut: z.array(z.string()).describe("tests that no model sees, and that decide"),
    test: z
      .string()
      .describe("what runs the tests: pytest, unittest, node, vitest, jest, or a command (found by what is there)"),
    testReport: z
      .string()
      .describe(
        "the file that this command writes its tests to, as JUnit XML or TAP; without, it is one test, by its exit code",
      ),
    allowFailing: z.boolean().describe("go on without tests that the sandbox keeps from passing (no)"),
    allowUnseen: z.boolean().describe("let changed lines pass that no test of the repository executes (no)"),
    dependencies: z
      .array(z.string())
      .describe("folders of installed packages beside .venv and node_modules: seen read-only, never copied"),
    max_retries: MaxRetries,
    proof: z
      .strictObject({
        budget: z
          .string()
          .regex(/^\d+(?:\.\d+)?x$/)
          .describe(
            "the time that a proof may take, as a multiple of the tests' (3x, and 20 seconds at least; 0x: none)",
          ),
      })
      .partial()
      .describe("what is shown of a result beside its tests"),
    setup: z
      .array(z.string().min(1))
      .describe(
        "commands that install what the program needs (`npm ci`, `pip install -r requirements.txt`): run in the sandbox with the network, once for each state of the lock files",
      ),
    limits: z
      .strictObject({
        seconds: most(86_400).describe("by the clock (120; a whole suite 900)"),
        cpuSeconds: most(864_000).describe("of the processor (240; a whole suite 3,600)"),
        memoryMb: most(262_144).describe("of memory (2,048)"),
        processes: most(32_768).describe("at once (256)"),
        fileMb: most(65_536).describe("the largest file that may be written (256)"),
        outputChars: most(1_000_000).describe("of output that is kept (20,000)"),
      })
      .partial()
      .describe("what one command or test run may use"),
    policy: z
      .strictObject({
        allow: commands("may run, although they are refused as a rule"),
        ask: commands("are refused until they are allowed here"),
        deny: commands("are refused"),
      })
      .partial()
      .describe("which commands of a model's may run, by their beginnings: `git push` is about `git push origin` too"),
    sandbox: z.enum(["bwrap", "none"]).describe("none: programs run with your rights (bwrap)"),
  })
  .partial();
export type CodeConfiguration = z.output<typeof CodeConfiguration>;

/** What commands print with --json. */
export const documents = {
  estimate: z
    .object({
      rows: z.array(
        z.strictObject({
          scope: z.string(),
          minIterations: z.int().nonnegative(),
          seconds: z.record(z.string(), z.number()).describe("by tokens per second"),
          usd: z.number().nullable(),
          developer: z.string().describe("what a developer would need"),
          failures: z.string().describe("what usually goes wrong"),
        }),
      ),
      calls: z.array(z.strictObject({ call: z.string(), tokens: z.int(), seconds: z.record(z.string(), z.number()) })),
    })
    .describe("`loopwright code --estimate`"),
  prove: z
    .object({
      holds: z.boolean(),
      word: z.enum(["shown", "partly shown", "refuted"]),
      refusals: z.array(z.string()).describe("why it does not hold, a sentence each"),
      lines: z.array(z.strictObject({ name: z.string(), recorded: z.string(), now: z.string(), isSame: z.boolean() })),
    })
    .describe("`loopwright prove`"),
  amendments: z.object({ run: z.string(), amendments: z.array(z.json()) }).describe("`loopwright amendments`"),
};
