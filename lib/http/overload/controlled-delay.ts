/** The bound on the work in flight of one application. `now` is a time in milliseconds, such as `performance.now()`. */
export type ControlledDelay = {
  /** Returns the bound at a time. */
  limit: (now: number) => number;
  /** Records how long one piece of work has waited in the queue, in milliseconds. */
  waited: (milliseconds: number, now: number) => void;
};

type Options = {
  /** The bound while there is no standing queue, and the lowest bound. */
  most: number;
  least: number;
  /** The queueing delay in milliseconds that is acceptable at all times. */
  target: number;
  /** Milliseconds between two changes of the bound. */
  interval?: number;
};

const INTERVAL = 250;
/** The factor by which the bound rises if the queue was much shorter than acceptable during an interval. */
const GROWTH = 1.5;

/**
 * Adapts a bound to the speed of the machine. If even the shortest wait of an interval was longer than `target`, a
 * standing queue delays everything without any benefit. The bound is then lowered in proportion, so that what stays in
 * flight is what is completed within about `target`. If the shortest wait was at most half of `target`, the bound rises
 * again. A burst that the queue absorbs within an interval does not lower the bound.
 *
 * The minimum over an interval as the sign of a standing queue is the idea of CoDel: K. Nichols and V. Jacobson,
 * "Controlling Queue Delay", ACM Queue 10 (2012), RFC 8289. Unlike CoDel, which drops packets that have waited, this
 * bounds what is admitted, so that a refusal is immediate.
 */
export function createControlledDelay({ most, least, target, interval = INTERVAL }: Options): ControlledDelay {
  let bound = most;
  let endsAt = 0;
  let shortest = Number.POSITIVE_INFINITY;
  const adapt = (now: number) => {
    if (now < endsAt) return;
    // Nothing arrived for an interval, so there is no queue.
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
