import { createHash, timingSafeEqual } from 'node:crypto';
import { counters } from '@/lib/activity/metrics/counters';
import { env } from '@/lib/platform/env';
import { consumeAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { singleton } from '@/lib/platform/singleton';
import { registerGauges } from './gauges';

/** Wrong tokens that an address may present in a minute. */
const MAX_FAILURES = 30;

type Scraped = { status: number; headers: Record<string, string>; body: string };

/**
 * Returns this process's metrics as Prometheus reads them, for who presents METRICS_TOKEN as a bearer token. Without
 * that setting there is nothing here (404); without the token a 401, after 30 a minute a 429.
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
  const { registry } = current;
  singleton('metrics-gauges', () => registerGauges(registry) ?? true);
  return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() };
}

function refused(status: number, headers: Record<string, string> = {}): Scraped {
  return { status, headers, body: '' };
}

/** Compares hashes: as long whatever is presented, so that the time tells nothing of the token. */
function isToken(authorization: string | null, token: string): boolean {
  if (authorization?.slice(0, 7).toLowerCase() !== 'bearer ') return false;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(authorization.slice(7).trim()), hash(token));
}
