// The schema of loopwright.yaml. docs/configuration.md is made from it.

import { type Outcome, outcomes } from "@loopwright/core";
import { presets } from "@loopwright/models/configuration";
import { z } from "zod";

/** How a run stands when it stops. */
const standings = ["waiting", ...(Object.keys(outcomes) as Outcome[])] as const satisfies string[];
export type Standing = (typeof standings)[number];

const amount = (words: string) => z.number().nonnegative().describe(words);
const count = (words: string) => z.int().positive().describe(words);
const name = z.string().regex(/^[a-z][a-z0-9-]*$/, "a name of a-z, 0-9 and -");

const endpoint = z
  .strictObject({
    preset: z
      .enum(Object.keys(presets) as [string, ...string[]])
      .describe("a server on this machine, at its usual address"),
    url: z.string().describe("the base address, such as http://127.0.0.1:8080/v1"),
    kind: z.enum(["openai-compatible", "openai", "anthropic"]).describe("what it speaks (openai-compatible)"),
    command: z.string().describe("a program that reads the prompt on stdin and prints the answer; outside any sandbox"),
    keyEnv: z.string().describe("the environment variable that holds its key"),
    headers: z.record(z.string(), z.string()).describe("sent along; $NAME stands for an environment variable"),
    concurrency: count("calls at once (1 on this machine, else 4)"),
    tools: z.boolean().describe("whether its models can be offered tools (yes at OpenAI and Anthropic, else no)"),
  })
  .partial();

const profile = z
  .strictObject({
    endpoint: z.string().describe("an endpoint's name; the default endpoint where it is left out"),
    model: z.string().describe("the model's name there; endpoint:model where no endpoint is given"),
    temperature: amount("0 to 2; holds over what a prompt says, as the next two do"),
    topP: amount("0 to 1"),
    maxTokens: count("the longest answer (4096)"),
    context: count("the context window in tokens, prompt and answer together (32768)"),
    tools: z.boolean().describe("whether it can be offered tools, whatever its endpoint says"),
    fallback: z.array(z.string()).describe("endpoint:model, tried in order when the endpoint stays dead"),
  })
  .partial();

export const ConfigurationSchema = z
  .strictObject({
    endpoints: z.record(name, endpoint).describe("where models are served, by name"),
    models: z.record(name, profile).describe("the model of each role; `default` serves every role without one"),
    retry: z
      .strictObject({
        waits: z.array(z.number().nonnegative()).describe("seconds before each try after the first ([2, 8, 32])"),
        timeout: z.number().positive().describe("seconds without a sign of life after which a call is given up (300)"),
      })
      .partial()
      .describe("model calls that fail"),
    prices: z
      .record(z.string(), z.strictObject({ input: amount("prompt"), output: amount("answer") }))
      .describe("dollars for a million tokens, by model name"),
    ceilings: z
      .strictObject({
        iterations: count("trips round the loop (20)"),
        minutes: amount("active wall clock of a run (720)"),
        tokens: amount("tokens of all model calls (2000000)"),
        usd: amount("dollars of all model calls (5)"),
        phaseMinutes: amount("active wall clock of one visit to one phase (120)"),
      })
      .partial()
      .describe("limits that stop a run; a loop's own limit holds where it is lower than a default"),
    notify: z
      .strictObject({
        command: z.string().describe("run with the message as one more argument"),
        webhook: z
          .url({ protocol: /^https?$/, error: "an address that begins with http:// or https://" })
          .describe("sent a POST with the message and how the run stands as JSON; [how it is signed](notify.md)"),
        secretEnv: z.string().describe("the environment variable that holds the secret which posts are signed with"),
        events: z.array(z.enum(standings)).describe("what is told of: outcomes, and waiting (all but superseded)"),
      })
      .partial()
      .describe("whom to tell when a run ends or waits at a gate"),
    sandbox: z
      .strictObject({
        readOnly: z.array(z.string()).describe("folders of the workspace that programs may read and not write"),
      })
      .partial()
      .describe("what generated programs may reach"),
    loops: z
      .record(name, z.string())
      .describe(
        "your own loops: a name, and a package or a path from this file; its default export is a loop or a loop package",
      ),
  })
  .partial();

export type ConfigurationValues = z.output<typeof ConfigurationSchema>;
