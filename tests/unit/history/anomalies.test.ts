import { describe, expect, test } from 'vitest';
import { anomaliesOf, type Final, type History, type Rule, type State } from '@/tests/support/history/anomalies';
import { modelHistory } from './model';

const HOUR = 3_600_000;

/** Returns a version of a booking that starts at the given hour. */
const at = (reference: string, version: number, hour: number, more: Partial<State> = {}): State => ({
  reference,
  version,
  status: 'confirmed',
  specialistId: 'spc',
  startsAt: hour * HOUR,
  endsAt: (hour + 1) * HOUR,
  ...more,
});

const created = at('a', 1, 9);
const moved = at('a', 2, 10);
const cancelled = at('a', 3, 10, { status: 'cancelled' });
const other = at('b', 1, 9);

/**
 * A history of a correct server. `a` is created, rescheduled by a write that is sent twice, and canceled. `b` takes
 * the seat that `a` freed.
 */
const writes: History['writes'] = [
  { key: 'create a', begun: 0, ended: 10, result: created },
  { key: 'move a', begun: 20, ended: 30, result: 'unknown' },
  { key: 'move a', begun: 31, ended: 40, result: moved },
  { key: 'create b', begun: 25, ended: 35, result: other },
  { key: 'full', begun: 41, ended: 45, result: 'refused' },
  { key: 'cancel a', begun: 50, ended: 60, result: cancelled },
];
const reads: History['reads'] = [
  { reference: 'a', begun: 11, ended: 15, result: created },
  { reference: 'a', begun: 25, ended: 33, result: created },
  { reference: 'a', begun: 50, ended: 55, result: cancelled },
  { reference: 'a', begun: 61, ended: 65, result: 'unknown' },
];
const events = [created, moved, cancelled, other];
const bookings = [cancelled, other];

type Change = Partial<History & Final>;
const rulesOf = (change: Change): Rule[] => {
  const { writes: w, reads: r, ...final } = { writes, reads, events, bookings, capacity: 1, ...change };
  return [...new Set(anomaliesOf({ writes: w, reads: r }, final).map(({ rule }) => rule))];
};

const write = (key: string, begun: number, result: History['writes'][number]['result']) => ({
  key,
  begun,
  ended: begun + 5,
  result,
});
const read = (begun: number, result: History['reads'][number]['result'], reference = 'a') => ({
  reference,
  begun,
  ended: begun + 5,
  result,
});
const third = at('c', 1, 9);

test('a correct history has no anomaly', () => {
  expect(rulesOf({})).toEqual([]);
});

const PLANTED: [string, Rule, Change][] = [
  [
    'two bookings in one seat',
    'oversold',
    { writes: [...writes, write('create c', 70, third)], events: [...events, third], bookings: [...bookings, third] },
  ],
  [
    'bookings of a specialist that overlap, below the capacity of each slot',
    'oversold',
    {
      capacity: 2,
      writes: [...writes, write('create c', 70, at('c', 1, 9.5))],
      events: [...events, at('c', 1, 9.5)],
      bookings: [...bookings, at('c', 1, 9.5)],
    },
  ],
  [
    'two bookings in one seat for a time, of which one was canceled later',
    'oversold',
    {
      writes: [
        ...writes,
        write('create c', 70, third),
        write('cancel c', 90, { ...third, version: 2, status: 'cancelled' }),
      ],
      events: [...events, third, { ...third, version: 2, status: 'cancelled' }],
      bookings: [...bookings, { ...third, version: 2, status: 'cancelled' }],
    },
  ],
  ['an acknowledged create without an event', 'lost', { writes: [...writes, write('create c', 70, at('c', 1, 14))] }],
  [
    'an acknowledged time that the event does not have',
    'lost',
    { events: [created, at('a', 2, 11), cancelled, other] },
  ],
  ['a booking that differs from its last event', 'lost', { bookings: [moved, other] }],
  ['a booking that was deleted', 'lost', { bookings: [other] }],
  ['a booking without events', 'lost', { bookings: [...bookings, at('c', 1, 14)] }],
  ['a read of a change that was never committed', 'lost', { reads: [...reads, read(70, at('a', 4, 10))] }],
  [
    'a retry that made a second booking',
    'doubled',
    {
      writes: [...writes, write('create a', 70, at('c', 1, 14))],
      events: [...events, at('c', 1, 14)],
      bookings: [...bookings, at('c', 1, 14)],
    },
  ],
  [
    'a second booking that no client received',
    'doubled',
    { events: [...events, at('c', 1, 14)], bookings: [...bookings, at('c', 1, 14)] },
  ],
  ['a change acknowledged to two writes', 'doubled', { writes: [...writes, write('cancel again', 70, cancelled)] }],
  [
    'a change whose write was refused',
    'doubled',
    { writes: writes.map((one) => (one.key === 'create b' ? { ...one, result: 'refused' as const } : one)) },
  ],
  ['a missing version', 'gap', { events: [created, cancelled, other] }],
  ['a version with two events', 'gap', { events: [...events, moved] }],
  ['a read of a version older than an acknowledged one', 'stale', { reads: [...reads, read(61, moved)] }],
  ['a read of a version older than one read before', 'stale', { reads: [...reads, read(56, moved)] }],
  ['a 404 for an acknowledged booking', 'stale', { reads: [...reads, read(70, 'missing')] }],
  ['a write without a final response', 'open', { writes: [...writes, write('move b', 70, 'unknown')] }],
];

test.each(PLANTED)('%s is found: %s', (_, rule, change) => {
  expect(rulesOf(change)).toContain(rule);
});

describe('histories of a correct model', () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => seed);

  test('have no anomaly', () => {
    for (const seed of seeds) {
      const { history, final } = modelHistory(seed);
      expect(final.events.length).toBeGreaterThan(30);
      expect(anomaliesOf(history, final), `seed ${seed}`).toEqual([]);
    }
  });

  test('have one as soon as an event is lost or repeated under another version', () => {
    for (const seed of seeds) {
      const { history, final } = modelHistory(seed);
      const index = seed % final.events.length;
      const lost = final.events.filter((_, i) => i !== index);
      expect(anomaliesOf(history, { ...final, events: lost }), `seed ${seed}`).not.toEqual([]);
      const extra = final.events.slice(index, index + 1).map((event) => ({ ...event, version: event.version + 100 }));
      expect(anomaliesOf(history, { ...final, events: [...final.events, ...extra] }), `seed ${seed}`).not.toEqual([]);
    }
  });

  test('are oversold with one seat less', () => {
    for (const seed of seeds) {
      const { history, final } = modelHistory(seed);
      const rules = anomaliesOf(history, { ...final, capacity: final.capacity - 1 }).map(({ rule }) => rule);
      expect(rules, `seed ${seed}`).toContain('oversold');
    }
  });
});
