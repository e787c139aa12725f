import { describe, expect, test } from 'vitest';
import { delayAfter, readRetryAfter } from '@/lib/webhooks/schedule';

const now = new Date('2026-09-14T10:00:00Z');
const PLANNED = 5_000;

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['7', 7_000],
    ['007', 7_000],
    ['9999999999', 9_999_999_999_000],
    ['Mon, 14 Sep 2026 10:00:08 GMT', 8_000],
    ['Mon, 14 Sep 2020 10:00:08 GMT', 0],
  ])('%s is %d ms', (header, milliseconds) => {
    expect(readRetryAfter(header, now)).toBe(milliseconds);
  });

  // None of these is a valid Retry-After header, although `Date.parse` accepts most of them.
  test.each([
    '-5',
    '1.5',
    '+7',
    '7, 9',
    '1e3',
    '0x10',
    '2020-01-01',
    '2027-01-01T00:00:00Z',
    'Mon, 14 Sep 2026 10:00:08 +0200',
    '14 Sep 2026 10:00:08 GMT',
    'Mon, 99 Sep 2026 10:00:08 GMT',
    'soon',
    '',
  ])('%j is ignored: the delay is the planned one with jitter', (header) => {
    const retryAfter = readRetryAfter(header, now);
    expect(retryAfter).toBeNull();
    expect(delayAfter(1, retryAfter, 0)).toBe(PLANNED * 0.8);
  });

  test.each(['9999999999', '9'.repeat(400)])('%s makes the delay twice the planned one at most', (header) => {
    expect(delayAfter(1, readRetryAfter(header, now), 0)).toBe(2 * PLANNED);
  });

  test('a shorter one than the planned delay does not count, and one between counts', () => {
    expect([1_000, 7_000].map((retryAfter) => delayAfter(1, retryAfter, 0.5))).toEqual([PLANNED, 7_000]);
  });
});

test('delays have a jitter of 20 %', () => {
  expect([0, 0.5, 1].map((random) => delayAfter(1, null, random))).toEqual([0.8, 1, 1.2].map((one) => one * PLANNED));
});
