import { createHash, timingSafeEqual } from 'node:crypto';
import { counters } from '@/lib/activity/metrics/counters';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { consumeAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { readMetrics } from './cluster';

/** Maximum number of wrong tokens that an address may send within a minute. */
const MAX_FAILURES = 30;

type Scraped = { status: number; headers: Record<string, string>; body: string };

/**
 * Returns the response to a scrape. If the bearer token is METRICS_TOKEN, the response contains the server's metrics in
 * the Prometheus format. A failed scrape has one of these statuses:
 *
 * - 404 if METRICS_TOKEN is not set
 * - 401 if the token is wrong
 * - 429 after 30 wrong tokens from an address within a minute
 * - 503 if a worker does not respond
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
    // The metrics are sums over all workers. If one worker were missing, the sums would decrease, and Prometheus would
    // interpret the decrease as a reset of the counters. The whole scrape therefore fails.
    log().warn({ err: error }, 'the metrics of a worker could not be read');
    return refused(503);
  }
}

function refused(status: number, headers: Record<string, string> = {}): Scraped {
  return { status, headers: { 'Content-Type': 'text/plain;charset=UTF-8', ...headers }, body: '' };
}

/**
 * Returns whether the Authorization header contains the token. Compares hashes of equal length in constant time, so
 * the response time reveals nothing about the token.
 */
function isToken(authorization: string | null, token: string): boolean {
  if (authorization?.slice(0, 7).toLowerCase() !== 'bearer ') return false;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(authorization.slice(7).trim()), hash(token));
}
