import { decimalText } from '@/lib/contract/currencies';
import { AppError } from '@/lib/contract/errors/app-error';
import { bookingStatistics, type Group, type StatisticsFilter } from '../statistics';
import type { Grouping } from '../statistics-input';
import type { Column } from './csv';

type Row = { group: Group; currency: string | null; amount: number | null };

/** One row for each group and currency. */
export const STATISTICS_COLUMNS: readonly Column<Row>[] = [
  ['group_id', ({ group }) => group.key],
  ['group', ({ group }) => group.name],
  ['bookings', ({ group }) => group.figures.bookings],
  ['bookings_previous_period', ({ group }) => group.previous_bookings],
  ['seats', ({ group }) => group.figures.seats],
  ['canceled', ({ group }) => group.figures.canceled],
  ['no_shows', ({ group }) => group.figures.no_shows],
  ['median_lead_hours', ({ group }) => group.figures.lead_hours],
  ['currency', ({ currency }) => currency],
  ['revenue', ({ currency, amount }) => (currency === null || amount === null ? null : decimalText(amount, currency))],
];

/** @throws AppError service_unavailable if a query timed out. */
export async function* statisticsPages(filter: StatisticsFilter, by: Grouping): AsyncGenerator<readonly Row[]> {
  const found = await bookingStatistics(filter, by);
  if (found === null) throw new AppError('service_unavailable');
  yield found.groups.flatMap((group): Row[] =>
    group.figures.revenue.length === 0
      ? [{ group, currency: null, amount: null }]
      : group.figures.revenue.map(({ currency, amount }) => ({ group, currency, amount })),
  );
}
