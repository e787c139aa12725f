/** Gives turns to clients. A turn is the permission to run one operation. */
export type Turns = {
  /**
   * Waits for a turn for `client`, and returns a function that ends the turn. The caller must always call the returned
   * function.
   */
  take: (client: string) => Promise<() => void>;
};

/**
 * Returns an object that allows at most `most` concurrent turns. Waiting clients get turns in rotation, so that a
 * client with many calls does not delay the others. The caller must limit the number of waiting calls.
 * @param each maximum number of concurrent turns of one client.
 */
export function createTurns(most: number, each = most): Turns {
  const waiting = new Map<string, (() => void)[]>();
  const runningOf = new Map<string, number>();
  let running = 0;

  const count = (client: string, change: 1 | -1) => {
    running += change;
    const own = (runningOf.get(client) ?? 0) + change;
    if (own > 0) runningOf.set(client, own);
    else runningOf.delete(client);
  };
  const mayBegin = (client: string) => running < most && (runningOf.get(client) ?? 0) < each;

  /** Gives the available turns to the waiting clients in rotation, one turn at a time. */
  const startWaiting = () => {
    for (const [client, own] of waiting) {
      if (running >= most) return;
      if (!mayBegin(client)) continue;
      const next = own.shift();
      // A Map iterates in insertion order, so deleting and adding the client moves it to the end.
      waiting.delete(client);
      if (own.length > 0) waiting.set(client, own);
      next?.();
    }
  };

  const begin = (client: string) => {
    count(client, 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      count(client, -1);
      startWaiting();
    };
  };

  const take = (client: string): Promise<() => void> => {
    if (!waiting.has(client) && mayBegin(client)) return Promise.resolve(begin(client));
    return new Promise((resolve) => {
      const own = waiting.get(client) ?? [];
      own.push(() => resolve(begin(client)));
      waiting.set(client, own);
    });
  };

  return { take };
}
