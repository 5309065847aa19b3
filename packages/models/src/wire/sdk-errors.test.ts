import { describe, expect, test } from "vitest";
import { endpointAt } from "../../../../test/fakes/wire.ts";
import { redactor } from "../configuration/secrets.ts";
import { clean, placeOf, retryAfterOf, stallError, toWireError } from "./sdk-errors.ts";
import { failed, failureOf } from "./transport.ts";

const told = { endpoint: endpointAt("http://127.0.0.1:1234/v1"), model: "m", redact: redactor(["sk-0123456789"]) };

describe("Retry-After", () => {
  const date = "Sun, 06 Nov 1994 08:49:37 GMT";
  const cases: [headers: Record<string, string>, seconds: number | undefined][] = [
    [{ "retry-after": "30" }, 30],
    [{ "retry-after": " 1.5 " }, 1.5],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after-ms": "1250" }, 1.25],
    [{ "retry-after-ms": "1250", "retry-after": "30" }, 1.25],
    [{ "retry-after-ms": "soon", "retry-after": "30" }, 30],
    [{ "retry-after": "Sun, 06 Nov 1994 08:50:37 GMT", date }, 60],
    [{ "retry-after": "Sun, 06 Nov 1994 08:48:37 GMT", date }, 0],
    [{ "retry-after": "later" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{}, undefined],
  ];
  test.each(cases)("%j comes to %s seconds", (headers, seconds) => {
    expect(retryAfterOf(headers)).toEqual(seconds);
  });

  test("as a date without the server's own is counted from now", () => {
    const soon = new Date(Date.now() + 90_000).toUTCString();
    expect(retryAfterOf({ "retry-after": soon })).toBeGreaterThan(85);
    expect(retryAfterOf({ "retry-after": soon })).toBeLessThanOrEqual(91);
  });
});

describe("an endpoint in a message", () => {
  test("has its address without credentials, query or fragment", () => {
    const place = placeOf(endpointAt("https://me:pass@host.example:8443/v1/?key=abc#x"));
    expect(place).toBe("local (https://host.example:8443/v1/)");
  });

  test("that is a command has its program, and no arguments", () => {
    const place = placeOf(endpointAt("  curl -H 'Authorization: Bearer abc' http://x", { kind: "command" }));
    expect(place).toBe("local (command curl)");
  });

  test("with an address that is none has its name", () => {
    expect(placeOf(endpointAt("::"))).toBe("local");
  });
});

test("Statuses after which another try may help are those of the policy.", () => {
  const all = Array.from({ length: 500 }, (_, n) => n + 100).filter(
    (status) => failed(failureOf(status), "").isRetryable,
  );
  expect(all).toEqual([408, 409, 429, ...Array.from({ length: 100 }, (_, n) => n + 500)]);
});

test("Words of others lose their secrets before they are cut, so that no half of one stays.", () => {
  const words = clean(`${"x".repeat(494)} sk-0123456789 and more\n\nof it`, told.redact);
  expect(words).toBe(`${"x".repeat(494)} [secr…`);
  expect(clean(" a\n b\t c ", told.redact)).toBe("a b c");
});

test("A stall says how long nothing was heard.", () => {
  const error = stallError(300_000, told);
  expect(error.message).toBe("local (http://127.0.0.1:1234/v1), asked for m, stalled: no sign of life for 300 s");
  expect(error.isRetryable).toBe(true);
});

describe("whatever is thrown", () => {
  test.each([
    [{ error: "Bad" }, "Bad"],
    [{ error: { message: "Worse" } }, "Worse"],
    [{ message: "Worst" }, "Worst"],
    [{ detail: [{ msg: "field required" }] }, '{"detail":[{"msg":"field required"}]}'],
  ])("with the body %j says %s", (body, words) => {
    const error = Object.assign(new Error("x"), { statusCode: 400, responseBody: JSON.stringify(body) });
    expect(toWireError(error, told).message).toMatch(new RegExp(`answered 400: ${words.replaceAll(/[[\]{}]/g, ".")}$`));
  });

  test.each([undefined, null, "words", 7, { odd: true }])("such as %j becomes an error of the wire", (thrown) => {
    const error = toWireError(thrown, told);
    expect(error.message).toMatch(/^local \(http:\/\/127\.0\.0\.1:1234\/v1\), asked for m, broke off its answer: /);
    expect(error.isRetryable).toBe(true);
  });

  test("of the socket is told by the innermost error, or its code where that has no words", () => {
    const refused = Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" });
    const error = new Error("Cannot connect to API", { cause: refused });
    expect(toWireError(error, told)).toMatchObject({
      message: expect.stringMatching(/cannot be reached: ECONNREFUSED$/),
      isRetryable: true,
    });
  });

  test("carries nothing of the SDK's error but the words", () => {
    const error = Object.assign(new Error("denied for sk-0123456789"), {
      statusCode: 401,
      requestBodyValues: { messages: ["a private prompt"] },
      responseHeaders: { "set-cookie": "session=1" },
    });
    const wireError = toWireError(error, told);
    const everything = JSON.stringify(wireError, Object.getOwnPropertyNames(wireError));
    expect(everything).not.toMatch(/sk-0123456789|private|session/);
    expect(wireError.message).toMatch(/answered 401: denied for \[secret\]$/);
  });
});
