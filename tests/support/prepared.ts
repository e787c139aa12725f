import { setTimeout as delay } from 'node:timers/promises';

const MAX_SENDS = 5;

type Answer = { status: number; headers: Record<string, string | string[] | undefined> };

/**
 * An overloaded machine can cause a 503. Like a partner, repeats the request after `Retry-After`, with the same
 * idempotency key.
 */
export async function prepared<Reply extends Answer>(send: () => Promise<Reply>): Promise<Reply> {
  for (let sends = 1; ; sends += 1) {
    const reply = await send();
    if (reply.status !== 503 || sends === MAX_SENDS) return reply;
    await delay(Number(reply.headers['retry-after']) * 1_000);
  }
}
