// A gate's own webhook is told of an escalation, through the real binary.

import { expect, it } from "vitest";
import { createIssue, fabProject } from "../fakes/fab-project.ts";
import { Receiver, SECRET } from "../fakes/receiver.ts";

const env = { HOOK_SECRET: SECRET };

async function escalating(notify_webhook: string) {
  const at = await fabProject({
    ways: ["a wheel missing"],
    gate: ({ iteration }) => ({ iteration: { ...iteration, max_iterations: 0, escalation: { notify_webhook } } }),
  });
  await at.write("loopwright.yaml", "notify: { secretEnv: HOOK_SECRET }\n");
  return { at, issue: await createIssue(at) };
}

it("a gate's own webhook is told of an escalation once, signed: issue, run, iteration, verdict, scores and codes", async () => {
  using receiver = await Receiver.start();
  const { at, issue } = await escalating(receiver.url);
  using _ = at;
  const words = `fab ${issue} --from start.glb`;
  expect((await at.cli(words, { env })).code).toBe(5);
  expect((await at.cli(words, { env })).code).toBe(5);
  expect(receiver.got).toMatchObject([
    {
      isSigned: true,
      body: {
        text: expect.stringContaining("a person must look: max_iterations_exceeded"),
        ...{ issue_id: issue, run_id: at.runs()[0], iteration_index: 0, verdict: "fail" },
        scores: { overall: expect.any(Number), by_critic: { geometry: expect.any(Number) }, threshold: 0.75 },
        last_fail_codes: expect.arrayContaining(["GEO_WHEEL_COUNT_LOW"]),
      },
    },
  ]);
});

it("it waits where the secret is not set, and needs trust", async () => {
  using receiver = await Receiver.start();
  const { at, issue } = await escalating(receiver.url);
  using _ = at;
  const untrusted = await at.cli(`fab ${issue} --from start.glb`, { isTrusted: false });
  expect(untrusted).toMatchObject({ code: 2, stderr: expect.stringContaining(`notify_webhook: ${receiver.url}`) });
  expect(at.runs()).toEqual([]);
  const ended = await at.cli(`fab ${issue} --from start.glb`);
  expect(ended).toMatchObject({ code: 5, stderr: expect.stringContaining("$HOOK_SECRET") });
  expect(receiver.got).toEqual([]);
  await at.cli("runs", { env });
  expect(receiver.got).toMatchObject([{ isSigned: true }]);
});
