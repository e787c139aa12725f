/** Gives turns to clients. A turn is the permission to run one operation. */
export type Turns = {
  /**
   * Waits for a turn for `client`, and returns a function that ends the turn. The caller must always call the returned
   * function. A turn for several operations has a `weight`, which is the number of turns that it counts as.
   */
  take: (client: string, weight?: number) => Promise<() => void>;
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
 * @param each maximum number of concurrent turns of one client. A turn never weighs more than this.
 */
export function createTurns(most: number, young?: Young, each = Number.POSITIVE_INFINITY): Turns {
  const waiting = new Map<string, { weight: number; start: () => void }[]>();
  let running = 0;
  let runningYoung = 0;
  const runningOf = new Map<string, number>();
  const { extra = 0 } = young ?? {};

  const count = (client: string, change: number) => {
    running += change;
    const own = (runningOf.get(client) ?? 0) + change;
    if (own > 0) runningOf.set(client, own);
    else runningOf.delete(client);
  };
  const hasRoom = (more: number) => running < most && (!young || runningYoung < young.most() + more);
  const extraOf = (client: string) => (runningOf.has(client) ? 0 : extra);
  // The last turn to begin may exceed `most` by its weight. Otherwise, light turns could delay a heavy one forever.
  const mayBegin = (client: string, weight: number) =>
    hasRoom(extraOf(client)) && (runningOf.get(client) ?? 0) + weight <= each;

  /** Gives the available turns to the waiting clients in rotation, one turn at a time. */
  const startWaiting = () => {
    for (const [client, own] of waiting) {
      if (!hasRoom(extra)) return;
      if (!mayBegin(client, own[0]?.weight ?? 1)) continue;
      const next = own.shift();
      // A Map iterates in insertion order, so deleting and adding the client moves it to the end.
      waiting.delete(client);
      if (own.length > 0) waiting.set(client, own);
      next?.start();
    }
  };

  const begin = (client: string, weight: number) => {
    count(client, weight);
    runningYoung += weight;
    const grow = once(() => {
      runningYoung -= weight;
      startWaiting();
    });
    const timer = young && setTimeout(grow, young.age).unref();
    return once(() => {
      clearTimeout(timer);
      count(client, -weight);
      grow();
      startWaiting();
    });
  };

  const take = (client: string, given = 1): Promise<() => void> => {
    const weight = Math.min(given, each);
    if (!waiting.has(client) && mayBegin(client, weight)) return Promise.resolve(begin(client, weight));
    return new Promise((resolve) => {
      const own = waiting.get(client) ?? [];
      own.push({ weight, start: () => resolve(begin(client, weight)) });
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
