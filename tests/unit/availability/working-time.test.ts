import { expect, it } from 'vitest';
import { prepareLocation, prepareSpecialist } from '@/lib/booking/availability/input';
import { workingTime } from '@/lib/booking/availability/slots';
import { at, daily } from './fixtures';

const opening = daily('00:00', '00:00');
const location = prepareLocation({ id: 'loc', tenantId: 'ten', timeZone: 'America/Los_Angeles', opening });

/** Returns the working intervals that overlap a range, for a specialist with the same shift every day. */
function workedBetween(shift: [opens: string, closes: string], start: string, end: string) {
  const specialist = prepareSpecialist({ id: 'a', working: daily(...shift) }, location);
  const range = { from: at(start), to: at(end) };
  return workingTime(location, specialist, range).filter(({ from, to }) => from < range.to && to > range.from);
}

it('includes the shift of the evening before, also in a zone that is behind UTC', () => {
  expect(workedBetween(['20:00', '06:00'], '2026-09-14T00:00-07:00', '2026-09-15T00:00-07:00')).toEqual([
    { from: at('2026-09-13T20:00-07:00'), to: at('2026-09-14T06:00-07:00') },
    { from: at('2026-09-14T20:00-07:00'), to: at('2026-09-15T06:00-07:00') },
  ]);
});

it('includes a shift of almost a day that ends on an evening whose UTC date is the next one', () => {
  expect(workedBetween(['21:00', '20:30'], '2026-09-13T20:00-07:00', '2026-09-13T20:15-07:00')).toEqual([
    { from: at('2026-09-12T21:00-07:00'), to: at('2026-09-13T20:30-07:00') },
  ]);
});
