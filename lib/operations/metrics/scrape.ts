import { createHash, timingSafeEqual } from 'node:crypto';
import { counters } from '@/lib/activity/metrics/counters';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { consumeAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { readMetrics } from './cluster';

/** Wrong tokens of an address within a minute. */
const MAX_FAILURES = 30;

type Scraped = { status: number; headers: Record<string, string>; body: string };

/**
 * Returns the response to a scrape with METRICS_TOKEN. Errors: 404 without METRICS_TOKEN, 401 for a wrong token, 429
 * after `MAX_FAILURES` of them, and 503 if a worker does not respond.
 */
export async function scrape(authorization: string | null, address: string): Promise<Scraped> {
  const current = counters();
  const { METRICS_TOKEN } = env();
  if (!current || !METRICS_TOKEN) return refused(404);
  if (!isToken(authorization, METRICS_TOKEN)) {
    const { exceeded, retryAfter } = await consumeAttempt(`metrics:${address}`, MAX_FAILURES);
    return exceeded
      ? refused(429, { 'Retry-After': String(retryAfter) })
      : refused(401, { 'WWW-Authenticate': 'Bearer' });
  }
  try {
    return { status: 200, headers: { 'Content-Type': current.registry.contentType }, body: await readMetrics() };
  } catch (error) {
    // Without one worker, the sums would decrease, which Prometheus takes for a reset of the counters.
    log().warn({ err: error }, 'the metrics of a worker could not be read');
    return refused(503);
  }
}

function refused(status: number, headers: Record<string, string> = {}): Scraped {
  return { status, headers: { 'Content-Type': 'text/plain;charset=UTF-8', ...headers }, body: '' };
}

/** Hashes of equal length, compared in constant time, so the response time reveals nothing. */
function isToken(authorization: string | null, token: string): boolean {
  if (authorization?.slice(0, 7).toLowerCase() !== 'bearer ') return false;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(authorization.slice(7).trim()), hash(token));
}
