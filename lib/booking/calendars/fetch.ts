import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '@/lib/contract/errors/app-error';
import { errorOf, request, type Sender } from '@/lib/webhooks/send';
import { checkUrl } from '@/lib/webhooks/url';
import { MAX_TEXT } from './scan';

/** Maximum milliseconds of a fetch, with its redirects and the reading of the calendar. */
const TIMEOUT = 10_000;
const MAX_REDIRECTS = 3;
/** Maximum characters of an ETag or a Last-Modified header that is kept. */
const MAX_VALIDATOR = 256;

/** What the server stated about the calendar that was read last. */
export type Validators = { etag: string | null; lastModified: string | null };

/** The outcome of a fetch. `error` is a code without data of the server. `retryAfter` is the header of that name. */
export type Fetched =
  | { kind: 'calendar'; text: string; validators: Validators }
  | { kind: 'unchanged' }
  | { kind: 'failed'; error: string; retryAfter: string | null };

const failed = (error: string, retryAfter: string | null = null): Fetched => ({ kind: 'failed', error, retryAfter });

/**
 * Fetches a calendar. Never throws. Each address, also those of at most three redirects, must pass the same checks as an
 * endpoint of webhooks. Of a compressed calendar, the limit of 5 MiB counts for the decompressed text.
 */
export async function fetchCalendar(
  sender: Sender,
  { url, validators, timeout = TIMEOUT }: { url: string; validators: Validators; timeout?: number },
): Promise<Fetched> {
  const signal = AbortSignal.timeout(timeout);
  try {
    let at = url;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const checked = await checkUrl(at, sender);
      const response = await request(sender, { method: 'GET', url: checked, headers: headersOf(validators), signal });
      // The response can still fail after it has been read. Without a listener, the error would end the process.
      response.on('error', () => {});
      try {
        const { location } = response.headers;
        if (!isRedirect(response) || location === undefined) return await readResponse(response);
        if (!URL.canParse(location, checked)) return failed('redirect');
        at = new URL(location, checked).href;
      } finally {
        response.destroy();
      }
    }
    return failed('redirect');
  } catch (error) {
    if (signal.aborted) return failed('timeout');
    return failed(error instanceof AppError ? 'refused_address' : errorOf(error));
  }
}

function headersOf({ etag, lastModified }: Validators): Record<string, string> {
  return {
    accept: 'text/calendar, */*;q=0.1',
    'accept-encoding': 'gzip',
    'user-agent': 'partner-booking-calendars',
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

const isRedirect = ({ statusCode = 0 }: IncomingMessage) => [301, 302, 303, 307, 308].includes(statusCode);

async function readResponse(response: IncomingMessage): Promise<Fetched> {
  const { statusCode, headers } = response;
  if (statusCode === 304) return { kind: 'unchanged' };
  if (statusCode !== 200) return failed('http_status', headers['retry-after']?.slice(0, MAX_VALIDATOR) ?? null);
  const text = await readText(response);
  if (text === null) return failed('too_large');
  const validators = { etag: validator(headers.etag), lastModified: validator(headers['last-modified']) };
  return { kind: 'calendar', text, validators };
}

/** Returns a header that can be sent back as it is. */
function validator(header: string | undefined): string | null {
  return header !== undefined && header.length <= MAX_VALIDATOR && /^[\x20-\x7e]+$/.test(header) ? header : null;
}

/** Returns the text of a response, or null if it is too large. Stops reading as soon as it is. */
async function readText(response: IncomingMessage): Promise<string | null> {
  const decoder = decoderOf(response.headers['content-encoding']);
  // An error of the connection must also end the decompression.
  if (decoder) response.on('error', (error) => decoder.destroy(error)).pipe(decoder);
  const body = decoder ?? response;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > MAX_TEXT) return null;
      chunks.push(chunk);
    }
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Some servers compress in a way that the request does not ask for. */
function decoderOf(encoding: string | undefined) {
  const name = encoding?.trim().toLowerCase();
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  if (name === 'deflate') return createInflate();
  return name === 'br' ? createBrotliDecompress() : null;
}
