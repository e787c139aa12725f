/** Gives turns to clients. A turn is the permission to run one operation. */
export type Turns = {
  /**
   * Waits for a turn for `client`, and returns a function that ends the turn. The caller must call this function even
   * if it no longer needs the turn.
   */
  take: (client: string) => Promise<() => void>;
};

/** A limit: at most `most` turns may be younger than `age` milliseconds. */
type Young = { most: number; age: number };

/**
 * Returns an object that allows at most `most` concurrent turns. Waiting clients get turns in rotation, so that a
 * client that waits for many turns does not delay the others. The caller must limit the number of waiting calls to
 * `take`.
 * @param young a second, smaller limit, which counts only turns that have been running for less than `young.age`
 *   milliseconds. A turn that has been running longer is assumed to be waiting for something else, such as a lock, so
 *   another turn may start.
 */
export function createTurns(most: number, young?: Young): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  let runningYoung = 0;

  const hasRoom = () => running < most && (!young || runningYoung < young.most);

  /** Gives available turns to waiting clients, and moves each client that gets a turn to the end of `waiting`. */
  const startWaiting = () => {
    for (const [client, own] of waiting) {
      if (!hasRoom()) return;
      const start = own.shift();
      // A Map iterates in insertion order, so deleting and adding the client moves it to the end.
      waiting.delete(client);
      if (own.length > 0) waiting.set(client, own);
      start?.();
    }
  };

  const begin = () => {
    running += 1;
    runningYoung += 1;
    const grow = once(() => {
      runningYoung -= 1;
      startWaiting();
    });
    const timer = young && setTimeout(grow, young.age).unref();
    return once(() => {
      clearTimeout(timer);
      running -= 1;
      grow();
      startWaiting();
    });
  };

  const take = (client: string): Promise<() => void> => {
    if (hasRoom()) return Promise.resolve(begin());
    return new Promise((resolve) => {
      const own = waiting.get(client) ?? [];
      own.push(() => resolve(begin()));
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
