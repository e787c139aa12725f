import { createHash } from 'node:crypto';
import { beginCalendar } from '@/lib/booking/calendar-feeds/calendar';
import { feedEvents } from '@/lib/booking/calendar-feeds/events';
import { type Feed, findFeed, recordRead } from '@/lib/booking/calendar-feeds/feeds';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { takeNextTurn } from '@/lib/http/edge/limits/pages';
import { newId } from '@/lib/platform/ids';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { consumeAttempt, refundAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { busy, inControlCenter } from '@/lib/platform/tenant-scope';
import { toAppError } from '@/lib/platform/unexpected';

/** Maximum number of reads of one feed in a minute. Calendar programs read every few minutes to hours. */
const READS_PER_MINUTE = 30;
/** Maximum number of requests with an unknown token per client network and minute. */
const UNKNOWN_PER_MINUTE = 60;

/** The URL is secret, so no shared cache may keep the response. */
const HEADERS = { 'Cache-Control': 'private, no-cache' };

type Props = { params: Promise<{ token: string }> };

/**
 * Responds with the iCalendar document of the feed to which the secret token belongs, or with 304 if the client has it. An
 * unknown or revoked token and a suspended tenant get the same 404. No log, header, or error contains the token.
 */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const now = new Date();
  try {
    const feed = await permitted((await params).token, request.headers.get(EDGE_HEADERS.address) ?? 'unknown');
    if (feed instanceof Response) return feed;
    return await inControlCenter(feed.tenantId, () => read(now, feed, request.headers.get('if-none-match')));
  } catch (error) {
    const requestId = newId('req');
    const { status, retryAfter = 10 } = toAppError(error, requestId, busy);
    const response = refusal(status, retryAfter);
    // The log line of the error has this id.
    response.headers.set('X-Request-Id', requestId);
    return response;
  }
}

async function permitted(token: string, address: string): Promise<Feed | Response> {
  const unknown = `calendar-unknown:${networkOf(address)}`;
  const { exceeded, retryAfter } = await consumeAttempt(unknown, UNKNOWN_PER_MINUTE);
  if (exceeded) return refusal(429, retryAfter);
  const feed = await findFeed(token);
  if (!feed) return refusal(404);
  await refundAttempt(unknown);
  const reads = await consumeAttempt(`calendar:${feed.id}`, READS_PER_MINUTE);
  return reads.exceeded ? refusal(429, reads.retryAfter) : feed;
}

function refusal(status: number, retryAfter?: number): Response {
  return new Response(null, {
    status,
    headers: { ...HEADERS, ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }) },
  });
}

async function read(now: Date, feed: Feed, known: string | null): Promise<Response> {
  const calendar = beginCalendar(feed.name);
  for await (const events of feedEvents(now, feed)) {
    calendar.add(events);
    await takeNextTurn();
  }
  const body = calendar.end();
  await recordRead(now, feed);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const headers = { ...HEADERS, ETag: etag };
  if (known !== null && includesTag(known, etag)) return new Response(null, { status: 304, headers });
  const content = {
    'Content-Type': 'text/calendar; charset=utf-8',
    'Content-Disposition': 'inline; filename="calendar.ics"',
  };
  return new Response(body, { headers: { ...headers, ...content } });
}

/** Returns whether an If-None-Match header includes an entity tag. A proxy that compresses makes the tag a weak one. */
function includesTag(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
