import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { MAX_HEADER_LINES } from './limits/size';

/** The headers that are kept if a request has more than `MAX_HEADER_LINES` header lines. */
const READ = new Set([
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'origin',
  'transfer-encoding',
  'user-agent',
  'x-forwarded-for',
]);
const LONGEST = Math.max(...[...READ].map((name) => name.length));

const { get: allHeaders, set: setHeaders } =
  Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers') ?? {};

/**
 * The error with which the unanswered requests of a closed connection are destroyed. Node would create one error per
 * request and read its stack, which Next.js formats with source maps. After a connection with a thousand pipelined
 * requests is closed, this would block the event loop. The stack of this shared error is formatted only once.
 */
const ABORTED = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });

/**
 * A request with a limited number of headers: if there are more than `MAX_HEADER_LINES` lines, `headers` contains
 * only the names in `READ`. A head of 64 KiB can have thousands of lines, and Node and Next.js process every header
 * several times.
 */
export class EdgeRequest extends IncomingMessage {
  override destroy(error?: NodeJS.ErrnoException): this {
    return super.destroy(error?.code === 'ECONNRESET' ? ABORTED : error);
  }
}

Object.defineProperty(EdgeRequest.prototype, 'headers', {
  get(this: IncomingMessage): IncomingHttpHeaders {
    // `rawHeaders` has two elements per header line: the name and the value.
    if (this.rawHeaders.length <= 2 * MAX_HEADER_LINES) return allHeaders?.call(this);
    const value = readHeaders(this.rawHeaders);
    Object.defineProperty(this, 'headers', { value, writable: true });
    return value;
  },
  set(this: IncomingMessage, value: IncomingHttpHeaders) {
    setHeaders?.call(this, value);
  },
});

function readHeaders(raw: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string> = {};
  for (let i = 0; i < raw.length; i += 2) {
    const field = raw[i] ?? '';
    if (field.length > LONGEST) continue;
    const name = field.toLowerCase();
    if (!READ.has(name)) continue;
    const value = raw[i + 1] ?? '';
    // Like Node, joins the values of a repeated header with a comma and a space.
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}
