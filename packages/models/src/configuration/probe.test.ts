import { expect, it } from "vitest";
import { endpointAt } from "../../../../test/fakes/wire.ts";
import type { WireAnswer } from "../wire/wire.ts";
import { probeEndpoint } from "./probe.ts";

const faultOf = async (answer: Partial<WireAnswer>) => {
  const all = { text: "", model: "m", finishReason: "stop", firstMs: 1, ms: 2, ...answer };
  return (await probeEndpoint(endpointAt("my-model --fast", { kind: "command" }), "m", async () => all)).fault;
};

it.each<[string, Partial<WireAnswer>, string | undefined]>([
  ["nothing", {}, "the command 'my-model --fast' answered with nothing"],
  ["white space", { text: " \n\t\n" }, "the command 'my-model --fast' answered with nothing"],
  ["NUL bytes", { text: "\0".repeat(3_000_000) }, "answered with 3000000 characters, and none that can be read"],
  ["what is no UTF-8", { text: "\ufffd\u0001\n" }, "answered with 3 characters, and none that can be read"],
  ["a word", { text: "\0one" }, undefined],
  ["another script", { text: "一" }, undefined],
  ["thoughts that used up its room", { reasoning: "hm", finishReason: "length" }, undefined],
])("A model that answers %s is told by its probe", async (_, answer, fault) => {
  const found = await faultOf(answer);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});
