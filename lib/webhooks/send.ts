import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { allowedAddresses, RefusedAddress, type Resolve } from './addresses';

/** Maximum duration of an attempt in milliseconds (contract B11). */
const TIMEOUT = 15_000;
/**
 * Maximum milliseconds to read the response body after the headers. If this time is exceeded, the attempt does not
 * fail, because only the status decides the outcome.
 */
const BODY_TIMEOUT = 1_000;
/** Maximum number of bytes of a response body that are read. */
const MAX_BODY = 4_096;
/** Maximum number of characters of a response body that are stored. */
const STORED = 1_024;

/** The HTTP agent that sends attempts, and whether http and loopback addresses are allowed. */
export type Sender = { agent: Agent; allowLoopback: boolean };

/**
 * The outcome of an attempt. `error` is null if the attempt succeeded. `status` is null if there was no response.
 * `answer` is the start of the response body.
 */
export type Outcome = {
  status: number | null;
  error: string | null;
  answer: string | null;
  retryAfter: string | undefined;
};

/**
 * Creates a sender. For each connection, the sender resolves the host again and checks that all addresses are allowed.
 * If the DNS entry of a saved endpoint changes, no attempt can therefore reach an internal address (contract B11).
 */
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
  const connect = buildConnector({ lookup, timeout: TIMEOUT, allowH2: false });
  const agent = new Agent({
    // `lookup` is not called if the URL contains an IP address, so the address is checked here.
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) === 0) return connect(options, callback);
      allowedAddresses(host, { allowLoopback, resolve }).then(
        () => connect(options, callback),
        (error: Error) => callback(error, null),
      );
    },
    // Each attempt has its own connection, which is closed after the attempt. A hung connection therefore does not
    // delay other attempts.
    pipelining: 0,
    connections: null,
  });
  return { agent, allowLoopback };
}

type Attempt = { url: string; headers: Record<string, string>; payload: string };

/** Sends one attempt and returns its outcome. Never throws, and does not follow redirects. */
export async function send({ agent, allowLoopback }: Sender, { url, headers, payload }: Attempt): Promise<Outcome> {
  // The endpoint may have been saved while the setting WEBHOOKS_ALLOW_LOOPBACK still allowed http.
  if (!allowLoopback && !url.startsWith('https://')) return failed('insecure_url');
  const signal = AbortSignal.timeout(TIMEOUT);
  try {
    const response = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers,
      body: payload,
      signal,
      headersTimeout: TIMEOUT,
      bodyTimeout: TIMEOUT,
    });
    const { statusCode: status } = response;
    const answer = await readStart(response.body);
    const error = status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? 'redirect' : 'http_status';
    const header = response.headers['retry-after'];
    return { status, error, answer, retryAfter: Array.isArray(header) ? header[0] : header };
  } catch (error) {
    return failed(errorOf(error));
  }
}

function failed(error: string): Outcome {
  return { status: null, error, answer: null, retryAfter: undefined };
}

/** Reads the start of a response body and discards the rest, because a receiver may send an endless body. */
async function readStart(body: AsyncIterable<Buffer> & { destroy: () => unknown; on: NodeJS.EventEmitter['on'] }) {
  const chunks: Buffer[] = [];
  let length = 0;
  // Without this listener, an error after the reading has stopped would end the process. Such an error has no effect on
  // the outcome.
  body.on('error', () => {});
  const timer = setTimeout(() => body.destroy(), BODY_TIMEOUT);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_BODY) break;
    }
  } catch {
    // An error while the body is read is ignored, because the status has already decided the outcome.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_BODY).toString('utf8');
  // PostgreSQL cannot store NUL, and other control characters would make the text unreadable on the page.
  return [...text.replace(/[^\P{C}\n\t]/gu, '\uFFFD')].slice(0, STORED).join('');
}

const ERRORS: Record<string, string> = {
  refused_address: 'refused_address',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ENODATA: 'name_not_found',
  ESERVFAIL: 'name_not_found',
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_ABORTED: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
};

/** Returns the error code of an attempt that got no response. The code never contains data from the receiver. */
function errorOf(error: unknown): string {
  if (error instanceof RefusedAddress) return error.code;
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  if (error.name === 'HTTPParserError') return 'not_http';
  const code = 'code' in error ? String(error.code) : '';
  const known = ERRORS[code];
  if (known) return known;
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME)/.test(code)) return 'tls';
  if (code.startsWith('UND_ERR')) return 'not_http';
  if (error instanceof AggregateError) return errorOf(error.errors[0]);
  return error.cause ? errorOf(error.cause) : 'failed';
}
