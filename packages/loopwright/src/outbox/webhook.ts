// A message as a signed POST, with the headers of Standard Webhooks. Redirects are not followed, and of an answer only its
// beginning counts. Nothing that is said of a try holds more of the address than its host.

import { createHmac } from "node:crypto";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Message, SendResult } from "@loopwright/core";

const MOST_ANSWER_BYTES = 64 * 1024;

/** Posts a message; signed where there is a secret. */
export async function post(
  message: Pick<Message, "id" | "body">,
  { url, secret }: { url: string; secret?: string | undefined },
  signal: AbortSignal,
): Promise<SendResult> {
  const address = new URL(url);
  try {
    return judge(await answerTo(address, headersOf(message, secret), message.body, signal), address.host);
  } catch (error) {
    if (signal.aborted) return { error: `${address.host} did not answer in time` };
    const { code } = error as NodeJS.ErrnoException;
    return { error: `${address.host} could not be reached (${code ?? "no answer that is HTTP"})` };
  }
}

/** What the receiver checks: the signature is over the id, the time and the body. */
function headersOf({ id, body }: Pick<Message, "id" | "body">, secret: string | undefined): Record<string, string> {
  const time = String(Math.floor(Date.now() / 1000));
  const headers = {
    "content-type": "application/json",
    "idempotency-key": id,
    "webhook-id": id,
    "webhook-timestamp": time,
  };
  if (secret === undefined) return headers;
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : secret;
  const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  return { ...headers, "webhook-signature": `v1,${signature}` };
}

/** The head of the answer. What comes after it is read up to a limit, so that the server can end in order. */
function answerTo(
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    const sent = request(url, { method: "POST", headers, signal, agent: false });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let left = MOST_ANSWER_BYTES;
      response.on("error", () => {});
      response.on("data", (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) response.destroy();
      });
      resolve(response);
    });
    sent.end(body);
  });
}

function judge({ statusCode: status = 0, headers }: IncomingMessage, host: string): SendResult {
  if (status >= 200 && status < 300) return {};
  const isRedirect = status >= 300 && status < 400;
  const error = `${host} answered ${status}${isRedirect ? ", and redirects are not followed" : ""}`;
  const wait = waitOf(headers["retry-after"]);
  return { error, ...(wait !== undefined && { wait }) };
}

/** The milliseconds of a Retry-After: seconds, or a date. */
function waitOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const wait = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now();
  return wait > 0 ? wait : undefined;
}
