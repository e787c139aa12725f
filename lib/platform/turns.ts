/** A turn is the permission to run one operation. */
export type Turns = {
  /** Waits for a turn. The returned function must be called. Each client belongs to one `group`. */
  take: (client: string, group?: string) => Promise<() => void>;
  /** Returns how many calls wait, of one client or of all. */
  waiting: (client?: string) => number;
};

/**
 * Returns an object that allows at most `most` concurrent turns. Waiting groups get turns in rotation, and so do the
 * clients of a group, so that neither a client with many calls nor a group with many clients delays the others. The
 * caller must limit the number of waiting calls.
 * @param each maximum number of concurrent turns of one client.
 * @param ofGroup maximum number of concurrent turns of one group.
 */
export function createTurns(most: number, each = most, ofGroup = most): Turns {
  const waiting = new Map<string, Map<string, (() => void)[]>>();
  const runningOf = new Map<string, number>();
  const runningIn = new Map<string, number>();
  const waitingOf = new Map<string, number>();
  let running = 0;
  let waitingOfAll = 0;

  const countWaiting = (client: string, change: 1 | -1) => {
    waitingOfAll += change;
    add(waitingOf, client, change);
  };

  const count = (client: string, group: string, change: 1 | -1) => {
    running += change;
    add(runningOf, client, change);
    add(runningIn, group, change);
  };
  const hasRoom = (group: string) => running < most && (runningIn.get(group) ?? 0) < ofGroup;
  const mayBegin = (client: string, group: string) => hasRoom(group) && (runningOf.get(client) ?? 0) < each;

  /** Gives the available turns to the waiting groups in rotation, one turn at a time. */
  const startWaiting = () => {
    // A Map iterates in insertion order, so deleting and adding an entry moves it to the end.
    for (const [group, clients] of waiting) {
      if (running >= most) return;
      const found = hasRoom(group) && [...clients].find(([client]) => mayBegin(client, group));
      if (!found) continue;
      const [client, own] = found;
      const next = own.shift();
      countWaiting(client, -1);
      clients.delete(client);
      if (own.length > 0) clients.set(client, own);
      waiting.delete(group);
      if (clients.size > 0) waiting.set(group, clients);
      next?.();
    }
  };

  const begin = (client: string, group: string) => {
    count(client, group, 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      count(client, group, -1);
      startWaiting();
    };
  };

  const take = (client: string, group = ''): Promise<() => void> => {
    // Whenever a turn ends, `startWaiting` gives it away. So no call that may begin is waiting, and this one passes none.
    if (mayBegin(client, group)) return Promise.resolve(begin(client, group));
    return new Promise((resolve) => {
      const clients = waiting.get(group) ?? new Map<string, (() => void)[]>();
      const own = clients.get(client) ?? [];
      own.push(() => resolve(begin(client, group)));
      countWaiting(client, 1);
      clients.set(client, own);
      waiting.set(group, clients);
    });
  };

  return { take, waiting: (client) => (client === undefined ? waitingOfAll : (waitingOf.get(client) ?? 0)) };
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}
