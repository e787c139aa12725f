import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import { allowedAddresses, RefusedAddress, type Resolve, systemResolve } from './addresses';

/** Milliseconds (contract B11). */
const TIMEOUT = 15_000;
/** Milliseconds. A slower body is no failure, because only the status decides the outcome. */
const BODY_TIMEOUT = 1_000;
const MAX_BODY_BYTES = 4_096;
/** Characters to store. */
const STORED = 1_024;

export type Sender = { agents: { http: http.Agent; https: https.Agent }; allowLoopback: boolean; resolve: Resolve };

/** `error` is null after a success, `status` without a response. `answer` is the start of the body. */
export type Outcome = {
  status: number | null;
  error: string | null;
  answer: string | null;
  retryAfter: string | undefined;
};

/** Creates a sender, which resolves and checks the host for each attempt, in case its DNS entry changed (B11). */
export function createSender({ allowLoopback, resolve }: { allowLoopback: boolean; resolve: Resolve }): Sender {
  const lookup: LookupFunction = (host, options, callback) => {
    allowedAddresses(host, { allowLoopback, resolve }).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      },
      (error: Error) => callback(error, []),
    );
  };
  // A hung connection does not delay other attempts.
  const options = { keepAlive: false, lookup };
  return { agents: { http: new http.Agent(options), https: new https.Agent(options) }, allowLoopback, resolve };
}

/** Returns the sender of this process, with the resolver of the system and the settings. */
export function systemSender(): Sender {
  return singleton('sender', () =>
    createSender({ allowLoopback: env().WEBHOOKS_ALLOW_LOOPBACK === '1', resolve: systemResolve }),
  );
}

type Attempt = { url: string; headers: Record<string, string>; payload: string };

/** Sends one attempt and returns its outcome. Never throws, and does not follow redirects. */
export async function send(sender: Sender, attempt: Attempt): Promise<Outcome> {
  // An http URL may have been saved while `WEBHOOKS_ALLOW_LOOPBACK` allowed http.
  if (!sender.allowLoopback && !attempt.url.startsWith('https://')) return failed('insecure_url');
  try {
    const response = await request(sender, { method: 'POST', ...attempt, signal: AbortSignal.timeout(TIMEOUT) });
    const status = response.statusCode ?? 0;
    const answer = await readStart(response);
    const error = status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? 'redirect' : 'http_status';
    return { status, error, answer, retryAfter: response.headers['retry-after'] };
  } catch (error) {
    return failed(errorOf(error));
  }
}

/** A request to an address that a person of a tenant has entered. `signal` also ends the reading of the response. */
type GuardedRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  payload?: string;
  signal: AbortSignal;
};

/**
 * Sends a request, only to an allowed address (see `createSender`), and returns the response with its headers. Skips
 * interim responses, such as an unsolicited `100 Continue` (RFC 9110, 15.2).
 */
export async function request(sender: Sender, given: GuardedRequest): Promise<IncomingMessage> {
  const { agents, ...rules } = sender;
  const { url, payload, ...options } = given;
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  // For an IP address, the agent does not call `lookup`.
  if (isIP(host) !== 0) await allowedAddresses(host, rules);
  return new Promise((resolve, reject) => {
    const sent =
      protocol === 'https:'
        ? https.request(url, { ...options, agent: agents.https }, resolve)
        : http.request(url, { ...options, agent: agents.http }, resolve);
    // Stays attached after the response has begun, because an error without a listener would end the process.
    sent.on('error', reject);
    sent.end(payload);
  });
}

/** Returns the outcome of an attempt that got no response. */
export function failed(error: string): Outcome {
  return { status: null, error, answer: null, retryAfter: undefined };
}

/** The rest is not read, as it can be endless. */
async function readStart(body: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The body can still fail after the loop. Without a listener, the error would crash the process.
  body.on('error', () => {});
  const timer = setTimeout(() => body.destroy(), BODY_TIMEOUT);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_BODY_BYTES) break;
    }
  } catch {
    // The status has already decided the outcome.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8');
  // PostgreSQL cannot store NUL. Other control characters would make the text unreadable.
  return [...text.replace(/[^\P{C}\n\t]/gu, '\uFFFD')].slice(0, STORED).join('');
}

const ERRORS: Record<string, string> = {
  refused_address: 'refused_address',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ENODATA: 'name_not_found',
  ESERVFAIL: 'name_not_found',
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
};

/** Returns the error code of a request without a response. The code never contains data from the receiver. */
export function errorOf(error: unknown): string {
  if (error instanceof RefusedAddress) return error.code;
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const code = 'code' in error ? String(error.code) : '';
  const known = ERRORS[code];
  if (known) return known;
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME)/.test(code)) return 'tls';
  if (code.startsWith('HPE_')) return 'not_http';
  if (error instanceof AggregateError) return errorOf(error.errors[0]);
  return error.cause ? errorOf(error.cause) : 'failed';
}
