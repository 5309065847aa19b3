// A function called where it was to be handed on, and handed on where it was to be called.

import { isValue } from "../../syntax/value.ts";
import type { Operator } from "../operator.ts";
import { brief, replaceText } from "../proposal.ts";

/** `run()` for `run`, and the other way round. */
export const callings: Operator = function* (node, scene) {
  if (!isValue(node) || node.parent?.role === "express") return;
  const called = node.role === "call" ? node.child("function") : undefined;
  const isHandedOn = /^(?:arguments|keyword-argument|pair)$/.test(node.parent?.role ?? "");
  if (called && node.child("arguments")?.parts.length === 0 && isHandedOn)
    yield { ...replaceText(node, called.text, "call", 3.4), title: `hand ${brief(called.text)} on` };
  const isFunction =
    (node.role === "name" || node.role === "member") && node.field !== "function" && node.parent?.role !== "member";
  const name = node.role === "member" ? node.child("property")?.text : node.text;
  const declared = isFunction ? scene.functions.get(name ?? "") : undefined;
  const isProperty = declared?.parent?.role === "decorated" || declared?.children[0]?.type === "get";
  if (declared && !isProperty)
    yield { ...replaceText(node, `${node.text}()`, "call", 3.2), title: `call ${brief(node.text)}` };
};
