import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LogEntry } from './log-entry';
import type { Sink } from './sink-queue';

/** Maximum milliseconds from the start of a request to the headers of its response. */
const TIMEOUT = 10_000;
/** Maximum milliseconds to read the body of a response. */
const BODY_TIMEOUT = 1_000;
/** Maximum size of the body of a response in bytes. */
const MAX_BODY = 64 * 1024;
/** Maximum milliseconds that the header Retry-After can delay the next request. */
const MAX_RETRY_AFTER = 60_000;
/**
 * The error statuses after which OTLP 1.x allows a client to send the same request again. After any other error status,
 * the client must not repeat the request.
 */
const RETRYABLE = [429, 502, 503, 504];

type Options = {
  /** The full URL of the logs signal, such as `https://collector.example/v1/logs`. */
  url: string;
  headers: Record<string, string>;
  /** The attributes of the resource, such as `service.name`. */
  resource: Record<string, string>;
  timeout?: number;
};

/**
 * Returns a sink that sends entries to an OTLP/HTTP endpoint in the JSON encoding. Each field of an entry that is
 * not null becomes an attribute of a log record. After a 2xx response, the batch is not sent again, even if the
 * endpoint rejected some of its records. The field `partialSuccess` of the response states their number.
 */
export function createOtlpSink({ url, headers, resource, timeout = TIMEOUT }: Options): Sink {
  const secure = new URL(url).protocol === 'https:';
  const agent = secure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
  const head = `{"resourceLogs":[{"resource":{"attributes":${JSON.stringify(attributesOf(resource))}},"scopeLogs":[{"scope":{"name":"request_log"},"logRecords":[`;
  const post = (payload: string, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const length = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) };
      const options = { method: 'POST', headers: { ...headers, ...length }, signal, agent };
      const request = (secure ? https : http).request(url, options, (response) => {
        clearTimeout(timer);
        resolve(response);
      });
      // Node can garbage-collect an `AbortSignal.timeout` that only `AbortSignal.any` references. The request would
      // then have no time limit, so this is a timer.
      const timer = setTimeout(() => request.destroy(new Error('The endpoint did not respond in time.')), timeout);
      // The listener is not removed after `resolve`, because an error without a listener would end the process.
      request.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      request.end(payload);
    });
  return {
    name: 'otlp',
    encode: (entry) => JSON.stringify(recordOf(entry)),
    send: async (batch, closing) => {
      const response = await post(`${head}${batch.join(',')}]}]}]}`, closing);
      const { statusCode: status = 0 } = response;
      const body = await readStart(response);
      if (status >= 200 && status < 300) return rejectedIn(body);
      if (!RETRYABLE.includes(status)) return batch.length;
      const retryAfter = Math.min(Number(response.headers['retry-after']) * 1000 || 0, MAX_RETRY_AFTER);
      const message = `The OTLP/HTTP endpoint responded with HTTP ${status}. The batch can be sent again.`;
      throw Object.assign(new Error(message), { status, retryAfter });
    },
    close: async () => agent.destroy(),
  };
}

/** Severity numbers and texts of OTLP. */
const SEVERITIES = { info: [9, 'INFO'], warn: [13, 'WARN'], error: [17, 'ERROR'] } as const;

function recordOf(entry: LogEntry): object {
  const { at, method, route, status, code } = entry;
  const [severityNumber, severityText] = SEVERITIES[status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info'];
  return {
    timeUnixNano: `${Date.parse(at)}000000`,
    severityNumber,
    severityText,
    body: { stringValue: [method, route ?? 'unknown route', status, code].filter((part) => part !== null).join(' ') },
    attributes: attributesOf(entry),
  };
}

function attributesOf(fields: Record<string, unknown>): object[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: unknown): object {
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === 'object' && value !== null) return { kvlistValue: { values: attributesOf({ ...value }) } };
  return { stringValue: String(value) };
}

/** Returns how many records the receiver rejected, according to its response. Returns 0 if it cannot be parsed. */
function rejectedIn(body: string): number {
  try {
    const { partialSuccess } = JSON.parse(body) as { partialSuccess?: { rejectedLogRecords?: string | number } };
    const rejected = Number(partialSuccess?.rejectedLogRecords ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}

/**
 * Reads a response body. Returns an empty string if the body is too long, arrives too slowly, or ends with an error.
 */
async function readStart(body: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  // If `body` fails after the loop below, nothing else handles the error, and the process would crash.
  body.on('error', () => undefined);
  const timer = setTimeout(() => body.destroy(), BODY_TIMEOUT);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop closes the connection, so an endless body cannot exhaust the memory.
      if (length > MAX_BODY) return '';
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return '';
  } finally {
    clearTimeout(timer);
  }
}
