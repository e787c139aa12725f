import { requestIdsBetween } from '@/lib/activity/request-log/bounds';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import { Prisma } from '@/lib/platform/generated/prisma/client';
import { isBookingReference } from '@/lib/platform/ids';

/** Architecture 4. */
const RETENTION_DAYS = 30;

const HOUR = 3_600_000;

/** Milliseconds until now. */
const PERIODS = { '1h': HOUR, '24h': 24 * HOUR, '7d': 168 * HOUR, '30d': RETENTION_DAYS * 24 * HOUR } as const;

export type PeriodName = keyof typeof PERIODS;

export const PERIOD_NAMES = ['1h', '24h', '7d', '30d'] as const satisfies readonly PeriodName[];

/** `error` means 4xx or 5xx. */
export const STATUS_CLASSES = ['2xx', '4xx', '5xx', 'error'] as const;

export type StatusClass = (typeof STATUS_CLASSES)[number];

/** Both ends are inclusive unless stated otherwise. */
export type Period = { from: Date; to: Date };

/** A null field matches all entries. */
export type RequestFilter = {
  tenantId: string;
  period: Period;
  status: StatusClass | number | null;
  code: string | null;
  reason: string | null;
  route: string | null;
  applicationId: string | null;
  keyId: string | null;
  /** Complete, of a booking or external (see `spellings`). */
  reference: string | null;
};

const CLASS_BOUNDS: Record<StatusClass, [number, number]> = {
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

/**
 * Returns the SQL conditions of a filter, except its period. Only a set filter gets a condition, so that the planner
 * can choose its index.
 */
export function requestConditions(filter: RequestFilter): Prisma.Sql {
  const { tenantId, code, reason, route, applicationId, keyId, reference, status } = filter;
  const parts = [Prisma.sql`tenant_id = ${tenantId}`];
  if (code !== null) parts.push(Prisma.sql`code = ${code}`);
  if (reason !== null) parts.push(Prisma.sql`reason = ${reason}`);
  if (route !== null) parts.push(Prisma.sql`route = ${route}`);
  if (applicationId !== null) parts.push(Prisma.sql`application_id = ${applicationId}`);
  // No index begins with the key id. That of the application can be used.
  if (keyId !== null)
    parts.push(
      Prisma.sql`application_id = (SELECT application_id FROM api_keys WHERE id = ${keyId}) AND key_id = ${keyId}`,
    );
  if (reference !== null)
    parts.push(
      isBookingReference(reference)
        ? Prisma.sql`booking_reference = ${reference}`
        : Prisma.sql`external_reference IN (${Prisma.join(spellings(reference))})`,
    );
  if (status !== null) parts.push(Prisma.raw(statusCondition(status)));
  return Prisma.join(parts, ' AND ');
}

/** Returns the SQL conditions on `request_counts`, which contain neither references nor reasons. */
export function countConditions({ tenantId, code, route, applicationId, keyId, status }: RequestFilter): Prisma.Sql {
  const parts = [Prisma.sql`tenant_id = ${tenantId}`];
  if (code !== null) parts.push(Prisma.sql`code = ${code}`);
  if (route !== null) parts.push(Prisma.sql`route = ${route}`);
  if (applicationId !== null) parts.push(Prisma.sql`application_id = ${applicationId}`);
  if (keyId !== null) parts.push(Prisma.sql`key_id = ${keyId}`);
  if (status !== null) parts.push(Prisma.raw(statusCondition(status)));
  return Prisma.join(parts, ' AND ');
}

/**
 * Returns the SQL conditions for the entries of a period. The log is partitioned by request id, which begins with the
 * time, so those on the ids exclude the partitions of other days.
 */
export function periodConditions({ from, to }: Period): Prisma.Sql {
  const { first, end } = requestIdsBetween(from, to);
  return Prisma.sql`at >= ${from}::timestamptz AND at <= ${to}::timestamptz
    AND request_id >= ${first} AND request_id < ${end}`;
}

// Constants, because with parameters, the planner would not use the partial index on errors.
function statusCondition(status: StatusClass | number): string {
  if (typeof status !== 'number') return `status BETWEEN ${CLASS_BOUNDS[status].join(' AND ')}`;
  if (!Number.isInteger(status)) throw new AppError('invalid_request');
  return `status = ${status}`;
}

/**
 * Returns the first and the last status of an error class, or null for other filters. The search runs one subquery for
 * each status of the class, because the index lists the entries by time only within a status.
 */
export function errorStatuses(status: RequestFilter['status']): [number, number] | null {
  if (status === null || typeof status === 'number' || status === '2xx') return null;
  return CLASS_BOUNDS[status];
}
