import { setTimeout as delay } from 'node:timers/promises';

/** Maximum number of times that `prepared` sends a request. */
const MAX_SENDS = 5;

type Answer = { status: number; headers: Record<string, string | string[] | undefined> };

/**
 * Sends a request that only prepares a test. An overloaded machine can cause a 503. Like a partner, this function then
 * repeats the request after `Retry-After`. `send` must send the same idempotency key each time.
 */
export async function prepared<Reply extends Answer>(send: () => Promise<Reply>): Promise<Reply> {
  for (let sends = 1; ; sends += 1) {
    const reply = await send();
    if (reply.status !== 503 || sends === MAX_SENDS) return reply;
    await delay(Number(reply.headers['retry-after']) * 1_000);
  }
}
