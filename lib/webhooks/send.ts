import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { allowedAddresses, RefusedAddress, type Resolve } from './addresses';

/** Milliseconds that an attempt may take (contract B11). */
const TIMEOUT = 15_000;
/** Milliseconds that an answer's body may take once its head is there: the head has decided. */
const BODY_TIMEOUT = 1_000;
/** Bytes of an answer that are read. */
const MAX_ANSWER = 4_096;
/** Characters of an answer that are kept. */
const KEPT = 1_024;

/** How attempts are sent. */
export type Sender = { agent: Agent; allowLoopback: boolean };

/** How an attempt went. `error` is null on success; `status` when there was an answer. */
export type Outcome = {
  status: number | null;
  error: string | null;
  answer: string | null;
  retryAfter: string | undefined;
};

/**
 * Returns what attempts are sent with. Every connection asks for the addresses of its host anew and goes only to those
 * that passed: a name that has changed since the endpoint was saved does not lead inside (contract B11).
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
    // A literal address is never looked up, so it is checked here.
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) === 0) return connect(options, callback);
      allowedAddresses(host, { allowLoopback, resolve }).then(
        () => connect(options, callback),
        (error: Error) => callback(error, null),
      );
    },
    // Each attempt has a connection of its own: one that hangs holds up no other, and none stays open to a stranger.
    pipelining: 0,
    connections: null,
  });
  return { agent, allowLoopback };
}

type Attempt = { url: string; headers: Record<string, string>; payload: string };

/** Sends one attempt and returns how it went; never throws. Redirects are not followed. */
export async function send({ agent, allowLoopback }: Sender, { url, headers, payload }: Attempt): Promise<Outcome> {
  // The setting may have been taken back since the endpoint was saved.
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
    const answer = await beginningOf(response.body);
    const error = status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? 'redirect' : 'http_status';
    const header = response.headers['retry-after'];
    return { status, error, answer, retryAfter: Array.isArray(header) ? header[0] : header };
  } catch (error) {
    return failed(wordFor(error));
  }
}

function failed(error: string): Outcome {
  return { status: null, error, answer: null, retryAfter: undefined };
}

/** Reads the beginning of an answer and lets go of the rest: a receiver may stream without end. */
async function beginningOf(body: AsyncIterable<Buffer> & { destroy: () => unknown; on: NodeJS.EventEmitter['on'] }) {
  const chunks: Buffer[] = [];
  let length = 0;
  // What happens after we have stopped reading concerns nobody.
  body.on('error', () => {});
  const timer = setTimeout(() => body.destroy(), BODY_TIMEOUT);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_ANSWER) break;
    }
  } catch {
    // The status has decided already.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_ANSWER).toString('utf8');
  // PostgreSQL keeps no NUL; other control characters would garble a page.
  return [...text.replace(/[^\P{C}\n\t]/gu, '\uFFFD')].slice(0, KEPT).join('');
}

const WORDS: Record<string, string> = {
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

/** Returns the word by which an attempt without an answer is recorded. What the receiver sent never enters it. */
function wordFor(error: unknown): string {
  if (error instanceof RefusedAddress) return error.code;
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  if (error.name === 'HTTPParserError') return 'not_http';
  const code = 'code' in error ? String(error.code) : '';
  const word = WORDS[code];
  if (word) return word;
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME)/.test(code)) return 'tls';
  if (code.startsWith('UND_ERR')) return 'not_http';
  if (error instanceof AggregateError) return wordFor(error.errors[0]);
  return error.cause ? wordFor(error.cause) : 'failed';
}
