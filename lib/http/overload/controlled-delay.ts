/**
 * A bound on one application's work in flight. The bound adapts to how long work waits in the queue. `now` is a time in
 * milliseconds, such as `performance.now()`.
 */
export type ControlledDelay = {
  /** Returns the bound at the time `now`. */
  limit: (now: number) => number;
  /** Records for how many milliseconds a request has waited in the queue. */
  waited: (milliseconds: number, now: number) => void;
};

type Options = {
  /** The highest bound (`most`), which applies while the queue is short, and the lowest bound (`least`). */
  most: number;
  least: number;
  /** The longest waiting time in milliseconds that does not lower the bound. */
  target: number;
  /** Number of milliseconds after which the bound is adapted again. Default: `INTERVAL`. */
  interval?: number;
};

const INTERVAL = 100;
/** The factor by which the bound rises if the shortest waiting time of an interval was at most half of `target`. */
const GROWTH = 1.5;

/**
 * Returns a bound that adapts to the speed of the machine. At the end of each interval, the shortest waiting time in
 * this interval determines the new bound:
 *
 * - If the shortest waiting time was longer than `target`, every request in the interval waited too long: there is a
 *   standing queue. A standing queue delays all requests, but does not increase the number of completed requests. The
 *   bound is therefore multiplied by `target` ÷ shortest waiting time, so that requests wait for about `target`
 *   milliseconds.
 * - If the shortest waiting time was at most half of `target`, the bound is multiplied by `GROWTH`.
 * - Otherwise, the bound does not change.
 *
 * The bound always stays between `least` and `most`.
 *
 * A short burst does not lower the bound. Other requests in the same interval, before or after the burst, hardly wait,
 * and only the shortest waiting time matters.
 *
 * CoDel also uses the shortest waiting time of an interval to detect a standing queue: K. Nichols and V. Jacobson,
 * "Controlling Queue Delay", ACM Queue 10 (2012), RFC 8289. CoDel drops packets that have already waited. This function
 * instead limits the number of accepted requests, so that the server can refuse a request immediately.
 */
export function createControlledDelay({ most, least, target, interval = INTERVAL }: Options): ControlledDelay {
  let bound = most;
  let endsAt = 0;
  let shortest = Number.POSITIVE_INFINITY;
  const adapt = (now: number) => {
    if (now < endsAt) return;
    // No request arrived for a whole interval, so the queue is empty.
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
