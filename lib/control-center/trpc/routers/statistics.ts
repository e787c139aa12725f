import { z } from 'zod';
import { storedDate } from '@/lib/contract/common';
import { RECORD_FIELDS } from '../../filters/fields';
import { inputsOf } from '../../filters/inputs';
import { bookingStatistics, type StatisticsFilter } from '../../statistics';
import { GROUPINGS, MAX_DAYS } from '../../statistics-input';
import { ownerProcedure, router } from '../init';
import { count } from '../inputs';

const DAY = 86_400_000;

/** Dates are local, in the time zone of each booking, and inclusive. */
export const statisticsInput = z
  .strictObject({
    from: storedDate,
    to: storedDate,
    by: z.enum(GROUPINGS).default('service'),
    ...inputsOf(RECORD_FIELDS),
  })
  .refine(({ from, to }) => from <= to, { error: 'must not be before from', path: ['to'] })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY, {
    error: `must be at most ${MAX_DAYS - 1} days after from`,
    path: ['to'],
  });

export function statisticsQueryOf(tenantId: string, now: Date, input: z.output<typeof statisticsInput>) {
  const { from, to, by: grouping, ...records } = input;
  const filter: StatisticsFilter = { ...records, tenantId, now, dates: { from, to } };
  return { filter, grouping };
}

const figures = z.strictObject({
  bookings: count,
  seats: count,
  canceled: count,
  no_shows: count,
  lead_hours: count.nullable(),
  revenue: z.array(z.strictObject({ currency: z.string(), amount: count })),
});

const statistics = z.strictObject({
  previous: z.strictObject({ from: z.string(), to: z.string() }),
  totals: figures,
  previous_totals: figures,
  groups: z.array(
    z.strictObject({
      key: z.string().nullable(),
      name: z.string().nullable(),
      figures,
      previous_bookings: count,
    }),
  ),
  more: count,
});

/** Figures of bookings. Only owners see them, because they contain the revenue. */
export const statisticsRouter = router({
  /** Null if the bookings are too many to count in time. */
  bookings: ownerProcedure
    .input(statisticsInput)
    .output(statistics.nullable())
    .query(({ ctx: { member, now }, input }) => {
      const { filter, grouping } = statisticsQueryOf(member.tenantId, now, input);
      return bookingStatistics(filter, grouping);
    }),
});
