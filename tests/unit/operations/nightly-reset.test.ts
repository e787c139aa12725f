import { expect, test } from 'vitest';
import { isDue } from '@/lib/operations/sandbox/reset';

/** In the time zone of the sandbox. */
const NIGHTLY = {
  timeZone: 'Europe/Berlin',
  lastResetAt: null,
  createdAt: new Date('2027-01-01T00:00:00Z'),
  resetPolicy: 'DAILY',
  resetPolicySince: null,
};
const SINCE = { resetPolicySince: new Date('2027-02-01T12:00:00Z') };
const after = (time: string) => ({ lastResetAt: new Date(time) });

test.each([
  ['is never due on demand', { ...SINCE, resetPolicy: 'ON_DEMAND' }, '2027-02-03T12:00:00Z', false],
  ['is not due before the next night', SINCE, '2027-02-01T12:01:00Z', false],
  ['is not due before 03:00', SINCE, '2027-02-02T01:59:00Z', false],
  ['is due at 03:00', SINCE, '2027-02-02T02:00:00Z', true],
  ['is not due again on that day', after('2027-02-02T02:00:00Z'), '2027-02-02T22:00:00Z', false],
  ['is due later if no server was running', after('2027-02-02T02:00:00Z'), '2027-02-04T11:00:00Z', true],
  // On March 28, 2027, the clock moves from 02:00 to 03:00 at 01:00 UTC. On October 31, it moves back before the reset.
  ['in spring is not due before 03:00', after('2027-03-27T12:00:00Z'), '2027-03-28T00:59:00Z', false],
  ['in spring is due at 03:00', after('2027-03-27T12:00:00Z'), '2027-03-28T01:00:00Z', true],
  ['in autumn is not due before 03:00', after('2027-10-30T12:00:00Z'), '2027-10-31T01:59:00Z', false],
  ['in autumn is due at 03:00', after('2027-10-30T12:00:00Z'), '2027-10-31T02:00:00Z', true],
  // At 00:30 on March 29 (Berlin time). The time 24 hours before that is on March 27, because March 28 has 23 hours.
  ['missed in spring is due on the next day', after('2027-03-27T12:00:00Z'), '2027-03-28T22:30:00Z', true],
  ['missed in spring counts local days', after('2027-03-27T23:30:00Z'), '2027-03-28T22:30:00Z', true],
])('the nightly reset %s', (_, more, now, due) => {
  expect(isDue(new Date(now), { ...NIGHTLY, ...more })).toBe(due);
});
