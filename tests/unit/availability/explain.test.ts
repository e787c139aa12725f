import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainStarts, gridOf } from '@/lib/booking/availability/explain';
import { checkSlot, slotsForRange } from '@/lib/booking/availability/slots';
import { formatInstant } from '@/lib/platform/time-zones';
import { repeats } from '@/tests/support/soak';
import { anyCase, queryOf } from './cases';
import { at, claim, query } from './fixtures';

test('the explanation, availability, and create agree on every start and specialist', { timeout: 3_600_000 }, () => {
  fc.assert(
    fc.property(anyCase, fc.constantFrom(null, null, 's0', 'nobody'), (day, specialistId) => {
      const asked = { ...queryOf({ ...day, dateTo: day.date }), specialistId };
      const explained = explainStarts({ ...asked, minutes: gridOf(asked.service) });
      expect(explained).toHaveLength(Math.ceil(1440 / day.service.slotIntervalMinutes));
      const reasonOf = (startTime: string, wanted: string | null) => {
        const check = checkSlot({ ...asked, startTime, specialistId: wanted });
        return check.ok ? null : check.reason;
      };
      for (const { startTime, startsAt, reason, specialists } of explained) {
        expect({ startTime, reason }).toEqual({ startTime, reason: reasonOf(startTime, specialistId) });
        if (startsAt !== null) expect(formatInstant(asked.location.zone, startsAt).time).toBe(startTime);
        for (const one of specialists)
          expect({ startTime, ...one }).toEqual({ ...one, startTime, reason: reasonOf(startTime, one.specialistId) });
      }
      const wanted = (id: string) => specialistId === null || id === specialistId;
      const offered = slotsForRange({ ...asked, specialists: asked.specialists.filter(({ id }) => wanted(id)) });
      expect(explained.filter(({ reason }) => reason === null).map(({ startsAt }) => startsAt)).toEqual(
        offered.map(({ startsAt }) => startsAt),
      );
    }),
    { numRuns: repeats(80, 100_000) },
  );
});

test('each specialist has the first rule that fails, and any minute can be explained', () => {
  const busy = claim('2026-09-14T08:00:00Z', { specialistId: 'b' });
  const off = { working: [] };
  const asked = query({ specialists: [off, {}, {}], claims: [busy] });
  const explain = (...minutes: number[]) => explainStarts({ ...asked, minutes });
  const [early, taken, odd] = explain(0, 600, 607);
  expect(early).toMatchObject({ startTime: '00:00', reason: 'outside_schedule' });
  expect(taken).toEqual({
    startTime: '10:00',
    startsAt: at('2026-09-14T08:00:00Z'),
    reason: null,
    specialists: [
      { specialistId: 'a', reason: 'outside_schedule' },
      { specialistId: 'b', reason: 'slot_taken' },
      { specialistId: 'c', reason: null },
    ],
  });
  expect(odd).toMatchObject({ startTime: '10:07', reason: 'off_grid' });
  expect(explainStarts({ ...asked, specialists: [], minutes: [600] })).toMatchObject([
    { reason: 'outside_schedule', specialists: [] },
  ]);
  expect(explainStarts({ ...asked, specialistId: 'z', minutes: [600] })).toMatchObject([
    { reason: 'specialist_unavailable', specialists: [{ specialistId: 'z', reason: 'specialist_unavailable' }] },
  ]);
});
