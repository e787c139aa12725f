import { describe, expect, it } from 'vitest';
import { createControlledDelay } from '@/lib/http/overload/controlled-delay';

const INTERVAL = 100;

/**
 * Returns functions that use the same controlled delay. Its bound starts at 90 and cannot fall below 8. `play` takes a
 * list of waiting times in milliseconds for each interval, and returns the bound after each interval. `pause` lets time
 * pass, and returns the bound.
 */
function delay() {
  const { limit, waited } = createControlledDelay({ most: 90, least: 8, target: 100, interval: INTERVAL });
  let now = 1_000;
  const play = (intervals: number[][]) =>
    intervals.map((waits) => {
      for (const [index, wait] of waits.entries()) waited(wait, now + index);
      now += INTERVAL;
      return limit(now);
    });
  limit(now);
  const pause = (milliseconds: number) => {
    now += milliseconds;
    return limit(now);
  };
  return { play, pause };
}

describe('createControlledDelay', () => {
  it.each([
    ['no wait', [[0], [0]], [90, 90]],
    ['a burst that drains within an interval', [[0, 400, 900], [20]], [90, 90]],
    ['a standing queue: in proportion to the shortest wait', [[200, 900]], [45]],
    ['a bound that fits the speed of the machine', [[200], [100], [80]], [45, 45, 45]],
    ['a queue that stays: the least', [[5_000], [5_000], [5_000]], [8, 8, 8]],
    ['a queue that ends', [[400], [10], [0], [0], [0]], [22, 33, 50, 75, 90]],
    ['an unresponsive database: unchanged', [[400], [], [], [400]], [22, 22, 22, 8]],
  ])('%s', (_, intervals, bounds) => expect(delay().play(intervals)).toEqual(bounds));

  it('begins again after a pause', () => {
    const { play, pause } = delay();
    expect(play([[5_000]])).toEqual([8]);
    expect(pause(3 * INTERVAL)).toBe(90);
  });
});
