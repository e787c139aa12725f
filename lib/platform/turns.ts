/** Gives turns to clients. A turn is the permission to run one operation. */
export type Turns = {
  /**
   * Waits for a turn for `client`, and returns a function that ends the turn. The caller must always call the returned
   * function.
   */
  take: (client: string) => Promise<() => void>;
};

/**
 * A limit for young turns, which are running turns that began within the last `age` milliseconds. The maximum is the
 * result of `most`. For a client that has no running turn, the maximum is larger by `extra`.
 */
type Young = { most: () => number; age: number; extra?: number };

/**
 * Returns an object that allows at most `most` concurrent turns. Waiting clients get turns in rotation, so that a
 * client with many calls does not delay the others. The caller must limit the number of waiting calls.
 * @param young a second, smaller limit for turns that have been running for less than `young.age` milliseconds. An
 *   older turn does not count toward this limit, because it probably waits, for example for a lock.
 * @param each maximum number of concurrent turns of one client.
 */
export function createTurns(most: number, young?: Young, each = Number.POSITIVE_INFINITY): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  let runningYoung = 0;
  const runningOf = new Map<string, number>();
  const { extra = 0 } = young ?? {};

  const count = (client: string, change: 1 | -1) => {
    running += change;
    const own = (runningOf.get(client) ?? 0) + change;
    if (own > 0) runningOf.set(client, own);
    else runningOf.delete(client);
  };
  const hasRoom = (more: number) => running < most && (!young || runningYoung < young.most() + more);
  const extraOf = (client: string) => (runningOf.has(client) ? 0 : extra);
  const mayBegin = (client: string) => hasRoom(extraOf(client)) && (runningOf.get(client) ?? 0) < each;

  /** Gives the available turns to the waiting clients in rotation, one turn at a time. */
  const startWaiting = () => {
    for (const [client, own] of waiting) {
      if (!hasRoom(extra)) return;
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
    runningYoung += 1;
    const grow = once(() => {
      runningYoung -= 1;
      startWaiting();
    });
    const timer = young && setTimeout(grow, young.age).unref();
    return once(() => {
      clearTimeout(timer);
      count(client, -1);
      grow();
      startWaiting();
    });
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

function once(callback: () => void): () => void {
  let called = false;
  return () => {
    if (called) return;
    called = true;
    callback();
  };
}
