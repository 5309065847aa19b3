// Secrets: what must never be written down, and how it is taken out of a text.
//
// A server or a program may echo a key in another form than it was given in; so each secret is looked for as it is, and
// URL-encoded, escaped for JSON and for HTML, in base64 (also as part of something longer) and in hex, in lines too.

import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { type Redact, redactTexts, SECRET_MARK } from "@loopwright/core";
import { type Wire, type WireAnswer, WireError } from "../wire/wire.ts";
import type { Endpoint } from "./configuration.ts";

export type { Redact };

/** Anything shorter would take ordinary words and numbers out of texts. */
const SHORTEST = 6;

/** Makes the function that takes these secrets out of a text; those of less than six characters are left alone. */
export function redactor(secrets: readonly string[]): Redact {
  const long = secrets.filter(({ length }) => length >= SHORTEST);
  if (long.length === 0) return (text) => text;
  const ofBytes = long.flatMap((secret) => bytesForms(Buffer.from(secret.toWellFormed())));
  // The mark itself comes first, so that a secret such as "secret" does not mangle a text that was redacted before.
  const pattern = anyOf([SECRET_MARK, ...longestFirst([...long.flatMap(formsOf), ...ofBytes])]);
  const broken = anyOf(longestFirst(ofBytes));
  return (text) => redactBroken(text.replace(pattern, SECRET_MARK), broken);
}

/** Takes out what a program has broken into lines, as `base64` and `xxd -p` do. */
function redactBroken(text: string, pattern: RegExp): string {
  if (!text.includes("\n")) return text;
  const parts = text.split(/(\r?\n[ \t]*)/);
  const found = [
    ...parts
      .filter((_, index) => index % 2 === 0)
      .join("")
      .matchAll(pattern),
  ];
  if (found.length === 0) return text;
  // Where each line begins in the text without breaks, and how much longer the text is by then.
  let [at, longer] = [0, 0];
  const lines = parts.flatMap((part, index) => {
    if (index % 2 === 1) longer += part.length;
    const line = { at, longer };
    if (index % 2 === 0) at += part.length;
    return index % 2 === 0 ? [line] : [];
  });
  const place = (position: number) => position + lines.findLast((line) => line.at <= position)!.longer;
  return found.reduceRight((left, { 0: { length }, index }) => {
    const [from, to] = [place(index), place(index + length - 1) + 1];
    return left.slice(0, from) + SECRET_MARK + left.slice(to);
  }, text);
}

function longestFirst(forms: readonly string[]): string[] {
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function anyOf(forms: readonly string[]): RegExp {
  return new RegExp(forms.map(literal).join("|"), "g");
}

/** A pattern that matches just this text. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** A wire whose answers and errors carry no secret, whatever the server echoes. */
export function redactWire(inner: Wire, redact: Redact): Wire {
  return async (request, call) => {
    try {
      const answer = await inner(request, { ...call, onText: (text) => call.onText(redact(text)) });
      return redactAnswer(answer, redact);
    } catch (error) {
      throw error instanceof WireError ? redactError(error, redact) : error;
    }
  };
}

/** An answer with the secrets taken out of every text in it. */
export function redactAnswer(answer: WireAnswer, redact: Redact): WireAnswer {
  const { text, reasoning, toolCalls, toolsRefused, model, finishReason } = answer;
  return {
    ...answer,
    text: redact(text),
    model: redact(model),
    finishReason: redact(finishReason),
    ...(reasoning !== undefined && { reasoning: redact(reasoning) }),
    ...(toolCalls && { toolCalls: redactTexts(toolCalls, redact) }),
    ...(toolsRefused !== undefined && { toolsRefused: redact(toolsRefused) }),
  };
}

/** The same failure in words without secrets; its cause is left behind, for it may hold the request. */
function redactError({ message, ...facts }: WireError, redact: Redact): WireError {
  const { status, isRetryable, retryAfter, received, lacksKey } = facts;
  return new WireError(redact(message), { status, isRetryable, retryAfter, received, lacksKey });
}

/** Every secret that the endpoints and the environment hold: keys, header values, and what is named like a key. */
export function secretsOf(
  endpoints: Readonly<
    Record<string, Pick<Endpoint, "url"> & { [Field in keyof Endpoint]?: Endpoint[Field] | undefined }>
  >,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const ofEndpoints = Object.values(endpoints).flatMap(({ kind, url, key, headers = {} }) => [
    ...(key === undefined ? [] : [key]),
    ...Object.entries(headers).flatMap(([name, value]) => (isPlainHeader(name) ? [] : secretsInHeader(value))),
    ...secretsInAddress(url),
    ...(kind === "command" ? secretsInCommandLine(url) : []),
  ]);
  const ofEnvironment = Object.entries(env).flatMap(([name, value = ""]) => [
    ...(isSecretName(name) && !isOrdinary(value) ? [value, ...longLines(value)] : []),
    ...(/HEADERS$/i.test(name) ? secretsInHeaderList(value) : []),
    ...secretsInAddress(value, isUsersName).filter((part) => !isOrdinary(part)),
  ]);
  const all = [...ofEndpoints, ...ofEnvironment].map((secret) => secret.trim());
  return [...new Set(all)].filter((secret) => secret.length >= SHORTEST);
}

/** Which of several a key is, as in `API_KEY_PROD`. */
const WHICH =
  "base|prod(?:uction)?|live|stag(?:e|ing)|dev(?:el(?:opment)?)?|test(?:ing)?|local|old|new|next|prev(?:ious)?|main|primary|secondary|backup|default";
const SECRET_NAME = new RegExp(
  `(?:key|token|secret|password|passwd|passphrase|credentials?|_pass|_pwd)(?:_(?:${WHICH}))?(?:_?v?\\d+)?$`,
  "i",
);

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Whether a value is what any text may hold: `PASSWORD=postgres` must not cost generated work its words. It is a word, a
 * number, or the path of a file that is there: where a key lies is no secret. */
function isOrdinary(value: string): boolean {
  const text = value.trim();
  return /^(?:[a-z]{1,12}|\d{1,8})$/i.test(text) || (isAbsolute(text) && existsSync(text));
}

/** The lines of a key that has several, each of which may be printed on its own. */
function longLines(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= 16 && !line.startsWith("-----"));
}

/** Headers that say what is spoken, not who speaks; their values are ordinary words. */
function isPlainHeader(name: string): boolean {
  return /^(?:accept(?:-.*)?|content-type|user-agent|anthropic-(?:version|beta)|http-referer|referer|x-title)$/i.test(
    name,
  );
}

/** A header's value, and what follows its scheme: `Bearer …`, or the name and password of `Basic …`. */
function secretsInHeader(value: string): string[] {
  const [, scheme = "", rest] = /^([A-Za-z][\w-]*)\s+(\S.*)$/.exec(value) ?? [];
  if (rest === undefined) return [value];
  if (scheme.toLowerCase() !== "basic") return [value, rest];
  const pair = Buffer.from(rest, "base64").toString();
  return [value, rest, pair, ...pair.split(":")];
}

/** The values of `name=value,name=value`, as OTEL_EXPORTER_OTLP_HEADERS has them, plain and decoded; a list of names has none. */
function secretsInHeaderList(list: string): string[] {
  return list
    .split(",")
    .filter((entry) => entry.includes("="))
    .map((entry) => entry.slice(entry.indexOf("=") + 1).trim())
    .flatMap((value) => [value, decoded(value)])
    .flatMap(secretsInHeader);
}

/** Whether who signs in is called by plain words, as in `postgres://app_user:…@db`: a program's texts are full of that. */
function isUsersName(user: string): boolean {
  return /^[a-z][a-z_.-]*\d{0,2}$/.test(user);
}

/** What stands before the @ of each address in a text, and the query's values that are named like keys. */
function secretsInAddress(text: string, isPlainUser: (user: string) => boolean = () => false): string[] {
  const addresses = text.match(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi) ?? [];
  return addresses.flatMap((address) => {
    const userinfo = /^[^/]*\/\/([^/?#]*)@/.exec(address)?.[1] ?? "";
    const colon = userinfo.indexOf(":");
    const [user, password] = [userinfo.slice(0, Math.max(0, colon)), userinfo.slice(colon + 1)];
    const parts = colon < 0 ? [userinfo] : [userinfo, ...(isPlainUser(user) ? [] : [user]), password];
    const query = /\?([^#]*)/.exec(address)?.[1]?.split("&") ?? [];
    const values = query.flatMap((pair) => {
      const [name = "", ...value] = pair.split("=");
      return isSecretName(name) || /^(?:auth|authorization|sig|signature|code)$/i.test(name) ? [value.join("=")] : [];
    });
    return [...parts, ...values].flatMap((part) => [part, decoded(part)]);
  });
}

/** What a command line hands over under a name like a key's: `--api-key …`, `API_KEY=…`. */
function secretsInCommandLine(line: string): string[] {
  const pattern = /([\w-]+)(?:=|\s+)(?:"([^"]*)"|'([^']*)'|(\S+))/g;
  const secrets: string[] = [];
  for (let match = pattern.exec(line); match; match = pattern.exec(line)) {
    const [whole, name = "", double, single, bare] = match;
    if (isSecretName(name)) secrets.push((double ?? single ?? bare)!);
    // The value may itself be the next name.
    else pattern.lastIndex = match.index + Math.max(1, whole.indexOf(name) + name.length);
  }
  return secrets;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Every form that a secret is looked for in. */
function formsOf(secret: string): string[] {
  const text = secret.toWellFormed();
  const encoded = encodeURIComponent(text);
  const strict = encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams({ "": text }).toString().slice(1);
  const urls = [encoded, strict, form].flatMap((url) => [url, url.replaceAll("%2F", "/")]);
  const escaped = [JSON.stringify(text).slice(1, -1), asciiJson(text)];
  return [
    secret,
    ...urls.flatMap((url) => [url, url.replace(/%../g, (code) => code.toLowerCase())]),
    ...escaped.flatMap((each) => [each, JSON.stringify(each).slice(1, -1)]),
    ...htmlForms(text),
  ];
}

/** The bytes of a secret as text. */
function bytesForms(bytes: Buffer): string[] {
  const hex = bytes.toString("hex");
  return [...base64Forms(bytes), hex, hex.toUpperCase()];
}

/** JSON as programs write it that keep to ASCII. */
function asciiJson(text: string): string {
  const code = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u007f-\uffff]/g, code);
}

/** A text in a page: programs differ in how they write quotes. */
function htmlForms(text: string): string[] {
  const plain = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return ['"', "&quot;", "&#34;"].flatMap((double) =>
    ["'", "&#39;", "&#x27;", "&apos;"].map((single) => plain.replaceAll('"', double).replaceAll("'", single)),
  );
}

/** The base64 of the bytes alone, and what never changes of it at each of the three places inside something longer. */
function base64Forms(bytes: Buffer): string[] {
  const whole = bytes.toString("base64");
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const isOwnEnd = (before + bytes.length) % 3 === 0;
    return text.slice([0, 2, 3][before], isOwnEnd ? undefined : -1);
  });
  const forms = [whole, ...inside];
  return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""))];
}
