// Secrets: what must never be written down, and how it is taken out of a text, in whatever form a server or a program echoes it.

import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { type Redact, SECRET_MARK } from "@loopwright/core";
import type { Endpoint } from "./configuration.ts";

/** Anything shorter would take ordinary words and numbers out of texts. */
const SHORTEST = 6;

/** Makes the function that takes these secrets out of a text; those of less than six characters are left alone. What a form of a
 * secret is never without is looked for before the form is, which is quick: hardly any text holds one. */
export function redactor(secrets: readonly string[]): Redact {
  const long = [...new Set(secrets)].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length);
  const known = long.flatMap((secret) => {
    const bytes = Buffer.from(secret.toWellFormed());
    const hex = bytes.toString("hex");
    const [run = ""] = (secret.match(/\w+/g) ?? []).sort((a, b) => b.length - a.length);
    const inHex: [string, string] = [hex.slice(0, 12), inLines([...hex].map(anyCase))];
    const forms = [[run, textForm(secret)], inHex, ...[0, 1, 2].map((before) => base64Form(bytes, before))] as const;
    // The mark itself comes first, so that a secret such as "secret" does not mangle a text that was redacted before.
    return forms.map(([sign, form]) => ({
      sign: bare(sign),
      pattern: new RegExp(`${literal(SECRET_MARK)}|${form}`, "g"),
    }));
  });
  return (text) => {
    const plain = known.length > 0 ? bare(text) : "";
    const held = known.filter(({ sign }) => plain.includes(sign));
    return held.reduce((left, { pattern }) => left.replace(pattern, SECRET_MARK), text);
  };
}

/** A text without breaks, and without what differs from one way of writing to another. */
const bare = (text: string) => text.toLowerCase().replace(/\r?\n[ \t]*|[-+_/]/g, "");
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
const anyCase = (hex: string) => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
const inLines = (signs: string[]) => signs.join("(?:\\r?\\n[ \\t]*)?");

/** How signs are written beside the ways that hold for all: in pages, in JSON, in forms. */
const OTHERWISE: readonly [RegExp, string][] = [
  [/[&<>"']/, "&(?:amp|lt|gt|quot|apos|#34|#39|#x27);"],
  [/[\n\r\t]/, "\\\\{1,3}[nrt]"],
  [/ /, "\\+"],
];

/** A secret as text: as it is, and each of its signs as addresses, forms, JSON, JSON in JSON and pages write it. */
function textForm(secret: string): string {
  return secret.replace(/\W/gsu, (char) => {
    const inUrl = Buffer.from(char)
      .toString("hex")
      .replace(/../g, (byte) => `%${anyCase(byte)}`);
    const code = (unit: string) => anyCase(unit.charCodeAt(0).toString(16).padStart(4, "0"));
    const inJson = char.replace(/./gs, (unit) => `\\\\{1,3}u${code(unit)}`);
    const more = OTHERWISE.flatMap(([signs, form]) => (signs.test(char) ? [form] : []));
    return `(?:${[`\\\\{0,3}${literal(char)}`, inUrl, inJson, ...more].join("|")})`;
  });
}

/** Bytes in base64, alone or that many bytes into something longer, and how they begin there. */
function base64Form(bytes: Buffer, before: number): [sign: string, form: string] {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64url");
  const text = whole.slice([0, 2, 3][before]);
  const signs = [...text].map((sign) => ({ "-": "[+-]", _: "[/_]" })[sign] ?? sign);
  // What follows in something longer changes the last sign.
  const last = (before + bytes.length) % 3 === 0 ? "" : `(?:${signs.pop()}={0,2})?`;
  return [text.slice(0, 6), inLines(signs) + last];
}

/** Which of several a key is, as in `API_KEY_PROD`. */
const WHICH =
  "base|prod(?:uction)?|live|stag(?:e|ing)|dev(?:el(?:opment)?)?|test(?:ing)?|local|old|new|next|prev(?:ious)?|main|primary|secondary|backup|default";
const NAME = `(?:key|token|secret|password|passwd|passphrase|credentials?|_pass|_pwd)(?:_(?:${WHICH}))?(?:_?v?\\d+)?`;
const SECRET_NAME = new RegExp(`${NAME}$`, "i");
/** What a query or a command line hands over under a name like a key's: `--api-key …`, `API_KEY=…`. */
const NAMED = new RegExp(
  `(?:${NAME}|[?&](?:auth|authorization|sig|signature|code))(?:=|\\s+)(?:"([^"]*)"|'([^']*)'|([^\\s&#]+))`,
  "gi",
);
const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;
/** Headers that say what is spoken, not who speaks; their values are ordinary words. */
const PLAIN_HEADER =
  /^(?:accept(?:-.*)?|content-type|user-agent|anthropic-(?:version|beta)|http-referer|referer|x-title)$/i;

/** Every secret that the endpoints and the environment hold: keys, header values, and what is named like a key. */
export function secretsOf(
  endpoints: Readonly<Record<string, Pick<Endpoint, "url"> & Partial<Endpoint>>>,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const ofEndpoints = Object.values(endpoints).flatMap(({ url, key = "", headers = {} }) => [
    key,
    ...Object.entries(headers).flatMap(([name, value]) => (PLAIN_HEADER.test(name) ? [] : secretsInHeader(value))),
    ...secretsInLine(url),
  ]);
  const ofEnvironment = Object.entries(env).flatMap(([name, value = ""]) => {
    // Each line of a key that has several may be printed on its own.
    const lines = value.split(/\r?\n/).filter((line) => line.trim().length >= 16 && !line.startsWith("-----"));
    // `name=value,name=value`, as OTEL_EXPORTER_OTLP_HEADERS has them; a list of names has none.
    const headers = /HEADERS$/i.test(name) ? [...decoded(value).matchAll(/=([^,]*)/g)] : [];
    return [
      ...(SECRET_NAME.test(name) ? [value, ...lines] : []),
      ...headers.flatMap(([, header]) => secretsInHeader(header!)),
      // A program's texts are full of who signs in, as in `postgres://app_user:…@db`.
      ...(value.match(ADDRESS) ?? []).flatMap((address) => secretsInLine(address, /^[a-z][a-z_.-]*\d{0,2}$/)),
    ];
  });
  // What any text may hold is none, or `PASSWORD=postgres` would cost generated work its words; nor is where a key lies.
  const isOrdinary = (text: string) =>
    /^(?:[a-z]{1,12}|\d{1,8})$/i.test(text) || (isAbsolute(text) && existsSync(text));
  const all = [...ofEndpoints, ...ofEnvironment.filter((secret) => !isOrdinary(secret.trim()))];
  return [...new Set(all.map((secret) => secret.trim()))].filter((secret) => secret.length >= SHORTEST);
}

/** A header's value, and what follows its scheme: `Bearer …`, or the name and password of `Basic …`. */
function secretsInHeader(value: string): string[] {
  const [, scheme = "", rest] = /^([A-Za-z][\w-]*)\s+(\S.*)$/.exec(value) ?? [];
  if (rest === undefined) return [value];
  if (scheme.toLowerCase() !== "basic") return [value, rest];
  const pair = Buffer.from(rest, "base64").toString();
  return [value, rest, pair, ...pair.split(":")];
}

/** What stands before the @ of each address in a line, and what it names like a key. */
function secretsInLine(line: string, plainUser = /^$/): string[] {
  const users = [...line.matchAll(/:\/\/([^/?#\s"'<>]*)@/g)].flatMap(([, whole = ""]) => {
    const [user = "", ...password] = whole.split(":");
    return [whole, ...(plainUser.test(user) ? [] : [user]), password.join(":")];
  });
  const named = [...line.matchAll(NAMED)].map(([, ...values]) => values.join(""));
  return [...users, ...named].flatMap((part) => [part, decoded(part)]);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
