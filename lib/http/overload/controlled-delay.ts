/**
 * Limits how many writes of one application may be in flight. The limit falls while writes wait too long in a queue,
 * and rises again afterward. `now` is in milliseconds, such as `performance.now()`.
 */
export type ControlledDelay = {
  limit: (now: number) => number;
  /** Records how many milliseconds a request waited in the queue. */
  waited: (milliseconds: number, now: number) => void;
};

type Options = {
  /** The maximum that `limit` returns. It applies while the queue is short. */
  most: number;
  /** The minimum that `limit` returns. */
  least: number;
  /** The limit is lowered if all requests of an interval waited in the queue longer than this many milliseconds. */
  target: number;
  /** The length of an interval in milliseconds, after which the limit is adapted. Default: `INTERVAL`. */
  interval?: number;
};

const INTERVAL = 100;
/** The factor by which the bound on work in flight rises after an interval with short waits. */
const GROWTH = 1.5;

/**
 * Returns a bound that adapts to the speed of the machine. After each interval, the shortest wait in this interval
 * determines the bound, which stays between `least` and `most`:
 *
 * - Longer than `target`: every request waited too long, so there is a standing queue. A standing queue delays every
 *   request, but does not increase the number of completed requests. The bound is multiplied by `target` ÷ shortest
 *   wait.
 * - At most half of `target`: the bound is multiplied by `GROWTH`.
 * - Otherwise, the bound stays.
 *
 * A short burst does not lower the bound, because other requests in the same interval hardly wait.
 *
 * CoDel detects a standing queue in the same way: K. Nichols and V. Jacobson, "Controlling Queue Delay", ACM Queue 10
 * (2012), RFC 8289. CoDel drops packets that have waited. This function limits the accepted requests, so that the
 * server can refuse immediately.
 */
export function createControlledDelay({ most, least, target, interval = INTERVAL }: Options): ControlledDelay {
  let bound = most;
  let endsAt = 0;
  let shortest = Number.POSITIVE_INFINITY;
  const adapt = (now: number) => {
    if (now < endsAt) return;
    // For a whole interval, no request came and none left the queue. So the queue is probably empty.
    if (now >= endsAt + interval) bound = most;
    else if (shortest > target && shortest < Number.POSITIVE_INFINITY)
      bound = Math.max(least, Math.floor((bound * target) / shortest));
    else if (shortest <= target / 2) bound = Math.min(most, Math.ceil(bound * GROWTH));
    endsAt = now + interval;
    shortest = Number.POSITIVE_INFINITY;
  };
  return {
    limit: (now) => {
      adapt(now);
      return bound;
    },
    waited: (milliseconds, now) => {
      adapt(now);
      shortest = Math.min(shortest, milliseconds);
    },
  };
}
