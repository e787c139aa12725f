import { setTimeout as delay } from 'node:timers/promises';
import { openConnection } from './load/connection';

/** Milliseconds between two requests of a probe. */
const PAUSE = 50;

/**
 * Sends a request repeatedly on one connection, at most `count` times. `end` stops the repetition and returns the
 * longest response time in milliseconds.
 */
export function runProbe(
  port: number,
  request: string,
  count = Number.POSITIVE_INFINITY,
): { end: () => Promise<number> } {
  let ended = false;
  let longest = 0;
  const text = Buffer.from(request);
  const running = (async () => {
    const connection = openConnection(port);
    await connection.connected;
    for (let sent = 0; sent < count && (!ended || sent === 0); sent++) {
      const sentAt = performance.now();
      await new Promise<void>((resolve) => connection.send(text, () => resolve()));
      longest = Math.max(longest, performance.now() - sentAt);
      if (sent + 1 < count) await delay(PAUSE);
    }
    connection.close();
  })();
  return {
    end: async () => {
      ended = true;
      await running;
      return longest;
    },
  };
}
