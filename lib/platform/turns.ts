/** Lets clients take turns in the use of something. */
export type Turns = {
  /**
   * Waits for a turn of a client, and returns a function that ends the turn. If the caller no longer needs the turn when
   * it begins, it must still end it.
   */
  take: (client: string) => Promise<() => void>;
};

/**
 * Returns turns of which at most `most` run at the same time. While turns are waiting, each client that has waiting
 * turns gets one in order, so that a client with many waiting turns does not delay the others. The caller bounds the
 * number of waiting turns.
 */
export function createTurns(most: number): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  /** Gives the place of a turn that has ended to the client whose last turn began the longest time ago. */
  const passOn = () => {
    for (const [client, own] of waiting) {
      const start = own.shift();
      // A Map iterates in the order of insertion, so this moves the client to the end.
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
