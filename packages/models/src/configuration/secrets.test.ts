import { randomStream, SECRET_MARK } from "@loopwright/core";
import { describe, expect, test } from "vitest";
import { redactWire, type WireAnswer, WireError, type WireRequest } from "../wire/wire.ts";
import type { Endpoint } from "./configuration.ts";
import { redactor, secretsOf } from "./secrets.ts";

const key = 'sk-ab+c/d"e f&é=42';

const endpoint = (fields: Partial<Endpoint>): Record<string, Endpoint> => ({
  one: { name: "one", kind: "openai-compatible", url: "http://h/v1", concurrency: 1, isLocal: true, ...fields },
});

describe("a redactor", () => {
  const redact = redactor([key]);
  const bytes = Buffer.from(key);

  test.each<[string, string]>([
    ["as it is", key],
    ["URL-encoded", encodeURIComponent(key)],
    ["URL-encoded with small letters", encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase())],
    ["as a form sends it", new URLSearchParams({ k: key }).toString().slice(2)],
    ["inside a JSON text", JSON.stringify({ key }).slice(8, -2)],
    ["inside a JSON text inside a JSON text", JSON.stringify(JSON.stringify({ key })).slice(12, -4)],
    ["in base64", bytes.toString("base64")],
    ["in base64 for URLs", bytes.toString("base64url")],
    ["in hex", bytes.toString("hex")],
    ["in hex with capitals", bytes.toString("hex").toUpperCase()],
  ])("takes out a secret %s", (_, form) => {
    expect(form.length).toBeGreaterThan(10);
    expect(redact(`before ${form} after ${form}`)).toBe(`before ${SECRET_MARK} after ${SECRET_MARK}`);
  });

  test.each([0, 1, 2, 3, 4, 5])("takes out a secret that stands %i bytes into something in base64", (before) => {
    for (const after of [0, 1, 2, 3]) {
      const longer = Buffer.concat([Buffer.alloc(before, "u"), bytes, Buffer.alloc(after, "z")]);
      const left = redact(longer.toString("base64"));
      expect(left).toContain(SECRET_MARK);
      expect(Buffer.from(left.replace(SECRET_MARK, ""), "base64").includes(key.slice(2, -2))).toBe(false);
      expect(left.length).toBeLessThanOrEqual(SECRET_MARK.length + 8 + 8);
    }
  });

  test("takes out the longer of two secrets that begin alike", () => {
    expect(redactor(["abcdef", "abcdefghi"])("abcdefghi abcdef")).toBe("[secret] [secret]");
  });

  test("leaves secrets of less than six characters alone, for they are ordinary words", () => {
    const text = "a short word";
    expect(redactor(["short", "", "a"])(text)).toBe(text);
  });

  test("does not take signs of a secret for those of a pattern", () => {
    expect(redactor(["a.c*e+g"])("abcde+g a.c*e+g")).toBe("abcde+g [secret]");
    expect(redactor(["((((((", "[a-z]{9}", "\\d\\d\\d"])("(((((( abcdefghi \\d\\d\\d")).toBe(
      "[secret] abcdefghi [secret]",
    );
  });

  test("changes nothing when it is applied again, even where a secret is the word 'secret'", () => {
    const twice = redactor(["secret", "secret]"]);
    expect(twice(twice("my secret"))).toBe("my [secret]");
  });

  test("takes half a surrogate pair as it comes", () => {
    expect(redactor(["\ud83d-broken"])("x \ud83d-broken y")).toBe("x [secret] y");
  });

  test("finds any key in any text in every form", () => {
    const random = randomStream(7, 0, "", "keys");
    const letters = "abcXYZ019-_/+=.~ \"'\\&%ü漢😀";
    for (let round = 0; round < 300; round += 1) {
      const length = 6 + Math.floor(random() * 40);
      const secret = Array.from({ length }, () => [...letters][Math.floor(random() * [...letters].length)]).join("");
      const buffer = Buffer.from(secret);
      const text = [
        secret,
        encodeURIComponent(secret),
        JSON.stringify(secret),
        buffer.toString("base64"),
        buffer.toString("hex"),
        `Basic ${Buffer.from(`user:${secret}`).toString("base64")}`,
      ].join("\n");
      const left = redactor([secret])(text);
      expect(left.split(SECRET_MARK).length).toBe(7);
      expect(left).not.toContain(secret);
    }
  });
});

describe("the secrets of endpoints and environment", () => {
  test("hold the endpoint's key", () => {
    expect(secretsOf(endpoint({ key: "key-in-file" }), {})).toEqual(["key-in-file"]);
  });

  test("hold header values, and what follows a scheme", () => {
    const headers = {
      Authorization: "Bearer token-one",
      "X-Team": "team-secret",
      "Proxy-Authorization": "Basic dXNlci0xOnBhc3Mtb25l",
    };
    expect(secretsOf(endpoint({ headers }), {})).toEqual([
      "Bearer token-one",
      "token-one",
      "team-secret",
      "Basic dXNlci0xOnBhc3Mtb25l",
      "dXNlci0xOnBhc3Mtb25l",
      "user-1:pass-one",
      "user-1",
      "pass-one",
    ]);
  });

  test("do not hold headers that only say what is spoken", () => {
    const headers = {
      "Content-Type": "application/json",
      "anthropic-version": "2023-06-01",
      Accept: "text/event-stream",
    };
    expect(secretsOf(endpoint({ headers }), {})).toEqual([]);
  });

  test("hold the credentials of an address, plain and decoded", () => {
    const url =
      "https://user-1:p%40ssword@host.example/v1?api_key=query-key&api-version=2024-10-21&sig=s%2Fignature#top";
    expect(secretsOf(endpoint({ url }), {})).toEqual([
      "user-1:p%40ssword",
      "user-1:p@ssword",
      "user-1",
      "p%40ssword",
      "p@ssword",
      "query-key",
      "s%2Fignature",
      "s/ignature",
    ]);
  });

  test("hold a token that stands alone before the @", () => {
    expect(secretsOf(endpoint({ url: "https://lone-token@host/v1" }), {})).toEqual(["lone-token"]);
  });

  test("hold what a command line hands over under the name of a key", () => {
    const url =
      "ask --model big --api-key 'quoted key' TOKEN=plain-token https://u:url-password@h/ --top-key=\"last-key\"";
    const found = secretsOf(endpoint({ kind: "command", url }), {});
    expect(found).toEqual(expect.arrayContaining(["quoted key", "plain-token", "url-password", "last-key"]));
    expect(found).not.toContain("--model");
    expect(found).not.toContain("big");
  });

  test("hold environment variables that are named like keys, and no others", () => {
    const env = {
      OPENAI_API_KEY: "openai-key",
      GITHUB_TOKEN: "github-token",
      client_secret: "client-secret",
      DB_PASSWORD: "db-password",
      PATH: "/usr/bin:/bin",
      KEYBOARD: "qwerty-layout",
      MAX_TOKENS: "100000",
      EMPTY_KEY: "",
      SHORT_KEY: "12345",
      GONE_KEY: undefined,
    };
    expect(secretsOf({}, env)).toEqual(["openai-key", "github-token", "client-secret", "db-password"]);
  });

  test("do not hold an ordinary word or number of the environment, for answers would lose it; an endpoint's key counts", () => {
    const env = {
      DB_PASSWORD: "postgres",
      PIN_TOKEN: "20260102",
      LONG_SECRET: "correcthorsebattery",
      MIXED_KEY: "abcde1",
    };
    expect(secretsOf({}, env)).toEqual(["correcthorsebattery", "abcde1"]);
    expect(secretsOf(endpoint({ key: "postgres" }), {})).toEqual(["postgres"]);
  });

  test("hold the credentials of addresses in the environment, and the headers for a collector", () => {
    const env = {
      HTTPS_PROXY: "http://proxy-user:proxy-pass@10.0.0.1:3128",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20otel-token,x-team=team-header",
    };
    expect(secretsOf({}, env)).toEqual(
      expect.arrayContaining(["proxy-pass", "proxy-user:proxy-pass", "otel-token", "Bearer otel-token", "team-header"]),
    );
  });

  test("do not hold what a program's texts are full of: a user's name, a plain password, a list of headers, a file that is there", () => {
    const env = {
      DATABASE_URL: "postgres://postgres:postgres@localhost:5432/app",
      OTHER_URL: "postgres://app_user:s3cret-word@db/app",
      TOKEN_URL: "https://Tk9-abcdef:x@host/",
      CORS_ALLOW_HEADERS: "Content-Type, Authorization",
      SSH_KEY: import.meta.filename,
      GONE_KEY: "/no/such/file-of-mine",
    };
    expect(secretsOf({}, env)).toEqual([
      "postgres:postgres",
      "app_user:s3cret-word",
      "s3cret-word",
      "Tk9-abcdef:x",
      "Tk9-abcdef",
      "/no/such/file-of-mine",
    ]);
  });

  test("hold keys by other usual names, and the lines of one that has several", () => {
    const env = {
      SECRET_KEY_BASE: "base-0123",
      API_KEY_2: "second-0123",
      SMTP_PASS: "smtp-0123",
      MYSQL_PWD: "mysql-0123",
      PWD: "/usr/share-0123",
      COMPASS: "north-0123",
      SIGNING_KEY: "-----BEGIN KEY-----\nMIIBVgIBADANBgkqhkiG\nshort\n-----END KEY-----",
    };
    expect(secretsOf({}, env)).toEqual([
      "base-0123",
      "second-0123",
      "smtp-0123",
      "mysql-0123",
      env.SIGNING_KEY,
      "MIIBVgIBADANBgkqhkiG",
    ]);
  });

  test("are trimmed, for a key in a file often ends in a line break", () => {
    expect(secretsOf({}, { A_KEY: "key-with-break\n" })).toEqual(["key-with-break"]);
  });
});

describe("a wire without secrets", () => {
  const redact = redactor([key]);
  const request: WireRequest = { endpoint: "one", model: "m", prompt: "p", images: [], maxTokens: 1 };
  const answer: WireAnswer = {
    text: `t ${key}`,
    reasoning: `r ${key}`,
    model: `m ${key}`,
    finishReason: "stop",
    firstMs: 1,
    ms: 2,
  };
  const call = (seen: string[]) => ({
    signal: new AbortController().signal,
    onText: (text: string) => void seen.push(text),
    idempotencyKey: "k",
    ordinal: "1/a",
  });

  test("answers, and shows what streams, with secrets taken out", async () => {
    const seen: string[] = [];
    const wire = redactWire(async (_, { onText }) => {
      onText(`so far ${key}`);
      return answer;
    }, redact);
    expect(await wire(request, call(seen))).toEqual({
      ...answer,
      text: "t [secret]",
      reasoning: "r [secret]",
      model: "m [secret]",
    });
    expect(seen).toEqual(["so far [secret]"]);
  });

  test("sends the request as it is", async () => {
    let sent: WireRequest | undefined;
    const wire = redactWire(async (given) => {
      sent = given;
      return answer;
    }, redact);
    await wire({ ...request, prompt: `use ${key}` }, call([]));
    expect(sent?.prompt).toBe(`use ${key}`);
  });

  test("fails with the same facts and no secret, not even in a cause", async () => {
    const cause = new Error(`body ${key}`);
    const wire = redactWire(async () => {
      throw new WireError(`401: ${key}`, { status: 401, isRetryable: false, retryAfter: 3, cause });
    }, redact);
    const error = (await wire(request, call([])).catch((thrown: unknown) => thrown)) as WireError;
    expect(error).toBeInstanceOf(WireError);
    expect(error).toMatchObject({ message: "401: [secret]", status: 401, isRetryable: false, retryAfter: 3 });
    expect(error.cause).toBeUndefined();
  });

  test("lets an abort through as it came", async () => {
    const reason = new Error("stopped");
    const wire = redactWire(async () => {
      throw reason;
    }, redact);
    await expect(wire(request, call([]))).rejects.toBe(reason);
  });
});
