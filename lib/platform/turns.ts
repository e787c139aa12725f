/** Gives turns to clients. A turn is the permission to run one operation. */
export type Turns = {
  /**
   * Waits for a turn for `client`, and returns a function that ends the turn. The caller must call this function even
   * if it no longer needs the turn.
   */
  take: (client: string) => Promise<() => void>;
};

/**
 * Returns an object that gives at most `most` turns at the same time. The clients that wait for turns get them in
 * rotation, so that a client that waits for many turns does not delay the others. The caller must limit the number of
 * waiting calls of `take`.
 */
export function createTurns(most: number): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  /** Passes the turn that has ended to the first client in `waiting`, and moves this client to the end. */
  const passOn = () => {
    for (const [client, own] of waiting) {
      const start = own.shift();
      // A Map iterates in the order of insertion, so deleting and adding the client moves it to the end.
      waiting.delete(client);
      if (own.length > 0) waiting.set(client, own);
      start?.();
      return;
    }
    running -= 1;
  };

  const turn = () => {
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      passOn();
    };
  };

  const take = (client: string): Promise<() => void> => {
    if (running < most) {
      running += 1;
      return Promise.resolve(turn());
    }
    return new Promise((resolve) => {
      const own = waiting.get(client) ?? [];
      own.push(() => resolve(turn()));
      waiting.set(client, own);
    });
  };

  return { take };
}
