import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from './client';

/** Maximum number of times that `prepared` sends a request. */
const MAX_SENDS = 5;

/**
 * Sends a request that only prepares a test. An overloaded machine can cause a 503. Like a partner, this function then
 * repeats the request after `Retry-After`. `send` must send the same idempotency key each time.
 */
export async function prepared<Data>(send: () => Promise<Reply<Data>>): Promise<Reply<Data>> {
  for (let sends = 1; ; sends += 1) {
    const reply = await send();
    if (reply.status !== 503 || sends === MAX_SENDS) return reply;
    await delay(Number(reply.headers['retry-after']) * 1_000);
  }
}
