import { type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import { RECORD_FIELDS } from '@/lib/control-center/filters/fields';
import { GROUPINGS, MAX_DAYS } from '@/lib/control-center/statistics-input';
import type { Inputs } from '../../_components/api-types';
import { filterOf } from '../../_components/filters/filter-of';
import { parseAsDate } from '../../_components/url-parsers';
import { shiftDate } from '../../bookings/_components/display/format';

export const PERIODS = ['7d', '30d', '90d', 'month', 'last_month', 'dates'] as const;

type Period = (typeof PERIODS)[number];

export const FILTER = filterOf(RECORD_FIELDS);

/** The URL parameters of the Statistics page. */
export const PARSERS = {
  period: parseAsStringLiteral(PERIODS).withDefault('30d'),
  // The first and the last date if `period` is `dates`.
  from: parseAsDate,
  to: parseAsDate,
  by: parseAsStringLiteral(GROUPINGS).withDefault('service'),
  ...FILTER.parsers,
};

export type StatisticsQuery = inferParserType<typeof PARSERS>;

/** Returns the query after a change. Only a period of dates keeps its dates. */
export function changeQuery(query: StatisticsQuery, patch: Partial<StatisticsQuery>): StatisticsQuery {
  const changed = { ...query, ...patch };
  return changed.period === 'dates' ? changed : { ...changed, from: null, to: null };
}

const DAYS: Partial<Record<Period, number>> = { '7d': 7, '30d': 30, '90d': 90 };

export type Dates = { from: string; to: string };

/** Returns the first and the last date of the query's period. A period of dates that is not one becomes 30 days. */
export function datesOf({ period, from, to }: StatisticsQuery, today: string): Dates {
  const month = today.slice(0, 7);
  if (period === 'month') return { from: `${month}-01`, to: shiftDate(firstOfNext(month), -1) };
  if (period === 'last_month') {
    const end = shiftDate(`${month}-01`, -1);
    return { from: `${end.slice(0, 7)}-01`, to: end };
  }
  if (period === 'dates' && from !== null && to !== null && from <= to && to <= shiftDate(from, MAX_DAYS - 1))
    return { from, to };
  return { from: shiftDate(today, 1 - (DAYS[period] ?? 30)), to: today };
}

function firstOfNext(month: string): string {
  // A month has at most 31 days, so this is a day of the next one.
  return `${shiftDate(`${month}-01`, 31).slice(0, 7)}-01`;
}

/** Returns the input of the `statistics.bookings` procedure and of its export. */
export function statisticsInput(query: StatisticsQuery, today: string): Inputs['statistics']['bookings'] {
  return { ...datesOf(query, today), by: query.by, ...FILTER.inputOf(query) };
}
