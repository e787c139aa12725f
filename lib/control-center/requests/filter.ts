import { requestIdsBetween } from '@/lib/activity/request-log/bounds';
import { invalidField } from '@/lib/contract/errors/app-error';
import { isBookingReference } from '@/lib/platform/ids';
import { nullable, param, type Sql, sql, whereSet } from '@/lib/platform/sql';

/** Architecture 4. */
const RETENTION_DAYS = 30;

const HOUR = 3_600_000;

/** Milliseconds until now. */
const PERIODS = { '1h': HOUR, '24h': 24 * HOUR, '7d': 168 * HOUR, '30d': RETENTION_DAYS * 24 * HOUR } as const;

export type PeriodName = keyof typeof PERIODS;

export const PERIOD_NAMES = ['1h', '24h', '7d', '30d'] as const satisfies readonly PeriodName[];

/** Both ends are inclusive unless stated otherwise. */
export type Period = { from: Date; to: Date };

/** A null field matches all entries. */
export type RequestFilter = {
  tenantId: string;
  period: Period;
  /** A class of `CLASS_BOUNDS`, or one status. */
  status: string | null;
  code: string | null;
  reason: string | null;
  route: string | null;
  application_id: string | null;
  key_id: string | null;
  /** Complete, of a booking or external (see `spellings`). */
  reference: string | null;
};

/** The filter that matches all entries. */
export const UNFILTERED = {
  status: null,
  code: null,
  reason: null,
  route: null,
  application_id: null,
  key_id: null,
  reference: null,
};

const CLASS_BOUNDS: Record<string, [number, number]> = {
  // A 304 is a success without a body (contract B17).
  '2xx': [200, 399],
  '4xx': [400, 499],
  '5xx': [500, 599],
  error: [400, 599],
};

/**
 * Returns a named period, or the part of a range within the last 31 days: entries are kept for at most 30 days and
 * deleted up to a day late.
 * @throws AppError invalid_request if `from` is not before `to`.
 */
export function periodOf(now: Date, given: PeriodName | { from: Date; to: Date }): Period {
  if (typeof given === 'string') return { from: new Date(now.getTime() - PERIODS[given]), to: now };
  if (given.from >= given.to) throw invalidField('from', 'must be before the end');
  const oldest = new Date(now.getTime() - PERIODS['30d'] - 24 * HOUR);
  const to = given.to < now ? given.to : now;
  const from = given.from > oldest ? given.from : oldest;
  // A range before the oldest possible entry is empty, not an error.
  return from < to ? { from, to } : { from: to, to };
}

/**
 * Returns an external reference as given, in lowercase, and in uppercase. A search finds only these three spellings,
 * because the index contains references as partners sent them. There is no index on lowercase references: the migration
 * that adds it would block all bookings while it reads the whole log.
 */
export function spellings(reference: string): string[] {
  return [...new Set([reference, reference.toLowerCase(), reference.toUpperCase()])];
}

export type RequestValues = Omit<RequestFilter, 'period' | 'status'> &
  Period & { spellings: string[]; firstId: string; endId: string };

/** Returns the values of the parameters in the conditions below. */
export function requestValues({ period, status: _, ...filter }: RequestFilter): RequestValues {
  const { first, end } = requestIdsBetween(period.from, period.to);
  return { ...filter, ...period, spellings: spellings(filter.reference ?? ''), firstId: first, endId: end };
}

const KEY = nullable(param.text('key_id'));
const REFERENCE = nullable(param.text('reference'));

const CONDITIONS = {
  tenantId: sql`tenant_id = ${param.text('tenantId')}`,
  code: sql`code = ${nullable(param.text('code'))}`,
  reason: sql`reason = ${nullable(param.text('reason'))}`,
  route: sql`route = ${nullable(param.text('route'))}`,
  application_id: sql`application_id = ${nullable(param.text('application_id'))}`,
  // No index begins with the key id. That of the application can be used.
  key_id: sql`application_id = (SELECT application_id FROM api_keys WHERE id = ${KEY}) AND key_id = ${KEY}`,
  reference: (reference: string) => {
    if (isBookingReference(reference)) return sql`booking_reference = ${REFERENCE}`;
    // With one value, PostgreSQL reads the entries from the index in their order.
    if (spellings(reference).length === 1) return sql`external_reference = ${REFERENCE}`;
    return sql`external_reference = ANY (${param.texts('spellings')})`;
  },
  // Constants, because with parameters, the planner would not use the partial index on errors.
  status: (status: string) => {
    const [first, last] = CLASS_BOUNDS[status] ?? [Number(status), Number(status)];
    return first === last ? sql`status = ${first}` : sql`status BETWEEN ${first} AND ${last}`;
  },
};

// The log is partitioned by request id, which begins with the time, so the conditions on the ids exclude the partitions of
// other days.
const OF_PERIOD = sql`at >= ${param.timestamptz('from')} AND at <= ${param.timestamptz('to')}
  AND request_id >= ${param.text('firstId')} AND request_id < ${param.text('endId')}`;

/** Returns the SQL conditions of a filter, except its period. */
export function requestConditions(filter: RequestFilter): Sql<RequestValues> {
  return whereSet<RequestFilter, RequestValues>(filter, CONDITIONS);
}

/** Returns the SQL conditions of a filter, its period included, and further ones. */
export function entryConditions<More>(filter: RequestFilter, further: readonly Sql<More>[]): Sql<RequestValues & More> {
  return whereSet<RequestFilter, RequestValues & More>(filter, CONDITIONS, [OF_PERIOD, ...further]);
}

const OF_COUNTS = { ...CONDITIONS, key_id: sql`key_id = ${KEY}` };

/** Returns the SQL conditions on `request_counts`, which contain neither references nor reasons. */
export function countConditions(filter: RequestFilter): Sql<RequestValues> {
  return whereSet<RequestFilter, RequestValues>({ ...filter, reference: null, reason: null }, OF_COUNTS);
}

/**
 * Returns the first and the last status of an error class, or null for other filters. The search runs one subquery for
 * each status of the class, because the index lists the entries by time only within a status.
 */
export function errorStatuses(status: RequestFilter['status']): [number, number] | null {
  return status === null || status === '2xx' ? null : (CLASS_BOUNDS[status] ?? null);
}
